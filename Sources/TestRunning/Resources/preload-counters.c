// Keeps the counters of coverage in files while the process runs, so that they outlive it however it ends.
//
// LLVM's runtime writes a profile when a process ends in order, and only then. Here each image gets a file that is a whole
// raw profile from the beginning, whose counters are those in memory: their pages become a shared mapping of it. Whatever
// ends the process, the kernel keeps what they say. A process that ends in order has written its profile, and removes the
// file. LLVM does the same on Darwin (its continuous mode).
//
//     header | data | padding, other things on the first page | counters | other things on the last page | names
//
// Images that are loaded later, by dlopen, are left alone.
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preload.h"

#if __has_include(<profile/InstrProfData.inc>)
#include <profile/InstrProfData.inc>
#endif

// What follows writes this version of the format; of a toolchain that reads another one no counters are kept, and a file
// tells so.
#define KNOWN_VERSION 10
#if defined(INSTR_PROF_RAW_VERSION) && INSTR_PROF_RAW_VERSION == KNOWN_VERSION

enum { MOST_IMAGES = 64, MOST_FORKS = 64 };

static image images[MOST_IMAGES];
static size_t image_count;
static char folder[PATH_MAX - 64];
static pid_t owner;
static unsigned forks;

static int write_all(int file, const void *bytes, size_t size) {
    for (const char *at = bytes; size > 0;) {
        // Not by write(), which AddressSanitizer takes over: what lies beside counters may be none of its objects.
        ssize_t count = syscall(SYS_write, file, at, size);
        if (count <= 0) return 0;
        at += count;
        size -= (size_t)count;
    }
    return 1;
}

// Written rather than skipped: a page that the disk has no room for would end the process when it is first touched.
static int write_zeros(int file, size_t size) {
    static const char zeros[4096];
    for (; size > sizeof zeros; size -= sizeof zeros)
        if (!write_all(file, zeros, sizeof zeros)) return 0;
    return write_all(file, zeros, size);
}

static int write_profile(int file, const image *it, size_t pages_offset) {
    const char *counters_end = it->counters.start + it->counters.size;
    size_t data_end = 128 + it->data.size;
    uint64_t header[16] = {
        0xff6c70726f667281, KNOWN_VERSION,
        0,  // identities of binaries
        it->data.size / RECORD_SIZE,
        pages_offset + (size_t)(it->counters.start - it->pages) - data_end,
        it->counters.size / sizeof(uint64_t),
        (size_t)(it->pages + it->pages_size - counters_end),
        0, 0,  // bitmaps, and what follows them
        it->names.size,
        (uint64_t)(it->counters.start - it->data.start),
        0,  // where bitmaps lie
        (uint64_t)it->names.start,
        0, 0,  // virtual tables and their names
        2,  // the last kind of values
    };
    return write_all(file, header, sizeof header) && write_all(file, it->data.start, it->data.size)
        && write_zeros(file, pages_offset - data_end) && write_all(file, it->pages, it->pages_size)
        && write_all(file, it->names.start, it->names.size) && write_zeros(file, -it->names.size & 7);
}

// Makes the file of an image and has its counters there. It gets its last name when it is whole.
static void share(image *it) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t pages_offset = (128 + it->data.size + page - 1) & -page;
    char unfinished[PATH_MAX - 32];
    snprintf(unfinished, sizeof unfinished, "%s/live-XXXXXX", folder);
    int file = mkostemp(unfinished, O_CLOEXEC);
    if (file < 0) return;
    snprintf(it->path, sizeof it->path, "%s.profraw", unfinished);
    int is_shared = write_profile(file, it, pages_offset)
        && mmap(it->pages, it->pages_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, (off_t)pages_offset)
            != MAP_FAILED;
    close(file);
    // A file without that name is left as it is: it tells that there are counters that are not kept.
    if (!is_shared || rename(unfinished, it->path) != 0) it->path[0] = 0;
}

// Gives a child pages of its own in the place of those that it shares with its parent, with all counters at 0: what the
// parent counted is the parent's.
static void unshare_counters(image *it) {
    char *copy = mmap(NULL, it->pages_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED) _exit(127);
    // Not by memcpy(), for the same reason as in write_all().
    for (size_t at = 0; at < it->pages_size; at += sizeof(uint64_t))
        *(volatile uint64_t *)(copy + at) = *(volatile uint64_t *)(it->pages + at);
    memset(copy + (it->counters.start - it->pages), 0, it->counters.size);
    if (mremap(copy, it->pages_size, it->pages_size, MREMAP_MAYMOVE | MREMAP_FIXED, it->pages) == MAP_FAILED) _exit(127);
}

static void before_fork(void) { __atomic_add_fetch(&forks, 1, __ATOMIC_RELAXED); }

