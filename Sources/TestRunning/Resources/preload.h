// What the parts of the preloaded library know of each other.
#pragma once

#include <stddef.h>
#include <stdint.h>

#define INTERPOSED __attribute__((visibility("default")))

// The counters of a program or library, where they lie in memory.
typedef struct {
    const char *start;
    size_t size;
} section;

typedef struct {
    section data, counters, names;
    // The whole pages that the counters lie on.
    char *pages;
    size_t pages_size;
    // The file that holds the counters; empty when there is none.
    char path[4096];
    // The file that it was loaded from: its number and the time of its last change.
    uint64_t inode, changed;
} image;

// Finds the images of this process that have counters, at most once; answers how many there are.
size_t kanmon_find_images(image **images);

// The size of a record in the data section of an image, and where fields lie in it.
enum { RECORD_SIZE = 64, RECORD_COUNTERS_OFFSET = 16, RECORD_COUNTERS_COUNT = 48 };

// Keeps the counters of this process in files of a folder from now on.
void kanmon_keep_counters(const char *folder);

// Writes to a file from now on which counters each test increments. `owner` is the number of the test that started this process,
// or NULL; everything that this process does belongs to it then.
void kanmon_record_tests(const char *path, const char *owner);

// Takes the beginning and end of tests, once they are recorded, from the event stream that Swift Testing writes to this path.
void kanmon_follow_events(const char *path);

// The number of the test that runs; 0 for none.
uint32_t kanmon_current_test(void);

// The name of the library that has the tests of this program; empty where it has them itself.
void kanmon_library_of_runner(char *name, size_t size);

// Has SIGQUIT show where the tests hang, and lets the observer, if there is one, tell what they wait for.
void kanmon_show_places(void (*observer)(void));

// Has no more threads than this run the tasks of Swift at a time, for each priority; NULL for as many as usual.
void kanmon_narrow_pool(const char *width);

// Hands the library down to children: with the folder of counters (NULL for none) to those that are this very program, and with
// the file of records (NULL for none) to all that were built with it.
void kanmon_hand_down(const char *library, const char *folder, const char *records);
