// When tests of Swift Testing begin and end, by the event stream that the library writes.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "preload-records.h"

static char events_path[4096];
static FILE *events;

void kanmon_follow_events(const char *path) {
    if (strlen(path) < sizeof events_path) strcpy(events_path, path);
}

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
    pthread_mutex_lock(&recording_lock);
    if (contains(text, count, "\"kind\":\"testStarted\"")) begin_test('J', name, (size_t)(end - name));
    else end_test();
    pthread_mutex_unlock(&recording_lock);
}

// A test's beginning is settled after it is written, and its end before, so that writing is not part of the test.
INTERPOSED size_t fwrite(const void *restrict bytes, size_t size, size_t count, FILE *restrict stream) {
    static size_t (*original)(const void *, size_t, size_t, FILE *);
    if (original == NULL) original = (size_t(*)(const void *, size_t, size_t, FILE *))dlsym(RTLD_NEXT, "fwrite");
    if (!is_recording || events == NULL || stream != events) return original(bytes, size, count, stream);
    size_t all = size * count;
    if (contains(bytes, all, "\"kind\":\"testEnded\"")) take_event(bytes, all);
    size_t written = original(bytes, size, count, stream);
    if (contains(bytes, all, "\"kind\":\"testStarted\"")) take_event(bytes, all);
    return written;
}
