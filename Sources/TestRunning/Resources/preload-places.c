// Shows where tests hang. When a time limit is over, the runner sends SIGQUIT, on which Swift's runtime prints the stack of each
// thread and ends the process. It follows frame pointers, which not every library between a waiting test and the system keeps:
// XCTest's waiters and the C library do not. Here each thread is shown to it from its first frame of the test program on, which
// is found by the tables that exceptions are unwound by: the thread that has the signal by its registers, and the others, which
// the runtime stops where they are, by waiting with that frame behind them.
//
// Before that the observer gets a moment to write down what the test waits for.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include "preload.h"

typedef struct {
    uintptr_t instruction, stack, frame;
    int depth;
} place;

enum { DEEPEST = 1000, MOST_PAUSES = 100 };

static struct sigaction runtime;
// The code of the test program; and that of its library, where it is a runner with the tests in a library beside it.
static struct { uintptr_t start, end; } code[2];
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
    int is_own = 0;
    for (int index = 0; index < 2; index++) is_own |= instruction >= code[index].start && instruction < code[index].end;
    if (!is_own)
        return ++found->depth < DEEPEST ? _URC_NO_REASON : _URC_NORMAL_STOP;
    found->instruction = instruction;
    found->stack = _Unwind_GetCFA(context);
    found->frame = _Unwind_GetGR(context, FRAME_POINTER);
    return _URC_NORMAL_STOP;
}

// Whether the other threads wait, and how many of them have looked where they are.
static atomic_int is_holding, looked;

// Waits until the stacks were printed, and keeps a frame pointer to `frame` meanwhile.
static void wait_before(const uintptr_t *frame) {
    const struct timespec pause = {0, 50 * 1000 * 1000};
    while (atomic_load(&is_holding)) {
#if defined(__x86_64__)
        long result = SYS_nanosleep;
        __asm__ volatile("movq %%rbp, %%r12\n\tmovq %[frame], %%rbp\n\tsyscall\n\tmovq %%r12, %%rbp"
                         : "+a"(result)
                         : "D"(&pause), "S"(0), [frame] "r"(frame)
                         : "rcx", "r11", "r12", "memory");
#elif defined(__aarch64__)
        register long number __asm__("x8") = SYS_nanosleep;
        register const void *first __asm__("x0") = &pause;
        register const void *second __asm__("x1") = NULL;
        __asm__ volatile("mov x19, x29\n\tmov x29, %[frame]\n\tsvc #0\n\tmov x29, x19"
                         : "+r"(first)
                         : "r"(number), "r"(second), [frame] "r"(frame)
                         : "x19", "memory", "cc");
#endif
    }
}

// On each other thread. Where the runtime stops it again, it has the frame of the test program right behind this one.
static void hold(int number, siginfo_t *information, void *context) {
    (void)number, (void)information, (void)context;
    int before = errno;
    place found = {0};
    _Unwind_Backtrace(look_at_frame, &found);
    _Alignas(16) const uintptr_t frame[2] = {found.frame, found.instruction};
    atomic_fetch_add(&looked, 1);
    if (found.instruction != 0) wait_before(frame);
    errno = before;
}

// Sends a signal to every other thread, without memory from the heap, which a thread that hangs may hold.
static int signal_others(int number) {
    struct entry {
        uint64_t inode;
        int64_t next;
        unsigned short length;
        unsigned char type;
        char name[];
    };
    _Alignas(16) char entries[4096];
    int folder = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC), count = 0;
    long own = syscall(SYS_gettid), length;
    if (folder < 0) return 0;
    while ((length = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0) {
        for (long offset = 0; offset < length;) {
            const struct entry *entry = (const struct entry *)(entries + offset);
            offset += entry->length;
            long thread = strtol(entry->name, NULL, 10);
            if (thread > 0 && thread != own && syscall(SYS_tgkill, getpid(), thread, number) == 0) count++;
        }
    }
    close(folder);
    return count;
}

// SIGPROF is the signal that the threads of Dispatch do not block; the runtime stops threads with it, too. One second at most:
// one may block it nevertheless.
static int hold_others(struct sigaction *before) {
    const struct timespec pause = {0, 10 * 1000 * 1000};
    struct sigaction own = {0};
    own.sa_sigaction = hold;
    own.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
    atomic_store(&looked, 0);
    atomic_store(&is_holding, 1);
    if (sigaction(SIGPROF, &own, before) != 0) return 0;
    int asked = signal_others(SIGPROF);
    for (int count = 0; count < MOST_PAUSES && atomic_load(&looked) < asked; count++) nanosleep(&pause, NULL);
    // The last one has looked, and is about to wait.
    nanosleep(&pause, NULL);
    return 1;
}

static void show(int number, siginfo_t *information, void *context) {
    struct sigaction before_holding;
    let_answer();
    int are_held = hold_others(&before_holding);
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
    atomic_store(&is_holding, 0);
    if (are_held) sigaction(SIGPROF, &before_holding, NULL);
    // The thread goes on until it is asked to end.
    *registers = before;
}

static int find_code(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    const char *library = context, *name = strrchr(info->dlpi_name, '/');
    // The program itself has no name.
    int which = info->dlpi_name[0] == 0 && code[0].end == 0 ? 0 : name != NULL && strcmp(name + 1, library) == 0 ? 1 : -1;
    if (which < 0) return 0;
    for (int index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[index];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
        code[which].start = info->dlpi_addr + segment->p_vaddr;
        code[which].end = code[which].start + segment->p_memsz;
    }
    return 0;
}

void kanmon_show_places(void (*observer)(void)) {
#if defined(__x86_64__) || defined(__aarch64__)
    // A runtime that prints no stacks is left alone.
    if (sigaction(SIGQUIT, NULL, &runtime) != 0 || !(runtime.sa_flags & SA_SIGINFO)) return;
    char library[256];
    kanmon_library_of_runner(library, sizeof library);
    dl_iterate_phdr(find_code, library);
    struct sigaction own = runtime;
    own.sa_sigaction = show;
    if (observer != NULL && sem_init(&asked, 0, 0) == 0 && sem_init(&answered, 0, 0) == 0) {
        // The signals of the process are for threads of its own, but for the one that threads are held with.
        sigset_t every, before;
        pthread_t thread;
        sigfillset(&every);
        sigdelset(&every, SIGPROF);
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
