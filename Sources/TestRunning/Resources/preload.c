// Preloaded into everything `swift test` starts. It needs the C library only. In a test binary it loads the observer and
// takes itself out of the environment, so that processes started by tests do not inherit it. In `swift test` itself it has
// the output written line by line: into a pipe the C library would keep it in a block, which is lost when a time limit
// ends the tests, and with it what they said last.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((constructor)) static void kanmon_preload(void) {
    if (strcmp(program_invocation_short_name, "swift-test") == 0) {
        setvbuf(stdout, NULL, _IOLBF, 1 << 16);
        return;
    }
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length < 8) return;
    path[length] = 0;
    if (strcmp(path + length - 7, ".xctest") != 0) return;
    unsetenv("LD_PRELOAD");
    const char *library = getenv("KANMON_OBSERVER_LIBRARY");
    if (library == NULL) return;
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    void (*install)(void) = handle == NULL ? NULL : (void (*)(void))dlsym(handle, "kanmon_observer_install");
    if (install != NULL) install();
    unsetenv("KANMON_OBSERVER_LIBRARY");
    unsetenv("KANMON_OBSERVER_RECORDS");
}
