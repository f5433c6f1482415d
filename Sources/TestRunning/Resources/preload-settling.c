// Which counters have changed since the last boundary, and whose that is.
//
// The counters of all images are compared with a copy, and what changed is written down. The counters themselves are never touched.
#include <string.h>

#include "preload-records.h"

enum { BLOCK = 64 };

pthread_mutex_t recording_lock = PTHREAD_MUTEX_INITIALIZER;
int is_recording;
uint32_t current_test, boundaries;

static image *images;
static size_t image_count;
static uint64_t *copies[64];

size_t settling_find_images(const image **all) {
    image_count = kanmon_find_images(&images);
    *all = images;
    return image_count;
}

static void describe(size_t number) {
    const image *it = &images[number];
    records_list_functions(it);
    size_t start = record_begin('I');
    record_word((uint32_t)number);
    record_word((uint32_t)(it->counters.size / sizeof(uint64_t)));
    record_bytes(&it->inode, 8);
    record_bytes(&it->changed, 8);
    record_bytes(it->path, strlen(it->path));
    record_end(start);
}

void settle(uint8_t owner, uint32_t number) {
    for (size_t index = 0; index < image_count; index++) {
        const uint64_t *live = (const uint64_t *)images[index].counters.start;
        uint64_t *copy = copies[index];
        size_t count = images[index].counters.size / sizeof(uint64_t), record = 0, last = 0;
        for (size_t block = 0; block < count; block += BLOCK) {
            size_t end = count - block < BLOCK ? count : block + BLOCK;
            if (memcmp(live + block, copy + block, (end - block) * sizeof(uint64_t)) == 0) continue;
            for (size_t place = block; place < end; place++) {
                uint64_t value = __atomic_load_n(&live[place], __ATOMIC_RELAXED);
                if (value == copy[place]) continue;
                if (record == 0) {
                    record = record_begin('S');
                    record_byte(owner);
                    record_word(number);
                    record_word((uint32_t)index);
                }
                record_number(place - last);
                record_number(value - copy[place]);
                last = place;
                copy[place] = value;
            }
        }
        if (record != 0) record_end(record);
    }
}

void settle_current(void) { settle(current_test == 0 ? NO_TEST : OF_TEST, current_test); }

int settling_begin(void) {
    for (size_t index = 0; index < image_count; index++) {
        copies[index] = records_pages(images[index].counters.size);
        if (copies[index] == NULL) return 0;
        describe(index);
    }
    return 1;
}

void settling_begin_child(void) {
    for (size_t index = 0; index < image_count; index++) {
        memcpy(copies[index], images[index].counters.start, images[index].counters.size);
        describe(index);
    }
}
