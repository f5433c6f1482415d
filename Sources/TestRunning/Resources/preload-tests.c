// Records which counters each test increments.
//
// At each boundary, the beginning and end of a test, the counters of all images are compared with a copy, and what changed is
// written to a file: it belongs to the test that ran, or to none. The counters themselves are never touched. This is exact as
// long as one test runs at a time; where two overlap, the file says so.
//
// A global that is initialised lazily would belong to the test that happened to use it first. So `swift_once`, which every
// access to such a global calls, is interposed: what an initialiser does is kept by itself, and each test has a list of the
// initialisers that it used. A test executes what its counters say and what those initialisers did.
//
// What a child that was forked, or a program built with this one that a test started, does belongs to that test as a whole. Each
// such process has a file of its own, whose name is that of the first with the process behind it.
//
// A file is a sequence of records: kind (1 byte), length of what follows (4 bytes, lowest first), content. Numbers marked * are
// in LEB128. `Evidence/TestMap/TestRecords.swift` reads it.
//
//     I  image(4) counters(4) inode(8) changed(8) path      an image; the path of the file that holds its counters, if any
//     T  test(4) name                                       a test begins
//     J  test(4) name                                       the same; its name as it stands in JSON
//     E  test(4) initialiser* ...                           it has ended (0: another begins), and used these initialisers
//     S  owner(1) number(4) image(4) (gap* increment*) ...  owner 0: no test, 1: a test, 2: an initialiser
//     D  initialiser(4) initialiser(4)                      the first one used the second one
//     O  test(4)                                            the process was started by this test, and works for it alone
//     K  count(4)                                           the first so many initialisers are those of the first process
//     P  test(4) test(4)                                    the first one began before the second one had ended
//     F                                                     there are more initialisers than there is room for
//     X                                                     the process ended in order
//
// Beside it lies a file for each image, `….image-<inode>-<changed>`: for each function name(8) first-counter(4) counters(4).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload.h"

enum { BLOCK = 64, SLOTS = 1 << 16, MOST_INITIALISERS = SLOTS / 2, DEEPEST = 64 };
enum { NO_TEST = 0, OF_TEST = 1, OF_INITIALISER = 2 };

static image *images;
static size_t image_count;
static uint64_t *copies[64];
static int file = -1;
static int is_on;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
// The file of the first process, and that of this one.
static char base_path[4000], file_path[4096];

static uint32_t tests, current, open_tests;

// MARK: writing

// Memory of its own: the heap may be what a test looks at.
static uint8_t *buffer;
static size_t capacity, length;

static void *pages(size_t size) {
    void *found = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return found == MAP_FAILED ? NULL : found;
}

static int reserve(size_t count) {
    if (length + count <= capacity) return 1;
    size_t larger = capacity == 0 ? 1 << 20 : capacity;
    while (larger < length + count) larger *= 2;
    uint8_t *moved = pages(larger);
    if (moved == NULL) return 0;
    if (buffer != NULL) {
        memcpy(moved, buffer, length);
        munmap(buffer, capacity);
    }
    buffer = moved;
    capacity = larger;
    return 1;
}

static void put(const void *bytes, size_t count) {
    if (!reserve(count)) return;
    memcpy(buffer + length, bytes, count);
    length += count;
}

static void put_byte(uint8_t value) { put(&value, 1); }
static void put_word(uint32_t value) { put(&value, 4); }

static void put_number(uint64_t value) {
    for (; value > 127; value >>= 7) put_byte((uint8_t)(value | 128));
    put_byte((uint8_t)value);
}

static size_t begin_record(char kind) {
    put_byte((uint8_t)kind);
    put_word(0);
    return length;
}

static void end_record(size_t start) {
    uint32_t count = (uint32_t)(length - start);
    memcpy(buffer + start - 4, &count, 4);
}

static void flush(void) {
    for (size_t at = 0; at < length;) {
        ssize_t count = write(file, buffer + at, length - at);
        if (count <= 0) break;
        at += (size_t)count;
    }
    length = 0;
}

