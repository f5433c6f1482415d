// Preloaded into everything that starts the tests. It needs the C library only. In a test binary it keeps the counters of
// coverage in files, records what each test counts, loads what hears its assertions, has time limits show where tests hang, and takes itself
// out of the environment, so that processes started by tests do not inherit it. In `swift test` itself it has the output written line by line: into a pipe the C library would keep it in a
// block, which is lost when a time limit ends the tests, and with it what they said last.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload.h"

static void keep_counters(int is_test_binary) {
    const char *library = getenv("LD_PRELOAD");
    const char *folder = getenv("KANMON_LIVE_PROFILES");
    const char *records = getenv("KANMON_TEST_RECORDS");
    if (library != NULL && (folder != NULL || records != NULL)) kanmon_hand_down(library, folder, records);
    if (is_test_binary && folder != NULL) kanmon_keep_counters(folder);
    const char *events = getenv("KANMON_TEST_EVENTS");
    if (records != NULL && events != NULL) kanmon_follow_events(events);
    if (records != NULL) kanmon_record_tests(records, getenv("KANMON_TEST_OWNER"));
    unsetenv("LD_PRELOAD");
    unsetenv("KANMON_LIVE_PROFILES");
    unsetenv("KANMON_TEST_RECORDS");
    unsetenv("KANMON_TEST_EVENTS");
    unsetenv("KANMON_TEST_OWNER");
}

static const char runner[] = "-test-runner";

static int ends_with(const char *text, const char *end) {
    size_t length = strlen(text), size = strlen(end);
    return length > size && strcmp(text + length - size, end) == 0;
}

// SwiftPM's own build system makes one program with all tests, Swift Build one for each test target.
static int is_test_program(const char *path) { return ends_with(path, ".xctest") || ends_with(path, runner); }

void kanmon_library_of_runner(char *name, size_t size) {
    const char *own = program_invocation_short_name;
    name[0] = 0;
    if (!ends_with(own, runner)) return;
    if (snprintf(name, size, "%.*s.so", (int)(strlen(own) - strlen(runner)), own) >= (int)size) name[0] = 0;
}

typedef void (*observer_function)(void);

static void write_record(const char *event, const char *what) {
    const char *records = getenv("KANMON_OBSERVER_RECORDS");
    int file = records == NULL ? -1 : open(records, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file < 0) return;
    dprintf(file, "{\"desc\":\"%s\",\"ev\":\"%s\"}\n", what, event);
    close(file);
}

// Notes down, as the observer does, that nobody hears the assertions of this process.
static void write_deaf(const char *what) { write_record("deaf", what); }

// Whether this process runs tests of Swift Testing, and not those of XCTest: its arguments say so.
static int is_of_swift_testing(void) {
    static const char wanted[] = "--testing-library\0swift-testing";
    char words[8192];
    size_t kept = 0;
    ssize_t length = -1;
    int is_found = 0;
    int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    // They may be long: an expression for each test that is run again.
    while (file >= 0 && !is_found && (length = read(file, words + kept, sizeof words - kept)) > 0) {
        size_t all = kept + (size_t)length;
        is_found = memmem(words, all, wanted, sizeof wanted) != NULL;
        kept = all < sizeof wanted ? all : sizeof wanted - 1;
        memmove(words, words + all - kept, kept);
    }
    if (length < 0) write_deaf("the arguments of the process cannot be read");
    if (file >= 0) close(file);
    return is_found;
}

// Answers what tells for which expectations a test waits; NULL when there is no observer.
static observer_function load_observer(void) {
    const char *library = getenv("KANMON_OBSERVER_LIBRARY");
    if (library == NULL) return NULL;
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    observer_function install = handle == NULL ? NULL : (observer_function)dlsym(handle, "kanmon_observer_install");
    if (install == NULL) {
        write_deaf("the observer of XCTest cannot be loaded");
        return NULL;
    }
    install();
    return (observer_function)dlsym(handle, "kanmon_observer_tell");
}

static void load_listener(void) {
    const char *library = getenv("KANMON_LISTENER_LIBRARY");
    if (library == NULL) return;
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    int (*install)(void) = handle == NULL ? NULL : (int (*)(void))dlsym(handle, "kanmon_listener_install");
    if (install == NULL) write_deaf("what listens in Swift Testing cannot be loaded");
    else if (!install()) write_deaf("XCTest does not say which test case runs");
    // Without this record the process may have swallowed assertions.
    else write_record("heard", "assertions of XCTest");
}

// Loads what the tests of this process need; answers as `load_observer` does.
static observer_function load_libraries(void) {
    observer_function tell = NULL;
    if (is_of_swift_testing()) load_listener();
    else tell = load_observer();
    unsetenv("KANMON_LISTENER_LIBRARY");
    unsetenv("KANMON_OBSERVER_LIBRARY");
    unsetenv("KANMON_OBSERVER_RECORDS");
    unsetenv("KANMON_INTEROP");
    return tell;
}

__attribute__((constructor)) static void kanmon_preload(void) {
    if (strcmp(program_invocation_short_name, "swift-test") == 0) {
        setvbuf(stdout, NULL, _IOLBF, 1 << 16);
        return;
    }
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length < 8) return;
    path[length] = 0;
    int is_test_binary = is_test_program(path);
    if (!is_test_binary && getenv("KANMON_TEST_OWNER") == NULL) return;
    keep_counters(is_test_binary);
    if (!is_test_binary) return;
    kanmon_narrow_pool(getenv("KANMON_POOL_WIDTH"));
    unsetenv("KANMON_POOL_WIDTH");
    kanmon_show_places(load_libraries());
}
