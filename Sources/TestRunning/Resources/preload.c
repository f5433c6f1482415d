// Preloaded into everything `swift test` starts. It needs the C library only, does nothing outside of a test binary,
// and takes itself out of the environment there, so that processes started by tests do not inherit it.
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((constructor)) static void kanmon_preload(void) {
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
