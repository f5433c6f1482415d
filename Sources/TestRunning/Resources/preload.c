// Preloaded into everything that starts the tests. It needs the C library only. In a test binary it keeps the counters of
// coverage in files, records what each test counts, loads the observer, has time limits show where tests hang, and takes itself
// out of the environment, so that processes started by tests do not inherit it. In `swift test` itself it has the output written line by line: into a pipe the C library would keep it in a
// block, which is lost when a time limit ends the tests, and with it what they said last.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
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
    if (records != NULL) kanmon_record_tests(records, getenv("KANMON_TEST_EVENTS"), getenv("KANMON_TEST_OWNER"));
    unsetenv("LD_PRELOAD");
    unsetenv("KANMON_LIVE_PROFILES");
    unsetenv("KANMON_TEST_RECORDS");
    unsetenv("KANMON_TEST_EVENTS");
    unsetenv("KANMON_TEST_OWNER");
}

typedef void (*observer_function)(void);

// Answers what tells for which expectations a test waits; NULL when there is no observer.
static observer_function load_observer(void) {
    const char *library = getenv("KANMON_OBSERVER_LIBRARY");
    if (library == NULL) return NULL;
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    observer_function install = handle == NULL ? NULL : (observer_function)dlsym(handle, "kanmon_observer_install");
    if (install != NULL) install();
    unsetenv("KANMON_OBSERVER_LIBRARY");
    unsetenv("KANMON_OBSERVER_RECORDS");
    return install == NULL ? NULL : (observer_function)dlsym(handle, "kanmon_observer_tell");
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
    int is_test_binary = strcmp(path + length - 7, ".xctest") == 0;
    if (!is_test_binary && getenv("KANMON_TEST_OWNER") == NULL) return;
    keep_counters(is_test_binary);
    if (!is_test_binary) return;
    kanmon_show_places(load_observer());
}