// MARK: counters

static int open_file(const char *path);

// Which counters are of which functions is written once for all processes.
static void list_functions(const image *it) {
    char path[sizeof file_path + 64];
    snprintf(path, sizeof path, "%s.image-%llu-%llu", base_path, (unsigned long long)it->inode,
             (unsigned long long)it->changed);
    int records = file;
    file = open_file(path);
    for (size_t index = 0; file >= 0 && index < it->data.size / RECORD_SIZE; index++) {
        const char *record = it->data.start + index * RECORD_SIZE;
        uint64_t distance;
        memcpy(&distance, record + RECORD_COUNTERS_OFFSET, sizeof distance);
        put(record, 8);
        put_word((uint32_t)(((uintptr_t)record + distance - (uintptr_t)it->counters.start) / sizeof(uint64_t)));
        put(record + RECORD_COUNTERS_COUNT, 4);
    }
    if (file >= 0) {
        flush();
        close(file);
    }
    file = records;
}

static void describe(size_t number) {
    const image *it = &images[number];
    list_functions(it);
    size_t start = begin_record('I');
    put_word((uint32_t)number);
    put_word((uint32_t)(it->counters.size / sizeof(uint64_t)));
    put(&it->inode, 8);
    put(&it->changed, 8);
    put(it->path, strlen(it->path));
    end_record(start);
}

// What was counted since the last boundary belongs to this owner.
static void settle(uint8_t owner, uint32_t number) {
    for (size_t index = 0; index < image_count; index++) {
        const uint64_t *live = (const uint64_t *)images[index].counters.start;
        uint64_t *copy = copies[index];
        size_t count = images[index].counters.size / sizeof(uint64_t), record = 0, last = 0;
        for (size_t block = 0; block < count; block += BLOCK) {
            size_t end = count - block < BLOCK ? count : block + BLOCK;
            if (memcmp(live + block, copy + block, (end - block) * sizeof(uint64_t)) == 0) continue;
            for (size_t place = block; place < end; place++) {
                uint64_t value = __atomic_load_n(&live[place], __ATOMIC_RELAXED);
                if (value == copy[place]) continue;
                if (record == 0) {
                    record = begin_record('S');
                    put_byte(owner);
                    put_word(number);
                    put_word((uint32_t)index);
                }
                put_number(place - last);
                put_number(value - copy[place]);
                last = place;
                copy[place] = value;
            }
        }
        if (record != 0) end_record(record);
    }
}

// MARK: initialisers

typedef struct {
    uintptr_t predicate;
    uint32_t number;
    // 1 + the test that used it last.
    uint32_t user;
} initialiser;

static initialiser initialisers[SLOTS];
static uint32_t initialiser_count, used[MOST_INITIALISERS], used_count;
static struct { uintptr_t start, end; } code[64];
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
    uint32_t user = __atomic_load_n(&current, __ATOMIC_RELAXED) + 1;
    // Nearly always, and so without the lock.
    if (it->predicate == predicate && __atomic_load_n(&it->user, __ATOMIC_RELAXED) == user && depth == 0) return 1;
    pthread_mutex_lock(&lock);
    it = slot_of(predicate);
    if (it->predicate == 0) {
        if (initialiser_count == MOST_INITIALISERS) {
            end_record(begin_record('F'));
            pthread_mutex_unlock(&lock);
            return 0;
        }
        it->number = initialiser_count++;
        __atomic_store_n(&it->predicate, predicate, __ATOMIC_RELEASE);
    }
    if (depth > 0 && depth <= DEEPEST) {
        size_t start = begin_record('D');
        put_word(stack[depth - 1]);
        put_word(it->number);
        end_record(start);
    } else if (it->user != user && used_count < MOST_INITIALISERS) {
        __atomic_store_n(&it->user, user, __ATOMIC_RELAXED);
        used[used_count++] = it->number;
    }
    pthread_mutex_unlock(&lock);
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
    pthread_mutex_lock(&lock);
    if (depth > 0 && depth <= DEEPEST) settle(OF_INITIALISER, stack[depth - 1]);
    else settle(current == 0 ? NO_TEST : OF_TEST, current);
    pthread_mutex_unlock(&lock);
    if (depth < DEEPEST) stack[depth] = it->number;
    depth++;
    it->function(it->context);
    depth--;
    pthread_mutex_lock(&lock);
    settle(OF_INITIALISER, it->number);
    pthread_mutex_unlock(&lock);
}

