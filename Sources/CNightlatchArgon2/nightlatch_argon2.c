// An app's debug build compiles its dependencies, and so this file, without optimisation. The code is fast there too:
// it uses vectors of two words, which every processor that runs Swift has, and each step is a single expression of
// vectors. Without optimisation, the compiler stores variables in memory, but keeps the values inside an expression in
// registers. So a step costs about three loads, its own instructions and a store. Functions would double this cost,
// also inline functions and most intrinsics. Therefore the steps are macros.

#include "nightlatch_argon2.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "RFC 9106 has the least significant byte of a word first, and this file uses the words as the processor has them."
#endif

typedef uint64_t Pair __attribute__((vector_size(16), may_alias));
typedef uint32_t HalfWords __attribute__((vector_size(16)));
typedef uint16_t QuarterWords __attribute__((vector_size(16)));

// x + y + 2 · low(x) · low(y), where `low` is the lower half of a word.
#define SUM_AND_PRODUCT(x, y) ({ \
    Pair product = ((x) & 0xFFFFFFFF) * ((y) & 0xFFFFFFFF); \
    (x) + (y) + product + product; \
})

// Rotations of each word to the right.
#define ROTATE_32(x) ((Pair)__builtin_shufflevector((HalfWords)(x), (HalfWords)(x), 1, 0, 3, 2))
#define ROTATE_16(x) ((Pair)__builtin_shufflevector((QuarterWords)(x), (QuarterWords)(x), 1, 2, 3, 0, 5, 6, 7, 4))
#define ROTATE_24(x) ({ Pair word = (x); (word >> 24) | (word << 40); })
#define ROTATE_63(x) ({ Pair word = (x); (word >> 63) | (word + word); })

// Two permutations run at the same time, because each step of a permutation waits for the step before it. Each
// permutation has two pairs in each of `a`, `b`, `c` and `d`: the first at the indices 0 and 1, the second at 2 and 3.
// The indices are constants, also without optimisation.
#define EACH(step) step(0) step(1) step(2) step(3)

// The function `GB` on all columns at once.
#define SUM_A(i) a[i] = SUM_AND_PRODUCT(a[i], b[i]);
#define SUM_C(i) c[i] = SUM_AND_PRODUCT(c[i], d[i]);
#define TURN_D_BY_32(i) d[i] = ROTATE_32(d[i] ^ a[i]);
#define TURN_D_BY_16(i) d[i] = ROTATE_16(d[i] ^ a[i]);
#define TURN_B_BY_24(i) b[i] = ROTATE_24(b[i] ^ c[i]);
#define TURN_B_BY_63(i) b[i] = ROTATE_63(b[i] ^ c[i]);
#define MIX_COLUMNS \
    EACH(SUM_A) EACH(TURN_D_BY_32) EACH(SUM_C) EACH(TURN_B_BY_24) \
    EACH(SUM_A) EACH(TURN_D_BY_16) EACH(SUM_C) EACH(TURN_B_BY_63)

// The higher word of one pair and the lower word of the next pair.
#define BETWEEN(x, y) __builtin_shufflevector(x, y, 1, 2)
#define SWAP(x, y) { Pair former = x; x = y; y = former; }
#define SHIFT_LEFT(x, y) { Pair former = x; x = BETWEEN(x, y); y = BETWEEN(y, former); }
#define SHIFT_RIGHT(x, y) { Pair former = x; x = BETWEEN(y, x); y = BETWEEN(former, y); }

#define DIAGONALS_TO_COLUMNS(i, j) SHIFT_LEFT(b[i], b[j]) SWAP(c[i], c[j]) SHIFT_RIGHT(d[i], d[j])
#define COLUMNS_TO_DIAGONALS(i, j) SHIFT_RIGHT(b[i], b[j]) SWAP(c[i], c[j]) SHIFT_LEFT(d[i], d[j])

// The permutation `P` of sixteen words (section 3.6): a round of BLAKE2b with products mixed into its sums.
#define PERMUTE_TWO \
    MIX_COLUMNS DIAGONALS_TO_COLUMNS(0, 1) DIAGONALS_TO_COLUMNS(2, 3) \
    MIX_COLUMNS COLUMNS_TO_DIAGONALS(0, 1) COLUMNS_TO_DIAGONALS(2, 3)

// The position of pair `i` of `a` in two rows. The pairs of `b`, `c` and `d` are at the next positions, each two pairs
// after the one before. Then the same in two columns, each one pair wide. There the pairs of `b`, `c` and `d` are each
// two rows after the one before, and a row has eight pairs.
#define IN_ROWS(i) (8 * ((i) / 2) + (i) % 2)
#define IN_COLUMNS(i) ((i) / 2 + 8 * ((i) % 2))

#define ADD_BLOCKS(i) \
    a[i] = x[IN_ROWS(i)] ^ y[IN_ROWS(i)]; \
    b[i] = x[IN_ROWS(i) + 2] ^ y[IN_ROWS(i) + 2]; \
    c[i] = x[IN_ROWS(i) + 4] ^ y[IN_ROWS(i) + 4]; \
    d[i] = x[IN_ROWS(i) + 6] ^ y[IN_ROWS(i) + 6];
#define STORE_ROWS(place, operator, i) \
    place[IN_ROWS(i)] operator a[i]; \
    place[IN_ROWS(i) + 2] operator b[i]; \
    place[IN_ROWS(i) + 4] operator c[i]; \
    place[IN_ROWS(i) + 6] operator d[i];
#define STORE_SUM(i) STORE_ROWS(out, =, i)
#define ADD_SUM(i) STORE_ROWS(out, ^=, i)
#define STORE_PERMUTED(i) STORE_ROWS(row, =, i)
#define LOAD_COLUMNS(i) \
    a[i] = column[IN_COLUMNS(i)]; \
    b[i] = column[IN_COLUMNS(i) + 16]; \
    c[i] = column[IN_COLUMNS(i) + 32]; \
    d[i] = column[IN_COLUMNS(i) + 48];
#define ADD_PERMUTED(i) \
    out[IN_COLUMNS(i)] ^= a[i]; \
    out[IN_COLUMNS(i) + 16] ^= b[i]; \
    out[IN_COLUMNS(i) + 32] ^= c[i]; \
    out[IN_COLUMNS(i) + 48] ^= d[i];

void nightlatch_argon2_compress(
    const uint64_t *previous, const uint64_t *reference, uint64_t *target, bool adding, uint64_t *working) {
    const Pair *x = (const Pair *)previous;
    const Pair *y = (const Pair *)reference;
    Pair *out = (Pair *)target;
    Pair a[4], b[4], c[4], d[4];
    for (Pair *row = (Pair *)working, *end = row + 64; row < end; row += 16, x += 16, y += 16, out += 16) {
        EACH(ADD_BLOCKS)
        // The result also contains the sum of the two blocks.
        if (adding) {
            EACH(ADD_SUM)
        } else {
            EACH(STORE_SUM)
        }
        PERMUTE_TWO
        EACH(STORE_PERMUTED)
    }
    out = (Pair *)target;
    for (Pair *column = (Pair *)working, *end = column + 8; column < end; column += 2, out += 2) {
        EACH(LOAD_COLUMNS)
        PERMUTE_TWO
        EACH(ADD_PERMUTED)
    }
}
