// Shows where tests hang. When a time limit is over, the runner sends SIGQUIT, on which Swift's runtime prints the stack of each
// thread and ends the process. It follows frame pointers, which not every library between a waiting test and the system keeps:
// XCTest's waiters do not. Here the thread that has the signal is shown to it from the first frame of the test program on,
// which is found by the tables that exceptions are unwound by.
//
// Before that the observer gets a moment to write down what the test waits for.
#define _GNU_SOURCE
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>
#include <ucontext.h>
#include <unwind.h>

#include "preload.h"

typedef struct {
    uintptr_t instruction, stack, frame;
    int depth;
} place;

enum { DEEPEST = 1000, MOST_PAUSES = 100 };

static struct sigaction runtime;
static uintptr_t code, code_end;
static sem_t asked, answered;
static void (*ask)(void);

static void *answer(void *context) {
    (void)context;
    while (sem_wait(&asked) != 0) {}
    ask();
    sem_post(&answered);
    return NULL;
}

// One second at most: what the observer needs may be held by the thread that hangs.
static void let_answer(void) {
    const struct timespec pause = {0, 10 * 1000 * 1000};
    if (ask == NULL || sem_post(&asked) != 0) return;
    for (int count = 0; count < MOST_PAUSES && sem_trywait(&answered) != 0; count++) nanosleep(&pause, NULL);
}

static _Unwind_Reason_Code look_at_frame(struct _Unwind_Context *context, void *result) {
#if defined(__x86_64__)
    enum { FRAME_POINTER = 6 };
#else
    enum { FRAME_POINTER = 29 };
#endif
    place *found = result;
    uintptr_t instruction = _Unwind_GetIP(context);
    if (instruction < code || instruction >= code_end)
        return ++found->depth < DEEPEST ? _URC_NO_REASON : _URC_NORMAL_STOP;
    found->instruction = instruction;
    found->stack = _Unwind_GetCFA(context);
    found->frame = _Unwind_GetGR(context, FRAME_POINTER);
    return _URC_NORMAL_STOP;
}

static void show(int number, siginfo_t *information, void *context) {
    let_answer();
    place found = {0};
    _Unwind_Backtrace(look_at_frame, &found);
    mcontext_t *registers = &((ucontext_t *)context)->uc_mcontext;
    mcontext_t before = *registers;
    if (found.instruction != 0) {
#if defined(__x86_64__)
        registers->gregs[REG_RIP] = (greg_t)found.instruction;
        registers->gregs[REG_RSP] = (greg_t)found.stack;
        registers->gregs[REG_RBP] = (greg_t)found.frame;
#else
        registers->pc = found.instruction;
        registers->sp = found.stack;
        registers->regs[29] = found.frame;
#endif
    }
    runtime.sa_sigaction(number, information, context);
    // The thread goes on until it is asked to end.
    *registers = before;
}

static int find_code(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size, (void)context;
    for (int index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[index];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
        code = info->dlpi_addr + segment->p_vaddr;
        code_end = code + segment->p_memsz;
    }
    // The program itself comes first.
    return 1;
}

void kanmon_show_places(void (*observer)(void)) {
#if defined(__x86_64__) || defined(__aarch64__)
    // A runtime that prints no stacks is left alone.
    if (sigaction(SIGQUIT, NULL, &runtime) != 0 || !(runtime.sa_flags & SA_SIGINFO)) return;
    dl_iterate_phdr(find_code, NULL);
    struct sigaction own = runtime;
    own.sa_sigaction = show;
    if (observer != NULL && sem_init(&asked, 0, 0) == 0 && sem_init(&answered, 0, 0) == 0) {
        // The signals of the process are for threads of its own.
        sigset_t every, before;
        pthread_t thread;
        sigfillset(&every);
        pthread_sigmask(SIG_SETMASK, &every, &before);
        if (pthread_create(&thread, NULL, answer, NULL) == 0) {
            pthread_detach(thread);
            ask = observer;
        }
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    sigaction(SIGQUIT, &own, NULL);
#else
    (void)observer;
#endif
}