INTERPOSED void swift_once(void *predicate, void (*function)(void *), void *context) {
    static void (*original)(void *, void (*)(void *), void *);
    if (original == NULL) original = (void (*)(void *, void (*)(void *), void *))dlsym(RTLD_NEXT, "swift_once");
    if (!is_on || !note((uintptr_t)predicate)) {
        original(predicate, function, context);
        return;
    }
    initialisation own = {function, context, slot_of((uintptr_t)predicate)->number};
    original(predicate, initialise, &own);
}

// MARK: boundaries

static void write_used(uint32_t test) {
    size_t start = begin_record('E');
    put_word(test);
    for (uint32_t index = 0; index < used_count; index++) put_number(used[index]);
    end_record(start);
    used_count = 0;
}

static void begin_test(char kind, const char *name, size_t count) {
    settle(current == 0 ? NO_TEST : OF_TEST, current);
    if (open_tests > 0) {
        size_t start = begin_record('P');
        put_word(tests + 1);
        put_word(current);
        end_record(start);
    }
    if (current == 0) write_used(0);
    size_t start = begin_record(kind);
    put_word(tests + 1);
    put(name, count);
    end_record(start);
    open_tests++;
    __atomic_store_n(&current, ++tests, __ATOMIC_RELAXED);
    flush();
}

static void end_test(void) {
    settle(current == 0 ? NO_TEST : OF_TEST, current);
    write_used(current);
    if (open_tests > 0) open_tests--;
    __atomic_store_n(&current, 0, __ATOMIC_RELAXED);
    flush();
}

// Called by the observer of XCTest.
INTERPOSED void kanmon_test_begins(const char *name) {
    if (!is_on) return;
    pthread_mutex_lock(&lock);
    begin_test('T', name, strlen(name));
    pthread_mutex_unlock(&lock);
}

INTERPOSED void kanmon_test_ended(void) {
    if (!is_on) return;
    pthread_mutex_lock(&lock);
    end_test();
    pthread_mutex_unlock(&lock);
}

uint32_t kanmon_current_test(void) { return __atomic_load_n(&current, __ATOMIC_RELAXED); }

static void finish(void) {
    if (!is_on) return;
    pthread_mutex_lock(&lock);
    settle(current == 0 ? NO_TEST : OF_TEST, current);
    write_used(current);
    end_record(begin_record('X'));
    flush();
    is_on = 0;
    pthread_mutex_unlock(&lock);
}

// MARK: the event stream of Swift Testing

static char events_path[4096];
static FILE *events;