static void in_child(void) {
    owner = getpid();
    for (size_t index = 0; index < image_count; index++) {
        if (images[index].path[0] == 0) continue;
        images[index].path[0] = 0;
        unshare_counters(&images[index]);
        // A file for each of thousands of children would fill the disk.
        if (forks <= MOST_FORKS) share(&images[index]);
    }
}

// Runs behind the handlers in which LLVM's runtime writes its profiles. What forked without its handlers, and what a signal
// ends meanwhile, leaves the file as it is.
__attribute__((destructor)) static void remove_files(void) {
    if (getpid() != owner) return;
    for (size_t index = 0; index < image_count; index++)
        if (images[index].path[0] != 0) unlink(images[index].path);
}

// Whether nothing but counters is noted down for the functions of an image.
static int has_counters_only(const section *data) {
    for (size_t at = 0; at < data->size; at += RECORD_SIZE) {
        uint16_t sites[3];
        uint32_t bitmaps;
        memcpy(sites, data->start + at + 52, sizeof sites);
        memcpy(&bitmaps, data->start + at + 60, sizeof bitmaps);
        if (sites[0] != 0 || sites[1] != 0 || sites[2] != 0 || bitmaps != 0) return 0;
    }
    return 1;
}

static void add(const char *elf, const struct stat *status, uintptr_t base) {
    size_t size = (size_t)status->st_size;
    const ElfW(Ehdr) *head = (const void *)elf;
    if (size < sizeof *head || memcmp(elf, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != ELFCLASS64) return;
    if (head->e_shoff == 0 || head->e_shoff > size || (size - head->e_shoff) / sizeof(ElfW(Shdr)) < head->e_shnum) return;
    const ElfW(Shdr) *sections = (const void *)(elf + head->e_shoff);
    if (head->e_shstrndx >= head->e_shnum || sections[head->e_shstrndx].sh_offset > size) return;
    const char *names = elf + sections[head->e_shstrndx].sh_offset;
    image found = {0};
    for (size_t index = 0; index < head->e_shnum; index++) {
        const char *name = names + sections[index].sh_name;
        section here = {(const char *)base + sections[index].sh_addr, sections[index].sh_size};
        if (strcmp(name, "__llvm_prf_data") == 0) found.data = here;
        if (strcmp(name, "__llvm_prf_cnts") == 0) found.counters = here;
        if (strcmp(name, "__llvm_prf_names") == 0) found.names = here;
    }
    if (found.data.size == 0 || found.counters.size == 0 || found.names.size == 0) return;
    if (found.data.size % RECORD_SIZE != 0 || found.counters.size % sizeof(uint64_t) != 0) return;
    if (!has_counters_only(&found.data) || image_count == MOST_IMAGES) return;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = (uintptr_t)found.counters.start & -page;
    uintptr_t end = ((uintptr_t)found.counters.start + found.counters.size + page - 1) & -page;
    found.pages = (char *)first;
    found.pages_size = end - first;
    found.inode = status->st_ino;
    found.changed = (uint64_t)status->st_mtim.tv_sec * 1000000000 + (uint64_t)status->st_mtim.tv_nsec;
    images[image_count++] = found;
}

// Whether a library is one of the system or of the toolchain, which have no counters. Each program that a test starts loads twenty
// of them, and to look into their files takes longer than all else that is done for it.
static int is_of_system(const char *path) {
    static const char *const folders[] = {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"};
    for (size_t index = 0; index < sizeof folders / sizeof *folders; index++)
        if (strncmp(path, folders[index], strlen(folders[index])) == 0) return 1;
    return strstr(path, "/usr/lib/swift/") != NULL || strcmp(path, "linux-vdso.so.1") == 0;
}

// The runtime's own functions are hidden in each image; where the sections lie is in its file.
static int look_at(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size, (void)context;
    if (is_of_system(info->dlpi_name)) return 0;
    int file = open(info->dlpi_name[0] != 0 ? info->dlpi_name : "/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0) return 0;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        void *elf = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (elf != MAP_FAILED) {
            add(elf, &status, info->dlpi_addr);
            munmap(elf, (size_t)status.st_size);
        }
    }
    close(file);
    return 0;
}

size_t kanmon_find_images(image **found) {
    static int has_looked;
    if (!has_looked) dl_iterate_phdr(look_at, NULL);
    has_looked = 1;
    *found = images;
    return image_count;
}

void kanmon_keep_counters(const char *where) {
    image *found;
    if (strlen(where) >= sizeof folder) return;
    strcpy(folder, where);
    owner = getpid();
    if (kanmon_find_images(&found) == 0) return;
    for (size_t index = 0; index < image_count; index++) share(&images[index]);
    pthread_atfork(before_fork, NULL, in_child);
}

#else

size_t kanmon_find_images(image **found) {
    *found = NULL;
    return 0;
}

void kanmon_keep_counters(const char *where) {
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/live-unknown-format", where) >= (int)sizeof path) return;
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0) close(file);
}

#endif
