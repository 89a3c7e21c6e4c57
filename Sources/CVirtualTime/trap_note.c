/* Tells the virtual time of a trap on stderr, then lets the trap take its course. */
#define _GNU_SOURCE
#include "virtual_time.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { CAPACITY = 200 };

static const int signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
enum { COUNT = sizeof signals / sizeof signals[0] };

static struct sigaction before[COUNT];
static int installed;
static char note[CAPACITY];
static volatile sig_atomic_t note_length;

/* Only calls that POSIX lists as safe in a handler (2.4.3): write, sigaction, raise. */
static void trapped(int number, siginfo_t *info, void *context) {
    (void)context;
    onebar_world_state *state = onebar_hosted;
    int length = (int)note_length;
    if (state && length > 0) {
        char text[CAPACITY + 64] = "onebar: trap at ";
        size_t end = strlen(text);
        char digits[20];
        int count = 0;
        uint64_t rest = state->now_ns > 0 ? (uint64_t)state->now_ns : 0;
        do {
            digits[count++] = (char)('0' + rest % 10);
            rest /= 10;
        } while (rest > 0);
        while (count > 0) text[end++] = digits[--count];
        memcpy(text + end, " ns, ", 5);
        end += 5;
        memcpy(text + end, note, (size_t)length);
        end += (size_t)length;
        text[end++] = '\n';
        ssize_t written = write(STDERR_FILENO, text, end);
        (void)written;
    }
    for (int index = 0; index < COUNT; index++) {
        if (signals[index] == number) sigaction(number, &before[index], NULL);
    }
    /* A faulting instruction runs again on return; a signal that was sent has to be sent again. */
    if (!info || info->si_code <= 0) raise(number);
}

void onebar_note_trap(const char *text) {
    note_length = 0;
    if (!text) return;
    size_t length = strnlen(text, CAPACITY);
    memcpy(note, text, length);
    if (!installed) {
        installed = 1;
        struct sigaction action;
        memset(&action, 0, sizeof action);
        sigemptyset(&action.sa_mask);
        action.sa_sigaction = trapped;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        for (int index = 0; index < COUNT; index++) sigaction(signals[index], &action, &before[index]);
    }
    note_length = (sig_atomic_t)length;
}