INTERPOSED FILE *fopen(const char *restrict path, const char *restrict mode) {
    static FILE *(*original)(const char *, const char *);
    if (original == NULL) original = (FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen");
    FILE *opened = original(path, mode);
    if (opened != NULL && events_path[0] != 0 && path != NULL && strcmp(path, events_path) == 0) events = opened;
    return opened;
}

static int contains(const char *text, size_t count, const char *word) {
    return memmem(text, count, word, strlen(word)) != NULL;
}

// A function's identity has its parentheses and its place; that of a suite has neither.
static void take_event(const char *text, size_t count) {
    static const char head[] = "\"testID\":\"";
    const char *name = memmem(text, count, head, sizeof head - 1);
    if (name == NULL) return;
    name += sizeof head - 1;
    const char *end = name;
    while (end < text + count && *end != '"') end += *end == '\\' ? 2 : 1;
    if (end > text + count || !contains(name, (size_t)(end - name), ")\\/")) return;
    pthread_mutex_lock(&lock);
    if (contains(text, count, "\"kind\":\"testStarted\"")) begin_test('J', name, (size_t)(end - name));
    else end_test();
    pthread_mutex_unlock(&lock);
}

// A test's beginning is settled after it is written, and its end before, so that writing is not part of the test.
INTERPOSED size_t fwrite(const void *restrict bytes, size_t size, size_t count, FILE *restrict stream) {
    static size_t (*original)(const void *, size_t, size_t, FILE *);
    if (original == NULL) original = (size_t(*)(const void *, size_t, size_t, FILE *))dlsym(RTLD_NEXT, "fwrite");
    if (!is_on || events == NULL || stream != events) return original(bytes, size, count, stream);
    size_t all = size * count;
    if (contains(bytes, all, "\"kind\":\"testEnded\"")) take_event(bytes, all);
    size_t written = original(bytes, size, count, stream);
    if (contains(bytes, all, "\"kind\":\"testStarted\"")) take_event(bytes, all);
    return written;
}

// MARK: beginning

static int open_file(const char *path) {
    int opened = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
    if (opened < 0) return -1;
    // Out of the way of tests that count descriptors from below.
    int high = fcntl(opened, F_DUPFD_CLOEXEC, 900);
    if (high < 0) return opened;
    close(opened);
    return high;
}

// The file of a process that a test started; another one of the same number may have been there before.
static int open_file_of_child(void) {
    int opened = -1;
    for (int attempt = 0; opened < 0 && attempt < 100; attempt++) {
        snprintf(file_path, sizeof file_path, "%s.%d-%d", base_path, getpid(), attempt);
        opened = open_file(file_path);
    }
    return opened;
}

static void write_owner(void) {
    size_t start = begin_record('O');
    put_word(current);
    end_record(start);
}

// A child that was forked goes on with a file of its own: what it does belongs to the test that forked it.
static void in_child(void) {
    if (!is_on) return;
    pthread_mutex_init(&lock, NULL);
    close(file);
    file = open_file_of_child();
    length = used_count = 0;
    is_on = file >= 0;
    if (!is_on) return;
    // What it used before it was forked, it may use again.
    for (size_t index = 0; index < SLOTS; index++) initialisers[index].user = 0;
    for (size_t index = 0; index < image_count; index++) {
        memcpy(copies[index], images[index].counters.start, images[index].counters.size);
        describe(index);
    }
    size_t start = begin_record('K');
    put_word(initialiser_count);
    end_record(start);
    write_owner();
    flush();
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

void kanmon_record_tests(const char *path, const char *stream, const char *owner) {
    image_count = kanmon_find_images(&images);
    if (image_count == 0 || strlen(path) >= sizeof base_path) return;
    strcpy(base_path, path);
    if (stream != NULL && strlen(stream) < sizeof events_path) strcpy(events_path, stream);
    if (owner != NULL) current = (uint32_t)strtoul(owner, NULL, 10);
    file = owner == NULL ? open_file(path) : open_file_of_child();
    if (file < 0) return;
    dl_iterate_phdr(find_code, NULL);
    for (size_t index = 0; index < image_count; index++) {
        copies[index] = pages(images[index].counters.size);
        if (copies[index] == NULL) return;
        describe(index);
    }
    if (owner != NULL) write_owner();
    flush();
    pthread_atfork(NULL, NULL, in_child);
    is_on = 1;
}

// LLVM's runtime writes its profile in a handler that it registers before `main`, and may add what the file held to the
// counters there. A handler that is registered now runs before it.
static int (*program)(int, char **, char **);

static int begin_program(int count, char **arguments, char **variables) {
    if (is_on) atexit(finish);
    return program(count, arguments, variables);
}

INTERPOSED int __libc_start_main(
    int (*main)(int, char **, char **), int count, char **arguments, void (*initialise)(void), void (*finalise)(void),
    void (*end_linker)(void), void *stack_end
) {
    typedef int (*start)(
        int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
    program = main;
    return ((start)dlsym(RTLD_NEXT, "__libc_start_main"))(
        begin_program, count, arguments, initialise, finalise, end_linker, stack_end);
}
