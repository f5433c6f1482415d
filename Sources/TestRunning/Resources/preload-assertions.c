// Where in memory XCTest keeps the test case that runs now: the only one that its assertions fail.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>

#include "preload.h"

typedef struct {
    uintptr_t base;
    const void *value;
    void **place;
    size_t count;
} search;

static int search_image(struct dl_phdr_info *info, size_t size, void *data) {
    search *it = data;
    (void)size;
    if (info->dlpi_addr != it->base) return 0;
    for (size_t number = 0; number < info->dlpi_phnum; number++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[number];
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W) == 0) continue;
        uintptr_t start = it->base + segment->p_vaddr, end = start + segment->p_memsz;
        start = (start + sizeof(void *) - 1) & ~(sizeof(void *) - 1);
        for (void **place = (void **)start; (uintptr_t)(place + 1) <= end; place++) {
            if (*place != it->value) continue;
            it->place = place;
            it->count++;
        }
    }
    return 1;
}

// Called by the libraries that watch assertions: answers the only word with this value among the variables of the library that
// `symbol` is in; NULL where there is none, or more than one.
INTERPOSED void **kanmon_find_word(const void *symbol, const void *value) {
    Dl_info info;
    if (dladdr(symbol, &info) == 0) return NULL;
    search it = {(uintptr_t)info.dli_fbase, value, NULL, 0};
    dl_iterate_phdr(search_image, &it);
    return it.count == 1 ? it.place : NULL;
}
