#ifndef NIGHTLATCH_ZEROING_H
#define NIGHTLATCH_ZEROING_H

#include <stddef.h>

/// Overwrites `count` bytes at `memory` with zeros. The stores are volatile, so that no optimiser may drop them even
/// where the memory is freed right after.
void nightlatch_zero(void *memory, size_t count);

#endif
