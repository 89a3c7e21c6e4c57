/* Free lists by size over chunks that are kept from world to world. */
#include "sqlite_heap.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

/* Ahead of each block: 8 bytes, which is the alignment that SQLite asks for. */
typedef struct header {
    /* The size asked for, rounded up to 8: what SQLite's own allocator answers. */
    uint32_t size;
    /* Which free list takes the block; OWN for one from the system. */
    uint32_t list;
} header;

/* A block that is free: the next of its list, where the user's bytes were. */
typedef struct block {
    header head;
    struct block *next;
} block;

/* A chunk of the arena; blocks follow. */
typedef struct chunk {
    struct chunk *next;
    size_t size;
} chunk;

enum {
    STEP = 16,
    /* Lists of blocks up to this many bytes go by STEP; beyond, four to each doubling. */
    SMALL = 1024,
    SMALL_LISTS = SMALL / STEP + 1,
    LISTS = SMALL_LISTS + 4 * 21,
    OWN = 0xFFFFFFFF,
    CHUNK = 1 << 20
};

uint64_t onebar_sqlite_heap_world;

static int installed;
static block *lists[LISTS];
static chunk *chunks;
static chunk *current;
static char *next_byte;
static char *last_byte;
static size_t reserved;

static inline size_t rounded(int size) { return ((size_t)size + 7) & ~(size_t)7; }

/* The list whose blocks hold `bytes`, and the size of those blocks. */
static inline uint32_t list_for(size_t bytes, size_t *block_size) {
    if (bytes <= SMALL) {
        uint32_t list = (uint32_t)((bytes + STEP - 1) / STEP);
        *block_size = (size_t)list * STEP;
        return list;
    }
    uint32_t list = SMALL_LISTS;
    for (size_t base = SMALL;; base *= 2) {
        for (size_t quarter = 1; quarter <= 4; quarter++, list++) {
            size_t size = base + base / 4 * quarter;
            if (bytes <= size) {
                *block_size = size;
                return list;
            }
        }
    }
}

static void enter(chunk *entered) {
    current = entered;
    next_byte = (char *)(entered + 1);
    last_byte = (char *)entered + entered->size;
}

static void *carve(size_t bytes) {
    while ((size_t)(last_byte - next_byte) < bytes) {
        chunk *following = current ? current->next : chunks;
        if (!following || following->size - sizeof(chunk) < bytes) {
            size_t size = bytes + sizeof(chunk) > CHUNK ? bytes + sizeof(chunk) : CHUNK;
            chunk *made = malloc(size);
            if (!made) return NULL;
            made->size = size;
            made->next = following;
            reserved += size;
            if (current) current->next = made; else chunks = made;
            following = made;
        }
        enter(following);
    }
    void *place = next_byte;
    next_byte += bytes;
    return place;
}

static void *heap_malloc(int size) {
    size_t wanted = rounded(size);
    header *head;
    if (onebar_sqlite_heap_world == 0) {
        head = malloc(sizeof(header) + wanted);
        if (!head) return NULL;
        head->list = OWN;
    } else {
        size_t bytes;
        uint32_t list = list_for(sizeof(header) + wanted, &bytes);
        block *kept = lists[list];
        if (kept) {
            lists[list] = kept->next;
            head = &kept->head;
        } else {
            head = carve(bytes);
            if (!head) return NULL;
            head->list = list;
        }
    }
    head->size = (uint32_t)wanted;
    return head + 1;
}

static void heap_free(void *place) {
    if (!place) return;
    header *head = (header *)place - 1;
    if (head->list == OWN) {
        free(head);
        return;
    }
    block *freed = (block *)head;
    freed->next = lists[head->list];
    lists[head->list] = freed;
}

static int heap_size(void *place) { return place ? (int)((header *)place - 1)->size : 0; }

static void *heap_realloc(void *place, int size) {
    header *head = (header *)place - 1;
    size_t wanted = rounded(size);
    if (head->list == OWN) {
        head = realloc(head, sizeof(header) + wanted);
        if (!head) return NULL;
        head->size = (uint32_t)wanted;
        return head + 1;
    }
    size_t bytes;
    if (list_for(sizeof(header) + wanted, &bytes) == head->list) {
        head->size = (uint32_t)wanted;
        return place;
    }
    void *moved = heap_malloc(size);
    if (!moved) return NULL;
    memcpy(moved, place, head->size < wanted ? head->size : wanted);
    heap_free(place);
    return moved;
}

static int heap_roundup(int size) { return (int)rounded(size); }
static int heap_init(void *context) { (void)context; return SQLITE_OK; }
static void heap_shutdown(void *context) { (void)context; }

/* Whether SQLite's own allocator answers the sizes that this one answers. */
static int sizes_agree(const sqlite3_mem_methods *own) {
    static const int sizes[] = {1, 8, 13, 100, 1000, 4360, 100000};
    for (size_t index = 0; index < sizeof sizes / sizeof sizes[0]; index++) {
        /* SQLite asks an allocator for rounded sizes only. */
        void *place = own->xMalloc(own->xRoundup(sizes[index]));
        if (!place) return 0;
        int agrees = (size_t)own->xSize(place) == rounded(sizes[index]);
        own->xFree(place);
        if (!agrees) return 0;
    }
    return 1;
}

int onebar_sqlite_heap_install(void) {
    if (installed) return 1;
    /* A cache shared by all connections would outlive a world. */
    if (sqlite3_compileoption_used("ENABLE_MEMORY_MANAGEMENT")) return 0;
    sqlite3_mem_methods own;
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &own) != SQLITE_OK) return 0;
    if (!own.xMalloc || own.xInit(own.pAppData) != SQLITE_OK || !sizes_agree(&own)) return 0;
    static const sqlite3_mem_methods methods = {
        heap_malloc, heap_free, heap_realloc, heap_size, heap_roundup, heap_init, heap_shutdown, NULL};
    if (sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) != SQLITE_OK) return 0;
    sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    if (sqlite3_initialize() != SQLITE_OK) return 0;
    installed = 1;
    return 1;
}

void onebar_sqlite_heap_begin_world(void) {
    if (!installed) return;
    onebar_sqlite_heap_world++;
    memset(lists, 0, sizeof lists);
    if (chunks) enter(chunks);
}

size_t onebar_sqlite_heap_reserved(void) { return reserved; }
