#include "common.hlsli"

struct PixelIn
{
    float4 position : SV_Position;
    float3 world : WORLD;
};

static const float kTop = 1.045; // radius of the shell

PixelIn vsMain(float3 position : POSITION)
{
    PixelIn o;
    o.world = position * kTop;
    o.position = mul(viewProjection, float4(o.world, 1));
    return o;
}

// Only the shell's far side is drawn: its depth lies behind the globe, so that just the rim shows.
float4 psMain(PixelIn p) : SV_Target
{
    float3 ray = normalize(p.world - eye);
    // Closest approach of the ray to the Earth's centre tells how much air it crosses.
    float along = -dot(eye, ray);
    float3 closest = eye + ray * along;
    float height = (length(closest) - 1) / (kTop - 1);
    float density = exp2(-5 * saturate(height)) * saturate(1 - height);
    float sun = dot(normalize(closest), sunDirection);
    float lit = smoothstep(-0.25, 0.35, sun);
    float3 air = lerp(float3(1.0, 0.4, 0.2), float3(0.35, 0.6, 1.0), saturate(sun * 2 + 0.4));
    float alpha = saturate(density * lit * 1.4);
    return float4(air * alpha, alpha); // premultiplied
}
