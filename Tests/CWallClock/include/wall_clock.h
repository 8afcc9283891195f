#ifndef NIGHTLATCH_TESTS_WALL_CLOCK_H
#define NIGHTLATCH_TESTS_WALL_CLOCK_H

#include <stdint.h>

/// Shifts the wall clock of this process, as all of its libraries read it, and counts their readings from zero. On systems other
/// than Linux it does nothing.
void wall_clock_shift(int64_t seconds);

/// How often the wall clock was read since it was shifted.
uint64_t wall_clock_readings(void);

#endif
