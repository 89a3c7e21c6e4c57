/* A two-level table from task id to registration: ids are dense and never reused. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "virtual_time.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

void onebar_advise_huge(void *address, size_t bytes) {
#if defined(__linux__)
    const uintptr_t page = 2u << 20;
    uintptr_t first = ((uintptr_t)address + page - 1) & ~(page - 1);
    uintptr_t last = ((uintptr_t)address + bytes) & ~(page - 1);
    if (last > first) madvise((void *)first, last - first, MADV_HUGEPAGE);
#else
    (void)address;
    (void)bytes;
#endif
}

void onebar_thread_name(char name[16]) {
    memset(name, 0, 16);
    if (pthread_getname_np(pthread_self(), name, 16) != 0) name[0] = 0;
}

_Thread_local onebar_world_state *onebar_hosted = NULL;

#define PAGE_BITS 12
#define PAGE_SIZE (1u << PAGE_BITS)
#define TOP_SIZE (1u << 20)

static uint32_t *pages[TOP_SIZE];

void onebar_task_owner_store(uint64_t task, uint32_t registration) {
    uint64_t top = task >> PAGE_BITS;
    if (task == 0 || top >= TOP_SIZE) return;
    uint32_t *page = __atomic_load_n(&pages[top], __ATOMIC_ACQUIRE);
    if (!page) {
        uint32_t *fresh = calloc(PAGE_SIZE, sizeof *fresh);
        if (!fresh) abort();
        if (__atomic_compare_exchange_n(&pages[top], &page, fresh, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
            page = fresh;
        } else {
            free(fresh);
        }
    }
    __atomic_store_n(&page[task & (PAGE_SIZE - 1)], registration, __ATOMIC_RELAXED);
}

uint32_t onebar_task_owner(uint64_t task) {
    uint64_t top = task >> PAGE_BITS;
    if (task == 0 || top >= TOP_SIZE) return 0;
    uint32_t *page = __atomic_load_n(&pages[top], __ATOMIC_ACQUIRE);
    return page ? __atomic_load_n(&page[task & (PAGE_SIZE - 1)], __ATOMIC_RELAXED) : 0;
}
