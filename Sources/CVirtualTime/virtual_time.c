/* Interposes the calls by which code on Linux reads clocks, draws entropy and sleeps.
 *
 * The linker exports these symbols from the executable because the C library's users among the shared objects
 * refer to them, so Foundation and the Swift runtime resolve to the ones here. Each asks whether the calling
 * thread hosts a world; if not, it passes the call on. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "virtual_time.h"

#if defined(__linux__)

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define BILLION 1000000000LL
#define EXPORTED __attribute__((visibility("default"), used))

int onebar_has_shims(void) { return 1; }

static long raw_syscall(long number, long a, long b, long c, long d, long e, long f) {
#if defined(__x86_64__)
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc #0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return x0;
#else
#error "the virtual clock knows x86_64 and aarch64"
#endif
}

static long checked(long result) {
    if (result < 0 && result > -4096) {
        errno = (int)-result;
        return -1;
    }
    return result;
}

/* The next definition of each symbol: the C library's. Found before main, used on threads without a world. */
static int (*next_clock_gettime)(clockid_t, struct timespec *);
static int (*next_gettimeofday)(struct timeval *, void *);
static time_t (*next_time)(time_t *);

__attribute__((constructor)) static void find_next(void) {
    next_clock_gettime = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    next_gettimeofday = (int (*)(struct timeval *, void *))dlsym(RTLD_NEXT, "gettimeofday");
    next_time = (time_t(*)(time_t *))dlsym(RTLD_NEXT, "time");
}

/* The state if this thread's clocks and entropy are virtual. */
static onebar_world_state *simulated(void) {
    onebar_world_state *state = onebar_hosted;
    return state && state->shims_on ? state : NULL;
}

/* In portable mode a world's code gets what the system has; that it asked is counted all the same. */
static void count_clock_read(void) {
    if (onebar_hosted) onebar_hosted->clock_reads++;
}

static void count_entropy_draw(void) {
    if (onebar_hosted) onebar_hosted->entropy_draws++;
}

/* ---- clocks ---- */

static int real_clock_gettime(clockid_t clock, struct timespec *when) {
    if (next_clock_gettime) return next_clock_gettime(clock, when);
    return (int)checked(raw_syscall(SYS_clock_gettime, clock, (long)when, 0, 0, 0, 0));
}

static int64_t virtual_clock(onebar_world_state *state, clockid_t clock) {
    state->clock_reads++;
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
#ifdef CLOCK_TAI
    case CLOCK_TAI:
#endif
        return state->wall_base_ns + state->now_ns;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
        return state->boot_base_ns + state->now_ns - state->suspended_ns;
    default:
        return state->boot_base_ns + state->now_ns;
    }
}

EXPORTED int clock_gettime(clockid_t clock, struct timespec *when) {
    onebar_world_state *state = simulated();
    if (!state) {
        count_clock_read();
        return real_clock_gettime(clock, when);
    }
    int64_t reading = virtual_clock(state, clock);
    when->tv_sec = reading / BILLION;
    when->tv_nsec = reading % BILLION;
    return 0;
}

EXPORTED int gettimeofday(struct timeval *restrict when, void *restrict zone) {
    onebar_world_state *state = simulated();
    if (!state) count_clock_read();
    if (!state && next_gettimeofday) return next_gettimeofday(when, zone);
    if (!state) return (int)checked(raw_syscall(SYS_gettimeofday, (long)when, (long)zone, 0, 0, 0, 0));
    int64_t reading = virtual_clock(state, CLOCK_REALTIME);
    when->tv_sec = reading / BILLION;
    when->tv_usec = reading % BILLION / 1000;
    return 0;
}

