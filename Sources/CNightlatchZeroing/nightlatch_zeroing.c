#include "nightlatch_zeroing.h"

#include <string.h>

void nightlatch_zero(void *memory, size_t count) {
    memset(memory, 0, count);
    // Might read the memory, as far as the compiler knows.
    __asm__ __volatile__("" : : "r"(memory) : "memory");
}

__attribute__((noinline)) void nightlatch_zero_stack(void) {
    unsigned char below[NIGHTLATCH_ZEROED_STACK_BYTE_COUNT];
    nightlatch_zero(below, sizeof below);
}
