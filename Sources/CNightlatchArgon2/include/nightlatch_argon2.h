#ifndef NIGHTLATCH_ARGON2_H
#define NIGHTLATCH_ARGON2_H

#include <stdbool.h>
#include <stdint.h>

/// The compression function `G` of Argon2 (RFC 9106, section 3.5) on blocks of 128 words. The address of each block is
/// a multiple of 16. The function takes the same time and reads the same addresses for all contents of the blocks.
///
/// `target` may be the same block as `previous` or `reference`, but `working` must be another block. Intermediate
/// values remain in `working`, in up to 4 KiB of the stack below the caller's frame, and in registers. The caller wipes
/// them.
///
/// @param adding Whether the former content of `target` is added (XOR), as in every pass after the first.
void nightlatch_argon2_compress(
    const uint64_t *previous, const uint64_t *reference, uint64_t *target, bool adding, uint64_t *working);

#endif
