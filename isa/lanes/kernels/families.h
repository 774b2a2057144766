// The families of kernels; each adds its forms to the table of its build.
#pragma once

#include "isa/lanes/kernel_table.h"
#include "isa/lanes/kernels/variant.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {

void add_integer_kernels(KernelTable& table);
void add_carry_kernels(KernelTable& table);
void add_bit_kernels(KernelTable& table);
void add_move_kernels(KernelTable& table);
void add_integer_compare_kernels(KernelTable& table);
void add_float_compare_kernels(KernelTable& table);
void add_float_kernels(KernelTable& table);
void add_directed_float_kernels(KernelTable& table);
void add_float_sign_kernels(KernelTable& table);
void add_half_kernels(KernelTable& table);
void add_approximate_kernels(KernelTable& table);
void add_integer_convert_kernels(KernelTable& table);
void add_float_to_integer_kernels(KernelTable& table);
void add_integer_to_float_kernels(KernelTable& table);
void add_float_convert_kernels(KernelTable& table);
void add_directed_convert_kernels(KernelTable& table);
void add_small_float_kernels(KernelTable& table);
void add_small_float_arithmetic_kernels(KernelTable& table);
void add_stochastic_kernels(KernelTable& table);
void add_scale_kernels(KernelTable& table);
void add_pack_kernels(KernelTable& table);
void add_video_kernels(KernelTable& table);

/// All of them.
void fill(KernelTable& table);

/// The Type of the PTX ISA that a C++ type stands for.
template <class T>
inline constexpr Type type_of = Type::none;
template <>
inline constexpr Type type_of<u8> = Type::u8;
template <>
inline constexpr Type type_of<u16> = Type::u16;
template <>
inline constexpr Type type_of<u32> = Type::u32;
template <>
inline constexpr Type type_of<u64> = Type::u64;
template <>
inline constexpr Type type_of<s8> = Type::s8;
template <>
inline constexpr Type type_of<s16> = Type::s16;
template <>
inline constexpr Type type_of<s32> = Type::s32;
template <>
inline constexpr Type type_of<s64> = Type::s64;
template <>
inline constexpr Type type_of<f16> = Type::f16;
template <>
inline constexpr Type type_of<bf16> = Type::bf16;
template <>
inline constexpr Type type_of<f32> = Type::f32;
template <>
inline constexpr Type type_of<f64> = Type::f64;

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
