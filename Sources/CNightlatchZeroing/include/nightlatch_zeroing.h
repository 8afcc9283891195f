#ifndef NIGHTLATCH_ZEROING_H
#define NIGHTLATCH_ZEROING_H

#include <stddef.h>

/// Overwrites `count` bytes at `memory` with zeros, in a way that no optimiser may drop even where the memory is freed right
/// after.
void nightlatch_zero(void *memory, size_t count);

/// Overwrites 16 KiB of the stack below the caller's frame, where functions that it has called before kept their variables, and
/// the registers that a call need not keep, from where they might come to the stack again.
void nightlatch_zero_stack(void);

/// Takes the blocks of every size up to 1 KiB that this thread keeps for itself. What it frees from then on it keeps in their place, also
/// what another thread has allocated, so that ``nightlatch_zero_freed`` finds it. NULL if there is no memory.
void **nightlatch_take_freed(void);

/// Gives back what ``nightlatch_take_freed`` has taken.
void nightlatch_give_back(void **blocks);

/// Overwrites blocks of every size up to 1 KiB that this thread has freed last, and some larger ones up to 8 KiB: of each as many as the
/// allocator hands out again, 256 of the smallest and 16 of the largest at most. It takes some tenths of a millisecond.
void nightlatch_zero_freed(void);

#endif
