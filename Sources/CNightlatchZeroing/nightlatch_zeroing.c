#include "nightlatch_zeroing.h"

void nightlatch_zero(void *memory, size_t count) {
    volatile unsigned char *byte = memory;
    while (count--) {
        *byte++ = 0;
    }
}
