/* SPDX-License-Identifier: MIT */
/** @file The source annotations that Direct3D programs use, all empty. */
#ifndef MONOLITH_SAL_H
#define MONOLITH_SAL_H


#define _In_
#define _In_z_
#define _In_opt_
#define _In_opt_z_
#define _In_reads_(n)
#define _In_reads_opt_(n)
#define _In_reads_bytes_(n)
#define _In_reads_bytes_opt_(n)
#define _In_range_(a, b)
#define _Out_
#define _Out_opt_
#define _Out_writes_(n)
#define _Out_writes_opt_(n)
#define _Out_writes_all_(n)
#define _Out_writes_all_opt_(n)
#define _Out_writes_z_(n)
#define _Out_writes_bytes_(n)
#define _Out_writes_bytes_opt_(n)
#define _Out_writes_bytes_to_opt_(n, m)
#define _Out_writes_to_(n, m)
#define _Out_writes_to_opt_(n, m)
#define _Outptr_
#define _Outptr_opt_
#define _Outptr_result_maybenull_
#define _Outptr_opt_result_maybenull_
#define _Outptr_result_bytebuffer_(n)
#define _COM_Outptr_
#define _COM_Outptr_opt_
#define _COM_Outptr_opt_result_maybenull_
#define _COM_Outptr_result_maybenull_
#define _Inout_
#define _Inout_opt_
#define _Inout_z_
#define _Inout_updates_(n)
#define _Inout_updates_opt_(n)
#define _Inout_updates_all_(n)
#define _Inout_updates_bytes_(n)
#define _Field_size_(n)
#define _Field_size_opt_(n)
#define _Field_size_bytes_(n)
#define _Field_size_full_(n)
#define _Field_size_full_opt_(n)
#define _Ret_maybenull_
#define _Ret_notnull_
#define _Success_(e)
#define _Check_return_
#define _Must_inspect_result_
#define _Use_decl_annotations_
#define _Printf_format_string_
#define _Pre_
#define _Post_
#define _Null_terminated_
#define _When_(e, a)
#define _Analysis_assume_(e)

#endif
