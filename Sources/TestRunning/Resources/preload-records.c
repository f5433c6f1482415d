// The file of records of this process.
//
// A file is a sequence of records: kind (1 byte), length of what follows (4 bytes, lowest first), content. Numbers marked * are
// in LEB128. `CodeCoverage/TestMap/TestRecords.swift` reads it.
//
//     I  image(4) counters(4) inode(8) changed(8) path      an image; the path of the file that holds its counters, if any
//     T  test(4) name                                       a test begins
//     J  test(4) name                                       the same; its name as it stands in JSON
//     C  test(4) name                                       the case of a test was made, as a test of its own
//     E  test(4) initialiser* ...                           it has ended (0: another begins), and used these initialisers
//     S  owner(1) number(4) image(4) (gap* increment*) ...  owner 0: no test, 1: a test, 2: an initialiser
//     D  initialiser(4) initialiser(4)                      the first one used the second one
//     O  test(4)                                            the process was started by this test, and works for it alone
//     K  count(4)                                           how many first initialisers are those of the first process
//     P  test(4) test(4)                                    the first one began before the second one had ended
//     F                                                     there are more initialisers than there is room for
//     X                                                     the process ended in order
//
// Beside it lies a file for each image, `….image-<inode>-<changed>`: for each function name(8) first-counter(4) counters(4).
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload-records.h"

static int file = -1;
// The file of the first process, and that of this one.
static char base_path[4000], file_path[4096];

static uint8_t *buffer;
static size_t capacity, length;

// MARK: writing

void *records_pages(size_t size) {
    void *found = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return found == MAP_FAILED ? NULL : found;
}

static int reserve(size_t count) {
    if (length + count <= capacity) return 1;
    size_t larger = capacity == 0 ? 1 << 20 : capacity;
    while (larger < length + count) larger *= 2;
    uint8_t *moved = records_pages(larger);
    if (moved == NULL) return 0;
    if (buffer != NULL) {
        memcpy(moved, buffer, length);
        munmap(buffer, capacity);
    }
    buffer = moved;
    capacity = larger;
    return 1;
}

void record_bytes(const void *bytes, size_t count) {
    if (!reserve(count)) return;
    memcpy(buffer + length, bytes, count);
    length += count;
}

void record_byte(uint8_t value) { record_bytes(&value, 1); }
void record_word(uint32_t value) { record_bytes(&value, 4); }

void record_number(uint64_t value) {
    for (; value > 127; value >>= 7) record_byte((uint8_t)(value | 128));
    record_byte((uint8_t)value);
}

size_t record_begin(char kind) {
    record_byte((uint8_t)kind);
    record_word(0);
    return length;
}

void record_end(size_t start) {
    uint32_t count = (uint32_t)(length - start);
    memcpy(buffer + start - 4, &count, 4);
}

void records_flush(void) {
    for (size_t at = 0; at < length;) {
        ssize_t count = write(file, buffer + at, length - at);
        if (count <= 0) break;
        at += (size_t)count;
    }
    length = 0;
}

void records_forget(void) { length = 0; }
void records_close(void) { close(file); }

// MARK: files

static int open_file(const char *path) {
    int opened = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
    if (opened < 0) return -1;
    // Out of the way of tests that count descriptors from below.
    int high = fcntl(opened, F_DUPFD_CLOEXEC, 900);
    if (high < 0) return opened;
    close(opened);
    return high;
}

static int take_path(const char *path) {
    if (strlen(path) >= sizeof base_path) return 0;
    strcpy(base_path, path);
    return 1;
}

int records_open(const char *path) {
    if (!take_path(path)) return 0;
    file = open_file(path);
    return file >= 0;
}

// Another process of the same number may have been there before.
int records_open_of_child(const char *path) {
    if (path != NULL && !take_path(path)) return 0;
    file = -1;
    for (int attempt = 0; file < 0 && attempt < 100; attempt++) {
        snprintf(file_path, sizeof file_path, "%s.%d-%d", base_path, getpid(), attempt);
        file = open_file(file_path);
    }
    return file >= 0;
}

void records_list_functions(const image *it) {
    char path[sizeof file_path + 64];
    snprintf(path, sizeof path, "%s.image-%llu-%llu", base_path, (unsigned long long)it->inode,
             (unsigned long long)it->changed);
    // What was recorded of the image before belongs into the other file.
    records_flush();
    int records = file;
    file = open_file(path);
    for (size_t index = 0; file >= 0 && index < it->data.size / RECORD_SIZE; index++) {
        const char *record = it->data.start + index * RECORD_SIZE;
        uint64_t distance;
        memcpy(&distance, record + RECORD_COUNTERS_OFFSET, sizeof distance);
        record_bytes(record, 8);
        record_word((uint32_t)(((uintptr_t)record + distance - (uintptr_t)it->counters.start) / sizeof(uint64_t)));
        record_bytes(record + RECORD_COUNTERS_COUNT, 4);
    }
    if (file >= 0) {
        records_flush();
        close(file);
    }
    file = records;
}
