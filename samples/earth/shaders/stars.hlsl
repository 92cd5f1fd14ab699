#include "common.hlsli"

struct StarIn
{
    float2 corner : CORNER;       // -1..1, per vertex
    float3 direction : DIRECTION; // per instance
    float4 tint : TINT;           // colour and size in pixels, per instance
};

struct PixelIn
{
    float4 position : SV_Position;
    float2 corner : CORNER;
    nointerpolation float4 tint : TINT;
};

PixelIn vsMain(StarIn s)
{
    PixelIn o;
    // Infinitely far: the eye's position does not move the stars.
    float4 clip = mul(viewProjection, float4(eye + s.direction * 50, 1));
    clip.xy += s.corner * s.tint.w * 2 / viewport * clip.w;
    o.position = clip.xyww * float4(1, 1, 0.9999, 1);
    o.corner = s.corner;
    o.tint = s.tint;
    return o;
}

float4 psMain(PixelIn p) : SV_Target
{
    float falloff = saturate(1 - dot(p.corner, p.corner));
    if (falloff <= 0)
        discard;
    float twinkle = 0.85 + 0.15 * sin(time * 3 + p.tint.x * 40 + p.tint.y * 90);
    return float4(p.tint.rgb * falloff * falloff * twinkle, 0);
}
