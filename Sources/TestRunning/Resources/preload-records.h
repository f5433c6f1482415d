// What the parts that record tests know of each other, in one direction: events tell tests, these ask initialisers, both have settled
// what was counted, and that is recorded. No part knows one that is named below it here. Whoever changes or writes anything here holds
// the lock.
#pragma once

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "preload.h"

#pragma GCC visibility push(hidden)

// MARK: preload-records.c

// Opens the file of this process: the one that is named, or one beside it for a process that a test started; NULL is the same
// as in the process that it was forked from. Answers whether that worked.
int records_open(const char *path);
int records_open_of_child(const char *path);
// Writes down which counters of an image are of which functions, once for all processes.
void records_list_functions(const image *it);

// A record from its kind to its end, and what it consists of.
size_t record_begin(char kind);
void record_end(size_t start);
void record_bytes(const void *bytes, size_t count);
void record_byte(uint8_t value);
void record_word(uint32_t value);
void record_number(uint64_t value);
// Writes to the file what was recorded; or forgets it.
void records_flush(void);
void records_forget(void);
void records_close(void);

// Memory of its own: the heap may be what a test looks at.
void *records_pages(size_t size);

// MARK: preload-settling.c

enum { NO_TEST = 0, OF_TEST = 1, OF_INITIALISER = 2 };

extern pthread_mutex_t recording_lock;
extern int is_recording;
// The test that runs; 0 for none.
extern uint32_t current_test;
// How many tests have begun and ended, and test cases were made.
extern uint32_t boundaries;

// Finds the images that have counters; answers how many there are.
size_t settling_find_images(const image **images);
// Describes the images, and settles from now on: all that they counted so far, too. Answers whether there is memory for that.
int settling_begin(void);
// The same in a child that was forked: what was counted so far is its parent's.
void settling_begin_child(void);
// What was counted since the last boundary belongs to this owner; or to the test that runs.
void settle(uint8_t owner, uint32_t number);
void settle_current(void);

// MARK: preload-initialisers.c

// Finds the code of the images: only initialisers of such code are recorded.
void initialisers_find_code(const image *images, size_t count);
// Writes down which initialisers a test used, or none if it is 0.
void initialisers_write_used(uint32_t test);
// In a child that was forked: what was used before may be used again. Answers how many initialisers there are.
uint32_t initialisers_begin_child(void);

// MARK: preload-tests.c

// A test begins; its name as it is (T), or as it stands in JSON (J).
void begin_test(char kind, const char *name, size_t count);
void end_test(void);

#pragma GCC visibility pop
