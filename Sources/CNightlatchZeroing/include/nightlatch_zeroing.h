#ifndef NIGHTLATCH_ZEROING_H
#define NIGHTLATCH_ZEROING_H

#include <stddef.h>

/// Overwrites `count` bytes at `memory` with zeros. No optimiser may remove this, even if the memory is freed
/// immediately afterwards.
void nightlatch_zero(void *memory, size_t count);

/// Overwrites 16 KiB of the stack below the caller's frame, which contain the variables of functions that the caller
/// has called before. Also overwrites the registers that a call need not preserve, because their values could be saved
/// on the stack again.
void nightlatch_zero_stack(void);

/// Takes the free blocks of every size up to 1 KiB that the allocator keeps for this thread.
///
/// The allocator then keeps the blocks that this thread frees next, also those that another thread has allocated. So
/// ``nightlatch_zero_freed`` finds them. Returns NULL if there is no memory.
void **nightlatch_take_freed(void);

/// Gives back the blocks that ``nightlatch_take_freed`` has taken.
void nightlatch_give_back(void **blocks);

/// Overwrites the blocks of every size up to 1 KiB that this thread has freed last, and some larger blocks up to 8 KiB.
///
/// It overwrites as many blocks of each size as the allocator returns again: at most 256 of the smallest size and 16 of
/// the largest. It takes some tenths of a millisecond.
void nightlatch_zero_freed(void);

#endif
