/* SQLite's memory, taken from one arena for each simulated world and given back all at once.
 *
 * A killed process closes nothing: its connections would stay in the heap for ever. Here all that SQLite
 * allocates between two worlds is forgotten when the next one begins, whoever held it. For processes in
 * which one thread alone uses SQLite, and only for simulated phones: workers. */
#ifndef ONEBAR_SQLITE_HEAP_H
#define ONEBAR_SQLITE_HEAP_H

#include <stddef.h>
#include <stdint.h>

/* Puts the arena under SQLite and switches its locks off; to be called before SQLite is used at all.
 *
 * Returns 1 when that was done. Returns 0, and changes nothing, where SQLite runs already, or where its
 * own allocator answers other sizes than this one: figures of memory would differ. */
int onebar_sqlite_heap_install(void);

/* Forgets all that was allocated since the last call; does nothing when the arena is not installed.
 *
 * What was allocated before the first call is SQLite's own and stays. */
void onebar_sqlite_heap_begin_world(void);

/* Counts the worlds begun so far: what was made in an earlier one is gone. */
extern uint64_t onebar_sqlite_heap_world;
static inline uint64_t onebar_sqlite_heap_current_world(void) { return onebar_sqlite_heap_world; }

/* Bytes that the arena has taken from the system. */
size_t onebar_sqlite_heap_reserved(void);

#endif
