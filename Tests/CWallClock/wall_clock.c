#define _GNU_SOURCE
#include "wall_clock.h"

#include <stdatomic.h>

static _Atomic int64_t shift;
static _Atomic uint64_t readings;

void wall_clock_shift(int64_t seconds) {
    shift = seconds;
    readings = 0;
}

uint64_t wall_clock_readings(void) { return readings; }

#if defined(__linux__)
#include <dlfcn.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// A program's own functions come before those of its libraries, so all of them call these. The tests are linked with them too, where
// nothing is ever shifted.

// The threads that all tasks share look at the wall clock to know for how long they have had nothing to do.
static int is_idle_thread(const void *caller) {
    Dl_info info;
    return dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "libdispatch");
}

static int read_clock(clockid_t clock, struct timespec *time, const void *caller) {
    long status = syscall(SYS_clock_gettime, clock, time);
    if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI)) {
        time->tv_sec += shift;
        if (!is_idle_thread(caller)) {
            readings++;
        }
    }
    return (int)status;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    return read_clock(clock, time, __builtin_return_address(0));
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    (void)zone;
    struct timespec precise;
    int status = read_clock(CLOCK_REALTIME, &precise, __builtin_return_address(0));
    time->tv_sec = precise.tv_sec;
    time->tv_usec = precise.tv_nsec / 1000;
    return status;
}

time_t time(time_t *result) {
    struct timespec precise;
    read_clock(CLOCK_REALTIME, &precise, __builtin_return_address(0));
    if (result) {
        *result = precise.tv_sec;
    }
    return precise.tv_sec;
}
#endif
