// Shared by all shaders of the sample. Matrices are column-major, vectors multiply from the right.
cbuffer Frame : register(b0)
{
    float4x4 viewProjection;
    float3 eye;          // world space, Earth radii
    float time;          // seconds
    float3 sunDirection; // towards the sun, normalised
    float nightLights;   // 0 or 1
    float2 viewport;     // pixels
    float atmosphere;    // 0 or 1
    float anisotropyView;
};

static const float kPi = 3.14159265;