EXPORTED time_t time(time_t *when) {
    onebar_world_state *state = simulated();
    time_t seconds;
    if (!state) count_clock_read();
    if (state) {
        seconds = virtual_clock(state, CLOCK_REALTIME) / BILLION;
    } else if (next_time) {
        seconds = next_time(NULL);
    } else {
        struct timespec now;
        real_clock_gettime(CLOCK_REALTIME, &now);
        seconds = now.tv_sec;
    }
    if (when) *when = seconds;
    return seconds;
}

int64_t onebar_real_nanoseconds(void) {
    struct timespec now;
    real_clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * BILLION + now.tv_nsec;
}

/* ---- sleeps: code that blocks its thread in a world loses simulated time, not real time ---- */

static int sleep_virtually(onebar_world_state *state, int64_t nanoseconds) {
    state->real_sleeps++;
    if (state->on_sleep && nanoseconds > 0) state->on_sleep(state->world, nanoseconds);
    return 0;
}

EXPORTED int nanosleep(const struct timespec *span, struct timespec *rest) {
    onebar_world_state *state = simulated();
    if (state) return sleep_virtually(state, span->tv_sec * BILLION + span->tv_nsec);
    return (int)checked(raw_syscall(SYS_nanosleep, (long)span, (long)rest, 0, 0, 0, 0));
}

EXPORTED int clock_nanosleep(clockid_t clock, int flags, const struct timespec *span, struct timespec *rest) {
    onebar_world_state *state = simulated();
    if (!state) return (int)-raw_syscall(SYS_clock_nanosleep, clock, flags, (long)span, (long)rest, 0, 0);
    int64_t nanoseconds = span->tv_sec * BILLION + span->tv_nsec;
    if (flags & TIMER_ABSTIME) nanoseconds -= virtual_clock(state, clock);
    return sleep_virtually(state, nanoseconds);
}

EXPORTED int usleep(useconds_t microseconds) {
    struct timespec span = {microseconds / 1000000, microseconds % 1000000 * 1000L};
    return nanosleep(&span, NULL);
}

EXPORTED unsigned int sleep(unsigned int seconds) {
    struct timespec span = {seconds, 0};
    struct timespec rest = {0, 0};
    return nanosleep(&span, &rest) == 0 ? 0 : (unsigned int)rest.tv_sec;
}

/* ---- entropy ---- */

static uint64_t mixed(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

static void fill(onebar_world_state *state, unsigned char *bytes, size_t count) {
    state->entropy_draws++;
    onebar_entropy *stream = state->entropy;
    size_t done = 0;
    while (done < count) {
        uint64_t block = mixed(stream->key + ++stream->counter * 0x9E3779B97F4A7C15ULL);
        size_t part = count - done < sizeof block ? count - done : sizeof block;
        memcpy(bytes + done, &block, part);
        done += part;
    }
}

EXPORTED ssize_t getrandom(void *bytes, size_t count, unsigned int flags) {
    onebar_world_state *state = simulated();
    if (!state) {
        count_entropy_draw();
        return checked(raw_syscall(SYS_getrandom, (long)bytes, (long)count, flags, 0, 0, 0));
    }
    fill(state, bytes, count);
    return (ssize_t)count;
}

EXPORTED int getentropy(void *bytes, size_t count) {
    if (count > 256) {
        errno = EIO;
        return -1;
    }
    unsigned char *cursor = bytes;
    while (count > 0) {
        ssize_t got = getrandom(cursor, count, 0);
        if (got < 0) {
            if (errno == EINTR) continue;
            return -1;
        }
        cursor += got;
        count -= (size_t)got;
    }
    return 0;
}

EXPORTED void arc4random_buf(void *bytes, size_t count) {
    unsigned char *cursor = bytes;
    while (count > 0) {
        size_t part = count < 256 ? count : 256;
        if (getentropy(cursor, part) != 0) abort();
        cursor += part;
        count -= part;
    }
}

EXPORTED uint32_t arc4random(void) {
    uint32_t value;
    arc4random_buf(&value, sizeof value);
    return value;
}

EXPORTED uint32_t arc4random_uniform(uint32_t bound) {
    if (bound < 2) return 0;
    uint32_t least = -bound % bound;
    for (;;) {
        uint32_t value = arc4random();
        if (value >= least) return value % bound;
    }
}

/* The Swift runtime draws by syscall(SYS_getrandom, ...). */
EXPORTED long syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
    long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
    va_end(list);
    if (number == SYS_getrandom) {
        onebar_world_state *state = simulated();
        if (state) {
            fill(state, (unsigned char *)a, (size_t)b);
            return b;
        }
        count_entropy_draw();
    }
    return checked(raw_syscall(number, a, b, c, d, e, f));
}

