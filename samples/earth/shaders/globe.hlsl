#include "common.hlsli"

Texture2D dayMap : register(t0);
Texture2D nightMap : register(t1);
SamplerState mapSampler : register(s0);

struct VertexIn
{
    float3 position : POSITION;
    float2 uv : TEXCOORD;
};

struct PixelIn
{
    float4 position : SV_Position;
    float3 world : WORLD;
    float3 normal : NORMAL;
    float2 uv : TEXCOORD;
};

PixelIn vsMain(VertexIn v)
{
    PixelIn o;
    o.world = v.position;
    o.normal = v.position; // the unit sphere
    o.position = mul(viewProjection, float4(v.position, 1));
    o.uv = v.uv;
    return o;
}

// Water is where blue outweighs red and the map is dark.
float waterMask(float3 day)
{
    return saturate((day.b - day.r * 1.1) * 6) * saturate(1.4 - dot(day, 1));
}

float4 psMain(PixelIn p) : SV_Target
{
    float3 n = normalize(p.normal);
    float3 toEye = normalize(eye - p.world);
    float3 day = dayMap.Sample(mapSampler, p.uv).rgb;
    float3 night = nightMap.Sample(mapSampler, p.uv).rgb;

    float sun = dot(n, sunDirection);
    float lit = smoothstep(-0.08, 0.22, sun);
    float3 halfway = normalize(toEye + sunDirection);
    float glint = pow(saturate(dot(n, halfway)), 60) * waterMask(day) * lit;

    float3 color = day * (0.02 + 1.15 * lit * saturate(sun + 0.25));
    color += night * nightLights * (1 - lit) * float3(1.0, 0.85, 0.6);
    color += glint * float3(0.9, 0.8, 0.6);

    // Thin air seen edge-on scatters blue, and red where the sun is low.
    float rim = pow(1 - saturate(dot(n, toEye)), 3);
    float3 air = lerp(float3(0.9, 0.45, 0.25), float3(0.3, 0.55, 1.0), saturate(sun * 3 + 0.3));
    color += atmosphere * rim * lit * air * 0.8;
    return float4(color, 1);
}
