// Records which counters each test increments.
//
// At each boundary, the beginning and end of a test, what has changed of the counters is written to a file: it belongs to the test
// that ran, or to none. This is exact as long as one test runs at a time; where two overlap, the file says so.
//
// What a test case executes when XCTest makes it, such as the initial values of its properties, belongs to its test as well.
//
// What a child that was forked, or a program built with this one that a test started, does belongs to that test as a whole. Each
// such process has a file of its own, whose name is that of the first with the process behind it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "preload-records.h"

static uint32_t tests, open_tests;

// MARK: boundaries

void begin_test(char kind, const char *name, size_t count) {
    settle_current();
    if (open_tests > 0) {
        size_t start = record_begin('P');
        record_word(tests + 1);
        record_word(current_test);
        record_end(start);
    }
    if (current_test == 0) initialisers_write_used(0);
    size_t start = record_begin(kind);
    record_word(tests + 1);
    record_bytes(name, count);
    record_end(start);
    open_tests++;
    __atomic_store_n(&current_test, ++tests, __ATOMIC_RELAXED);
    boundaries++;
    records_flush();
}

void end_test(void) {
    settle_current();
    initialisers_write_used(current_test);
    if (open_tests > 0) open_tests--;
    __atomic_store_n(&current_test, 0, __ATOMIC_RELAXED);
    boundaries++;
    records_flush();
}

// Called by the observer of XCTest.
INTERPOSED void kanmon_test_begins(const char *name) {
    if (!is_recording) return;
    pthread_mutex_lock(&recording_lock);
    begin_test('T', name, strlen(name));
    pthread_mutex_unlock(&recording_lock);
}

INTERPOSED void kanmon_test_ended(void) {
    if (!is_recording) return;
    pthread_mutex_lock(&recording_lock);
    end_test();
    pthread_mutex_unlock(&recording_lock);
}

// MARK: test cases

// Tells the name of a test case.
typedef void (*namer)(void *test_case, void (*take)(const char *name));
static namer name_case;
static __thread uint32_t made_case;

// Called by the observer of XCTest.
INTERPOSED void kanmon_name_test_cases(namer by) { name_case = by; }

static void take_name(const char *name) {
    pthread_mutex_lock(&recording_lock);
    size_t start = record_begin('C');
    record_word(made_case);
    record_bytes(name, strlen(name));
    record_end(start);
    pthread_mutex_unlock(&recording_lock);
}

// `XCTestCase.init(name:testClosure:)`, after a class has made its own properties and what its initialiser makes before those of its
// superclass. Of a case that a test makes itself the counters are that test's.
__attribute__((swiftcall)) INTERPOSED void *kanmon_make_case(
    void *name, void *name_too, void *closure, void *context, __attribute__((swift_context)) void *test_case
) __asm__("$s6XCTest0A4CaseC4name11testClosureACSS_yACKctcfc");

__attribute__((swiftcall)) void *kanmon_make_case(
    void *name, void *name_too, void *closure, void *context, __attribute__((swift_context)) void *test_case
) {
    typedef __attribute__((swiftcall)) void *(*maker)(
        void *, void *, void *, void *, __attribute__((swift_context)) void *);
    int is_own = is_recording && name_case != NULL && kanmon_current_test() == 0;
    if (is_own) {
        pthread_mutex_lock(&recording_lock);
        made_case = ++tests;
        settle(OF_TEST, made_case);
        initialisers_write_used(made_case);
        boundaries++;
        pthread_mutex_unlock(&recording_lock);
    }
    void *made = ((maker)dlsym(RTLD_NEXT, "$s6XCTest0A4CaseC4name11testClosureACSS_yACKctcfc"))(
        name, name_too, closure, context, test_case);
    if (is_own) name_case(made, take_name);
    return made;
}

// What is executed before `XCTMain`, such as the lists of all tests, belongs to no case: what comes behind this boundary does.
static void end_preparation(void) {
    if (!is_recording) return;
    pthread_mutex_lock(&recording_lock);
    settle_current();
    initialisers_write_used(current_test);
    boundaries++;
    pthread_mutex_unlock(&recording_lock);
}

#define ENTRANCE(name, symbol)                                                                            \
    __attribute__((swiftcall)) INTERPOSED intptr_t name(void *tests, void *arguments, void *observers) __asm__(symbol); \
    __attribute__((swiftcall)) intptr_t name(void *tests, void *arguments, void *observers) {             \
        typedef __attribute__((swiftcall)) intptr_t (*entrance)(void *, void *, void *);                  \
        end_preparation();                                                                                \
        return ((entrance)dlsym(RTLD_NEXT, symbol))(tests, arguments, observers);                         \
    }

ENTRANCE(kanmon_main, "$s6XCTest7XCTMainys5NeverOSayAA0A4CaseCm04testD5Class_SaySS_yAFKctG8allTeststGF")
ENTRANCE(kanmon_main_arguments, "$s6XCTest7XCTMain_9argumentss5NeverOSayAA0A4CaseCm04testE5Class_SaySS_yAGKctG8allTeststG_SaySSGtF")
ENTRANCE(
    kanmon_main_observers,
    "$s6XCTest7XCTMain_9arguments9observerss5NeverOSayAA0A4CaseCm04testF5Class_SaySS_yAHKctG8allTeststG_SaySSGSayAA0A11Observation_pGtF")
ENTRANCE(
    kanmon_main_status,
    "$s6XCTest7XCTMain_9arguments9observerss5Int32VSayAA0A4CaseCm04testF5Class_SaySS_yAHKctG8allTeststG_SaySSGSayAA0A11Observation_pGSgtF")

uint32_t kanmon_current_test(void) { return __atomic_load_n(&current_test, __ATOMIC_RELAXED); }

static void finish(void) {
    if (!is_recording) return;
    pthread_mutex_lock(&recording_lock);
    settle_current();
    initialisers_write_used(current_test);
    record_end(record_begin('X'));
    records_flush();
    is_recording = 0;
    pthread_mutex_unlock(&recording_lock);
}

// MARK: beginning

static void write_owner(void) {
    size_t start = record_begin('O');
    record_word(current_test);
    record_end(start);
}

// A child that was forked goes on with a file of its own: what it does belongs to the test that forked it.
static void in_child(void) {
    if (!is_recording) return;
    pthread_mutex_init(&recording_lock, NULL);
    records_close();
    is_recording = records_open_of_child(NULL);
    records_forget();
    uint32_t inherited = initialisers_begin_child();
    if (!is_recording) return;
    settling_begin_child();
    size_t start = record_begin('K');
    record_word(inherited);
    record_end(start);
    write_owner();
    records_flush();
}

void kanmon_record_tests(const char *path, const char *owner) {
    const image *images;
    size_t image_count = settling_find_images(&images);
    if (image_count == 0) return;
    if (owner != NULL) current_test = (uint32_t)strtoul(owner, NULL, 10);
    if (!(owner == NULL ? records_open(path) : records_open_of_child(path))) return;
    initialisers_find_code(images, image_count);
    if (!settling_begin()) return;
    if (owner != NULL) write_owner();
    records_flush();
    pthread_atfork(NULL, NULL, in_child);
    is_recording = 1;
}

// LLVM's runtime writes its profile in a handler that it registers before `main`, and may add what the file held to the
// counters there. A handler that is registered now runs before it.
static int (*program)(int, char **, char **);

static int begin_program(int count, char **arguments, char **variables) {
    if (is_recording) atexit(finish);
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
