// SPDX-License-Identifier: MIT
/// @file
/// An orbiting camera and the little linear algebra that it needs. Matrices are column-major: m[column * 4 + row].
#pragma once

struct Vector3 {
  float x, y, z;
};
struct Matrix4 {
  float m[16];
};

Vector3 normalized(Vector3 v);
Matrix4 multiply(const Matrix4& a, const Matrix4& b);

struct Camera {
  float longitude = 0.4f, latitude = 0.35f; ///< Radians of the point below the eye.
  float distance = 3.1f;                    ///< Earth radii from the centre; 1.15 to 12.

  void turn(float dLongitude, float dLatitude);
  void zoom(float steps);
  Vector3 eye() const;
  /// Depth 0 near to 1 far, right-handed.
  Matrix4 viewProjection(float aspect) const;
};
