/* Virtual clock and entropy for a thread that hosts a simulated world, and the ledger of its tasks.
 *
 * A thread hosts a world by pointing `onebar_hosted` at that world's state. On every other thread all calls
 * pass through to the system, so ordinary code beside a simulation is not disturbed. */
#ifndef ONEBAR_VIRTUAL_TIME_H
#define ONEBAR_VIRTUAL_TIME_H

#include <stdint.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One keyed stream of random bytes: byte block n is a function of key and n alone. */
typedef struct onebar_entropy {
    uint64_t key;
    uint64_t counter;
} onebar_entropy;

typedef struct onebar_world_state {
    /* The instant of the event that is being handled, nanoseconds since the world began. */
    int64_t instant_ns;
    /* instant_ns plus the lag of the running lane: what every clock reads. */
    int64_t now_ns;
    /* CLOCK_REALTIME at now_ns = 0, nanoseconds since 1970; moves when the wall clock jumps. */
    int64_t wall_base_ns;
    /* CLOCK_BOOTTIME and CLOCK_MONOTONIC at now_ns = 0. */
    int64_t boot_base_ns;
    /* Time during which the suspending clock (CLOCK_MONOTONIC) stood still. */
    int64_t suspended_ns;
    /* The stream of whoever runs now. */
    onebar_entropy *entropy;
    /* The Simulation, unretained. */
    void *world;
    /* Called with the world and nanoseconds when code sleeps for real. */
    void (*on_sleep)(void *world, int64_t nanoseconds);
    /* Called with the world and a ticket when a task is cancelled that asked for it. */
    void (*on_cancel)(void *world, uint64_t ticket);
    /* Whether clocks and entropy are virtual; 0 in portable mode. */
    int32_t shims_on;
    uint64_t clock_reads;
    uint64_t entropy_draws;
    uint64_t real_sleeps;
} onebar_world_state;

extern _Thread_local onebar_world_state *onebar_hosted;

static inline onebar_world_state *onebar_hosted_state(void) { return onebar_hosted; }
static inline void onebar_host_state(onebar_world_state *state) { onebar_hosted = state; }


/* Asks for a cache line that is needed soon. */
static inline void onebar_prefetch(const void *address) { __builtin_prefetch(address, 1); }

/* Asks for huge pages under a large array that is read at random; does nothing where there are none. */
void onebar_advise_huge(void *address, size_t bytes);

/* The real monotonic clock, whatever the thread hosts. */
int64_t onebar_real_nanoseconds(void);

/* Which registration a task belongs to; 0 for tasks that no world knows. Safe from any thread. */
void onebar_task_owner_store(uint64_t task, uint32_t registration);
uint32_t onebar_task_owner(uint64_t task);

/* Asks that `on_cancel` of the world that hosts the thread be called with `ticket` when the running task is
 * cancelled, or now if it is. What the runtime's own withTaskCancellationHandler is made of; the last one
 * added must be forgotten first. */
void *onebar_add_cancellation(uint64_t ticket);
void onebar_forget_cancellation(void *record);

/* Reads words of this process without the risk of a fault; returns how many could be read. */
size_t onebar_read_words(uintptr_t address, uintptr_t *words, size_t count);

/* The name of the calling thread, for reports; at most 15 bytes and a zero. */
void onebar_thread_name(char name[16]);

/* From now on a trap on a thread that hosts a world is told on stderr with its virtual time and `text`;
 * NULL ends it. Handlers that were there before run afterwards. */
void onebar_note_trap(const char *text);

/* Whether the shims are compiled in: 1 on Linux. */
int onebar_has_shims(void);

#ifdef __cplusplus
}
#endif

#endif
