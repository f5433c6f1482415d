// Narrows the pool of threads that runs the tasks of Swift, so that what blocks a thread of it shows at once. The runtime makes a
// concurrent queue of Dispatch for each priority, and asks that it be as wide as the machine has processors; Dispatch has no
// variable for it. Threads of Dispatch itself, and the number of processors that a program sees, stay as they are.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

#include "preload.h"

// How the runtime asks for the number of processors.
enum { ALL_PROCESSORS = -3 };

// 0 for as many threads as it asks for.
static long pool_width;

void kanmon_narrow_pool(const char *width) { pool_width = width == NULL ? 0 : strtol(width, NULL, 10); }

INTERPOSED void dispatch_queue_set_width(void *queue, long width) {
    void (*original)(void *, long) = (void (*)(void *, long))dlsym(RTLD_NEXT, "dispatch_queue_set_width");
    if (original == NULL) return;
    original(queue, width == ALL_PROCESSORS && pool_width > 0 ? pool_width : width);
}