/* Foundation's UUID() opens /dev/urandom on every call; it gets a memory file with keyed bytes. */
static int entropy_file(const char *path) {
    onebar_world_state *state = simulated();
    if (!onebar_hosted || !path) return -1;
    if (strcmp(path, "/dev/urandom") != 0 && strcmp(path, "/dev/random") != 0) return -1;
    if (!state) {
        count_entropy_draw();
        return -1;
    }
    int file = (int)checked(raw_syscall(SYS_memfd_create, (long)"entropy", MFD_CLOEXEC, 0, 0, 0, 0));
    if (file < 0) return -1;
    unsigned char bytes[1024];
    fill(state, bytes, sizeof bytes);
    long written = raw_syscall(SYS_write, file, (long)bytes, sizeof bytes, 0, 0, 0);
    long sought = raw_syscall(SYS_lseek, file, 0, SEEK_SET, 0, 0, 0);
    if (written != (long)sizeof bytes || sought != 0) abort();
    return file;
}

static int real_open(int folder, const char *path, int flags, mode_t mode) {
    return (int)checked(raw_syscall(SYS_openat, folder, (long)path, flags, mode, 0, 0));
}

#define MODE_ARGUMENT(flags)                                                                                           \
    mode_t mode = 0;                                                                                                   \
    if (((flags) & O_CREAT) || ((flags) & O_TMPFILE) == O_TMPFILE) {                                                   \
        va_list list;                                                                                                  \
        va_start(list, flags);                                                                                         \
        mode = (mode_t)va_arg(list, int);                                                                              \
        va_end(list);                                                                                                  \
    }

EXPORTED int open(const char *path, int flags, ...) {
    MODE_ARGUMENT(flags)
    int file = entropy_file(path);
    return file >= 0 ? file : real_open(AT_FDCWD, path, flags, mode);
}

EXPORTED int open64(const char *path, int flags, ...) {
    MODE_ARGUMENT(flags)
    int file = entropy_file(path);
    return file >= 0 ? file : real_open(AT_FDCWD, path, flags, mode);
}

EXPORTED int openat(int folder, const char *path, int flags, ...) {
    MODE_ARGUMENT(flags)
    int file = entropy_file(path);
    return file >= 0 ? file : real_open(folder, path, flags, mode);
}

EXPORTED int openat64(int folder, const char *path, int flags, ...) {
    MODE_ARGUMENT(flags)
    int file = entropy_file(path);
    return file >= 0 ? file : real_open(folder, path, flags, mode);
}

/* ---- careful reading ---- */

size_t onebar_read_words(uintptr_t address, uintptr_t *words, size_t count) {
    struct iovec into = {words, count * sizeof *words};
    struct iovec from = {(void *)address, count * sizeof *words};
    long got = raw_syscall(SYS_process_vm_readv, raw_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0), (long)&into, 1,
                           (long)&from, 1, 0);
    return got < 0 ? 0 : (size_t)got / sizeof *words;
}

#else

#include <time.h>

int onebar_has_shims(void) { return 0; }

int64_t onebar_real_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000LL + now.tv_nsec;
}

size_t onebar_read_words(uintptr_t address, uintptr_t *words, size_t count) {
    (void)address;
    (void)words;
    (void)count;
    return 0;
}

#endif
