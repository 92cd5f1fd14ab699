/* SPDX-License-Identifier: MIT */
/**
 * @file
 * GUID, its comparison, DEFINE_GUID and __uuidof. DEFINE_GUID makes a constant of the translation
 * unit (so that no library with ids is needed); <initguid.h> therefore changes nothing.
 */
#ifndef MONOLITH_GUIDDEF_H
#define MONOLITH_GUIDDEF_H

#include <stdint.h>
#include <string.h>

#ifndef GUID_DEFINED
#define GUID_DEFINED
typedef struct _GUID {
  uint32_t Data1;
  uint16_t Data2;
  uint16_t Data3;
  uint8_t Data4[8];
} GUID;
#endif

typedef GUID UUID;
typedef GUID IID;
typedef GUID CLSID;
typedef GUID FMTID;
typedef GUID* LPGUID;
typedef const GUID* LPCGUID;
typedef IID* LPIID;
typedef CLSID* LPCLSID;

#ifdef __cplusplus
#define REFGUID const GUID&
#define REFIID const IID&
#define REFCLSID const IID&
#define REFFMTID const IID&
#else
#define REFGUID const GUID*
#define REFIID const IID*
#define REFCLSID const IID*
#define REFFMTID const IID*
#endif

#ifndef EXTERN_C
#ifdef __cplusplus
#define EXTERN_C extern "C"
#define EXTERN_C_START extern "C" {
#define EXTERN_C_END }
#else
#define EXTERN_C extern
#define EXTERN_C_START
#define EXTERN_C_END
#endif
#endif

#undef DEFINE_GUID
#define DEFINE_GUID(name, l, w1, w2, b1, b2, b3, b4, b5, b6, b7, b8)                                                   \
  static const GUID name __attribute__((unused)) = {l, w1, w2, {b1, b2, b3, b4, b5, b6, b7, b8}}
#define DEFINE_OLEGUID(name, l, w1, w2) DEFINE_GUID(name, l, w1, w2, 0xC0, 0, 0, 0, 0, 0, 0, 0x46)

#ifdef __cplusplus
extern "C++" {
inline int InlineIsEqualGUID(REFGUID a, REFGUID b) { return memcmp(&a, &b, sizeof(GUID)) == 0; }
inline int IsEqualGUID(REFGUID a, REFGUID b) { return memcmp(&a, &b, sizeof(GUID)) == 0; }
#ifndef _SYS_GUID_OPERATOR_EQ_
#define _SYS_GUID_OPERATOR_EQ_
inline bool operator==(REFGUID a, REFGUID b) { return memcmp(&a, &b, sizeof(GUID)) == 0; }
inline bool operator!=(REFGUID a, REFGUID b) { return memcmp(&a, &b, sizeof(GUID)) != 0; }
#endif

/* The id of a type; __CRT_UUID_DECL specialises it. Pointers and references ask their target. */
template <typename T>
struct monolith_uuid;
template <typename T>
struct monolith_uuid<T*> : monolith_uuid<T> {};
template <typename T>
struct monolith_uuid<T&> : monolith_uuid<T> {};
template <typename T>
struct monolith_uuid<const T> : monolith_uuid<T> {};
}
#define __CRT_UUID_DECL(type, l, w1, w2, b1, b2, b3, b4, b5, b6, b7, b8)                                               \
  extern "C++" {                                                                                                       \
  template <>                                                                                                          \
  struct monolith_uuid<type> {                                                                                         \
    static const GUID& get() {                                                                                         \
      static const GUID id = {l, w1, w2, {b1, b2, b3, b4, b5, b6, b7, b8}};                                            \
      return id;                                                                                                       \
    }                                                                                                                  \
  };                                                                                                                   \
  }
#ifndef __uuidof
#define __uuidof(x) (monolith_uuid<__typeof__(x)>::get())
#endif
#else
#define IsEqualGUID(a, b) (!memcmp(a, b, sizeof(GUID)))
#define InlineIsEqualGUID(a, b) (!memcmp(a, b, sizeof(GUID)))
#endif

#define IsEqualIID(a, b) IsEqualGUID(a, b)
#define IsEqualCLSID(a, b) IsEqualGUID(a, b)

DEFINE_GUID(GUID_NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
#define IID_NULL GUID_NULL
#define CLSID_NULL GUID_NULL

#endif
