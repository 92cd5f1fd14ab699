// SPDX-License-Identifier: MIT
#include "camera.h"

#include <algorithm>
#include <cmath>

namespace {
constexpr float kNear = 0.02f, kFar = 100.f, kFieldOfView = 0.75f;

float dot(Vector3 a, Vector3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vector3 cross(Vector3 a, Vector3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
} // namespace

Vector3 normalized(Vector3 v) {
  const float length = std::sqrt(dot(v, v));
  return {v.x / length, v.y / length, v.z / length};
}

Matrix4 multiply(const Matrix4& a, const Matrix4& b) {
  Matrix4 out = {};
  for (int column = 0; column < 4; column++)
    for (int row = 0; row < 4; row++)
      for (int k = 0; k < 4; k++) out.m[column * 4 + row] += a.m[k * 4 + row] * b.m[column * 4 + k];
  return out;
}

void Camera::turn(float dLongitude, float dLatitude) {
  longitude += dLongitude;
  latitude = std::clamp(latitude + dLatitude, -1.5f, 1.5f);
}

void Camera::zoom(float steps) { distance = std::clamp(1 + (distance - 1) * std::pow(0.88f, steps), 1.15f, 12.f); }

Vector3 Camera::eye() const {
  return {distance * std::cos(latitude) * std::sin(longitude), distance * std::sin(latitude),
          distance * std::cos(latitude) * std::cos(longitude)};
}

Matrix4 Camera::viewProjection(float aspect) const {
  const Vector3 at = eye(), back = normalized(at);
  const Vector3 right = normalized(cross({0, 1, 0}, back)), up = cross(back, right);
  const Matrix4 view = {{right.x, up.x, back.x, 0, right.y, up.y, back.y, 0, right.z, up.z, back.z, 0, -dot(right, at),
                         -dot(up, at), -dot(back, at), 1}};
  const float scale = 1 / std::tan(kFieldOfView / 2), range = kFar / (kNear - kFar);
  const Matrix4 projection = {{scale / aspect, 0, 0, 0, 0, scale, 0, 0, 0, 0, range, -1, 0, 0, range * kNear, 0}};
  return multiply(projection, view);
}
