// Narrows the pool of threads that runs the tasks of Swift, so that what blocks a thread of it shows at once. The runtime makes a
// concurrent queue of Dispatch for each priority, and asks that it be as wide as the machine has processors; Dispatch has no
// variable for it. Threads of Dispatch itself, and the number of processors that a program sees, stay as they are.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

#include "preload.h"

// How the runtime asks for the number of processors.
enum { ALL_PROCESSORS = -3 };

typedef void (*set_width_function)(void *queue, long width);

// 0 for as many threads as it asks for. It is set before the program begins, and only read from then on.
static long pool_width;

void kanmon_narrow_pool(const char *width) { pool_width = width == NULL ? 0 : strtol(width, NULL, 10); }

// The function of Dispatch; NULL if there is none. What a program has loaded only for a library of its own is found by its name.
static set_width_function original(void) {
    static const char name[] = "dispatch_queue_set_width";
    void *found = dlsym(RTLD_NEXT, name);
    void *library = found == NULL ? dlopen("libdispatch.so", RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (library != NULL) found = dlsym(library, name);
    return (set_width_function)found;
}

INTERPOSED void dispatch_queue_set_width(void *queue, long width) {
    set_width_function set_width = original();
    if (set_width == NULL) return;
    set_width(queue, width == ALL_PROCESSORS && pool_width > 0 ? pool_width : width);
}
