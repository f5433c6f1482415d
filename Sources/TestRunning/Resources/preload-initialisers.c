// Which initialisers of lazily initialised globals a test uses, and what they do.
//
// Such a global would belong to the test that happened to use it first. So `swift_once`, which every access to such a global
// calls, is interposed: what an initialiser does is kept by itself, and each test has a list of the initialisers that it used. A
// test executes what its counters say and what those initialisers did.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>

#include "preload-records.h"

enum { SLOTS = 1 << 16, MOST_INITIALISERS = SLOTS / 2, DEEPEST = 64 };

typedef struct {
    uintptr_t predicate;
    uint32_t number;
    // 1 + the test that used it last.
    uint32_t user;
} initialiser;

static initialiser initialisers[SLOTS];
static uint32_t initialiser_count, used[MOST_INITIALISERS], used_count;
static struct { uintptr_t start, end; } code[64];
static const image *images;
static size_t image_count;
static __thread __attribute__((tls_model("initial-exec"))) uint32_t depth, stack[DEEPEST];

static initialiser *slot_of(uintptr_t predicate) {
    size_t slot = (predicate >> 3) * 0x9E3779B97F4A7C15u >> 48;
    while (1) {
        uintptr_t there = __atomic_load_n(&initialisers[slot].predicate, __ATOMIC_ACQUIRE);
        if (there == predicate || there == 0) return &initialisers[slot];
        slot = (slot + 1) & (SLOTS - 1);
    }
}

// Notes that an initialiser is used; answers whether it is one of code that has counters.
static int note(uintptr_t predicate) {
    size_t index = 0;
    while (index < image_count && (predicate < code[index].start || predicate >= code[index].end)) index++;
    if (index == image_count) return 0;
    initialiser *it = slot_of(predicate);
    uint32_t user = __atomic_load_n(&boundaries, __ATOMIC_RELAXED) + 1;
    // Nearly always, and so without the lock.
    if (it->predicate == predicate && __atomic_load_n(&it->user, __ATOMIC_RELAXED) == user && depth == 0) return 1;
    pthread_mutex_lock(&recording_lock);
    it = slot_of(predicate);
    if (it->predicate == 0) {
        if (initialiser_count == MOST_INITIALISERS) {
            record_end(record_begin('F'));
            pthread_mutex_unlock(&recording_lock);
            return 0;
        }
        it->number = initialiser_count++;
        __atomic_store_n(&it->predicate, predicate, __ATOMIC_RELEASE);
    }
    if (depth > 0 && depth <= DEEPEST) {
        size_t start = record_begin('D');
        record_word(stack[depth - 1]);
        record_word(it->number);
        record_end(start);
    } else if (it->user != user && used_count < MOST_INITIALISERS) {
        __atomic_store_n(&it->user, user, __ATOMIC_RELAXED);
        used[used_count++] = it->number;
    }
    pthread_mutex_unlock(&recording_lock);
    return 1;
}

typedef struct {
    void (*function)(void *);
    void *context;
    uint32_t number;
} initialisation;

// Runs only where the global is not initialised yet.
static void initialise(void *context) {
    const initialisation *it = context;
    pthread_mutex_lock(&recording_lock);
    if (depth > 0 && depth <= DEEPEST) settle(OF_INITIALISER, stack[depth - 1]);
    else settle_current();
    pthread_mutex_unlock(&recording_lock);
    if (depth < DEEPEST) stack[depth] = it->number;
    depth++;
    it->function(it->context);
    depth--;
    pthread_mutex_lock(&recording_lock);
    settle(OF_INITIALISER, it->number);
    pthread_mutex_unlock(&recording_lock);
}

INTERPOSED void swift_once(void *predicate, void (*function)(void *), void *context) {
    static void (*original)(void *, void (*)(void *), void *);
    if (original == NULL) original = (void (*)(void *, void (*)(void *), void *))dlsym(RTLD_NEXT, "swift_once");
    if (!is_recording || !note((uintptr_t)predicate)) {
        original(predicate, function, context);
        return;
    }
    initialisation own = {function, context, slot_of((uintptr_t)predicate)->number};
    original(predicate, initialise, &own);
}

void initialisers_write_used(uint32_t test) {
    size_t start = record_begin('E');
    record_word(test);
    for (uint32_t index = 0; index < used_count; index++) record_number(used[index]);
    record_end(start);
    used_count = 0;
}

uint32_t initialisers_begin_child(void) {
    used_count = 0;
    for (size_t index = 0; index < SLOTS; index++) initialisers[index].user = 0;
    return initialiser_count;
}

static int find_code(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size, (void)context;
    for (size_t index = 0; index < image_count; index++) {
        uintptr_t counters = (uintptr_t)images[index].counters.start, start = UINTPTR_MAX, end = 0;
        for (int number = 0; number < info->dlpi_phnum; number++) {
            const ElfW(Phdr) *segment = &info->dlpi_phdr[number];
            if (segment->p_type != PT_LOAD) continue;
            uintptr_t first = info->dlpi_addr + segment->p_vaddr;
            if (first < start) start = first;
            if (first + segment->p_memsz > end) end = first + segment->p_memsz;
        }
        if (counters >= start && counters < end) {
            code[index].start = start;
            code[index].end = end;
        }
    }
    return 0;
}

void initialisers_find_code(const image *all, size_t count) {
    images = all;
    image_count = count;
    dl_iterate_phdr(find_code, NULL);
}
