#include "nightlatch_zeroing.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if __has_attribute(zero_call_used_regs)
#define ZEROES_REGISTERS __attribute__((noinline, zero_call_used_regs("all")))
#else
#define ZEROES_REGISTERS __attribute__((noinline))
#endif

void nightlatch_zero(void *memory, size_t count) {
    // After this line, the compiler must assume that `memory` is any memory. Otherwise it would replace `malloc` and
    // `memset` by `calloc`, and glibc's `calloc` does not return the blocks that a thread has freed last.
    __asm__ __volatile__("" : "+r"(memory));
    memset(memory, 0, count);
    // The compiler must assume that this line reads the memory, so it cannot remove the `memset`.
    __asm__ __volatile__("" : : "r"(memory) : "memory");
}

#if defined(__x86_64__) && defined(__linux__)
// Only some processors have these registers. On those, copying memory uses the registers, and the dynamic linker saves
// all registers on the stack when it links a function at the first call.
ZEROES_REGISTERS __attribute__((target("avx512f"))) static void zero_wide_registers(void) {
    __asm__ volatile("");
}

static void zero_registers_of_this_processor(void) {
    if (__builtin_cpu_supports("avx512f")) {
        zero_wide_registers();
    }
}
#else
static void zero_registers_of_this_processor(void) {}
#endif

ZEROES_REGISTERS void nightlatch_zero_stack(void) {
    zero_registers_of_this_processor();
    volatile uint64_t words[16 * 1024 / sizeof(uint64_t)];
    for (size_t index = 0; index < sizeof words / sizeof *words; index++) {
        words[index] = 0;
    }
}

enum { FEWEST = 16, MOST = 256, ENOUGH_BYTES = 16 * 1024 };

// Overwrites the blocks of up to `count` bytes that this thread has freed last. Libraries free many more small blocks
// than large ones, so the limit is higher for small blocks.
static void zero_freed(size_t count) {
    void *blocks[MOST];
    size_t limit = ENOUGH_BYTES / count;
    limit = limit < FEWEST ? FEWEST : limit > MOST ? MOST : limit;
    size_t taken = 0;
    // Takes all blocks before it gives any back, so that no block is taken twice. The common allocators begin with the
    // block that was freed last, and keep about seven blocks of a size for each thread. Blocks that are freed when
    // these seven exist come after them, so this takes more than seven.
    while (taken < limit && (blocks[taken] = malloc(count)) != NULL) {
        nightlatch_zero(blocks[taken++], count);
    }
    while (taken) {
        free(blocks[--taken]);
    }
}

enum { SMALLEST = 24, LARGEST = 1016, STEP = 16, EACH = 7, TAKEN = ((LARGEST - SMALLEST) / STEP + 1) * EACH };

void **nightlatch_take_freed(void) {
    void **blocks = calloc(TAKEN, sizeof *blocks);
    size_t taken = 0;
    for (size_t count = SMALLEST; blocks != NULL && count <= LARGEST; count += STEP) {
        for (size_t each = 0; each < EACH; each++) {
            void *block = malloc(count);
            if (block != NULL) {
                nightlatch_zero(block, count);
            }
            blocks[taken++] = block;
        }
    }
    return blocks;
}

void nightlatch_give_back(void **blocks) {
    for (size_t index = 0; blocks != NULL && index < TAKEN; index++) {
        free(blocks[index]);
    }
    free(blocks);
}

void nightlatch_zero_freed(void) {
    // The sizes of glibc's blocks are 16 bytes apart, and each size is 8 bytes less than a multiple of 16. Other
    // allocators have fewer sizes, which are among these. Large blocks come first: an allocator joins adjacent free
    // blocks, and would cut small blocks from the joined ones.
    for (size_t count = 8192; count >= 2048; count /= 2) {
        zero_freed(count);
    }
    for (size_t count = LARGEST; count >= SMALLEST; count -= STEP) {
        zero_freed(count);
    }
}
