/* Cancellation handlers without a closure: a ticket stands for the sleeper. */
#include "virtual_time.h"

#define SWIFT_CALL __attribute__((swiftcall))
#define SWIFT_CONTEXT __attribute__((swift_context))

/* Exported by the Swift runtime since 5.5. */
extern SWIFT_CALL void *swift_task_addCancellationHandler(SWIFT_CALL void (*handler)(SWIFT_CONTEXT void *),
                                                          void *context);
extern SWIFT_CALL void swift_task_removeCancellationHandler(void *record);

static SWIFT_CALL void cancelled(SWIFT_CONTEXT void *context) {
    onebar_world_state *state = onebar_hosted;
    if (state && state->on_cancel) state->on_cancel(state->world, (uint64_t)(uintptr_t)context);
}

void *onebar_add_cancellation(uint64_t ticket) {
    return swift_task_addCancellationHandler(cancelled, (void *)(uintptr_t)ticket);
}

void onebar_forget_cancellation(void *record) { swift_task_removeCancellationHandler(record); }
