#ifndef NIGHTLATCH_ZEROING_H
#define NIGHTLATCH_ZEROING_H

#include <stddef.h>

/// Overwrites `count` bytes at `memory` with zeros, in a way that no optimiser may drop even where the memory is freed right
/// after.
void nightlatch_zero(void *memory, size_t count);

/// Overwrites 16 KiB of the stack below the caller's frame, where functions that it has called before kept their variables, and
/// the registers that a call need not keep, from where they might come to the stack again.
void nightlatch_zero_stack(void);

/// Overwrites the blocks of up to `count` bytes that this thread has freed last, as many as the allocator hands out again.
void nightlatch_zero_freed(size_t count);

/// Overwrites blocks of every size up to 1 KiB that this thread has freed last, and some larger ones up to 8 KiB: of each as many as the
/// allocator hands out again, 32 at most. It takes some tenths of a millisecond.
void nightlatch_zero_all_freed(void);

#endif
