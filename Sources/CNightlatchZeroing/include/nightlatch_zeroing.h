#ifndef NIGHTLATCH_ZEROING_H
#define NIGHTLATCH_ZEROING_H

#include <stddef.h>

/// Overwrites `count` bytes at `memory` with zeros, in a way that no optimiser may drop even where the memory is freed right
/// after.
void nightlatch_zero(void *memory, size_t count);

/// How much of the stack `nightlatch_zero_stack` overwrites.
#define NIGHTLATCH_ZEROED_STACK_BYTE_COUNT 16384

/// Overwrites the stack below the caller's frame with zeros: what functions that have returned kept there in registers'
/// stead.
void nightlatch_zero_stack(void);

#endif
