// Swift Testing runs an exit test in a child that is this very program, with an environment made for it. The library goes
// along into such a child, and where tests are recorded into every program that was built with this one: what it does belongs
// to the test that started it. It goes into no other, whose environment may be what a test looks at.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload.h"

static char preload[PATH_MAX + 32];
static char profiles[PATH_MAX + 32];
static char records[PATH_MAX + 32];
static struct stat own_program;
// The folder of this program, with the slash behind it.
static char products[PATH_MAX];
static int is_on;

void kanmon_hand_down(const char *library, const char *folder, const char *file) {
    if (strlen(library) >= PATH_MAX || (folder != NULL && strlen(folder) >= PATH_MAX)) return;
    snprintf(preload, sizeof preload, "LD_PRELOAD=%s", library);
    if (folder != NULL) snprintf(profiles, sizeof profiles, "KANMON_LIVE_PROFILES=%s", folder);
    if (file != NULL && strlen(file) < PATH_MAX) snprintf(records, sizeof records, "KANMON_TEST_RECORDS=%s", file);
    ssize_t length = readlink("/proc/self/exe", products, sizeof products - 1);
    while (length > 0 && products[length - 1] != '/') length--;
    products[length < 0 ? 0 : length] = 0;
    is_on = stat("/proc/self/exe", &own_program) == 0;
}

static int is_own_program(const char *path) {
    struct stat program;
    return stat(path, &program) == 0 && program.st_dev == own_program.st_dev && program.st_ino == own_program.st_ino;
}

static int is_product(const char *path) {
    char real[PATH_MAX];
    size_t length = strlen(products);
    return records[0] != 0 && length > 0 && realpath(path, real) != NULL && strncmp(real, products, length) == 0;
}

// How many variables a child is given, and which.
static size_t choose(const char *path, char *owner, size_t size, char *chosen[4]) {
    size_t number = 0;
    if (!is_on || path == NULL) return 0;
    int is_own = is_own_program(path);
    if (!is_own && !is_product(path)) return 0;
    chosen[number++] = preload;
    if (is_own && profiles[0] != 0) chosen[number++] = profiles;
    if (records[0] != 0) {
        snprintf(owner, size, "KANMON_TEST_OWNER=%u", kanmon_current_test());
        chosen[number++] = owner;
        chosen[number++] = records;
    }
    return number;
}

static size_t count(char *const variables[]) {
    size_t number = 0;
    while (variables != NULL && variables[number] != NULL) number++;
    return number;
}

// Copies an environment and adds variables, but for a library where another one is to be preloaded.
static void extend(char **extended, char *const variables[], size_t number, char *const added[], size_t added_count) {
    int has_other = 0;
    for (size_t index = 0; index < number; index++) {
        extended[index] = variables[index];
        has_other |= strncmp(variables[index], "LD_PRELOAD=", 11) == 0;
    }
    for (size_t index = 0; index < added_count; index++)
        if (added[index] != preload || !has_other) extended[number++] = added[index];
    extended[number] = NULL;
}

typedef int (*spawn_function)(
    pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const[], char *const[]);

static int spawn(
    const char *name, pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const arguments[], char *const variables[]
) {
    spawn_function original = (spawn_function)dlsym(RTLD_NEXT, name);
    char owner[48], *added[4];
    size_t added_count = choose(path, owner, sizeof owner, added);
    if (added_count == 0) return original(pid, path, actions, attributes, arguments, variables);
    size_t number = count(variables);
    char *extended[number + added_count + 1];
    extend(extended, variables, number, added, added_count);
    return original(pid, path, actions, attributes, arguments, extended);
}

INTERPOSED int posix_spawn(
    pid_t *restrict pid, const char *restrict path, const posix_spawn_file_actions_t *restrict actions,
    const posix_spawnattr_t *restrict attributes, char *const arguments[restrict], char *const variables[restrict]
) {
    return spawn("posix_spawn", pid, path, actions, attributes, arguments, variables);
}

INTERPOSED int posix_spawnp(
    pid_t *restrict pid, const char *restrict path, const posix_spawn_file_actions_t *restrict actions,
    const posix_spawnattr_t *restrict attributes, char *const arguments[restrict], char *const variables[restrict]
) {
    return spawn("posix_spawnp", pid, path, actions, attributes, arguments, variables);
}

INTERPOSED int execve(const char *path, char *const arguments[], char *const variables[]) {
    int (*original)(const char *, char *const[], char *const[]) =
        (int (*)(const char *, char *const[], char *const[]))dlsym(RTLD_NEXT, "execve");
    char owner[48], *added[4];
    size_t added_count = choose(path, owner, sizeof owner, added);
    if (added_count == 0) return original(path, arguments, variables);
    size_t number = count(variables);
    char *extended[number + added_count + 1];
    extend(extended, variables, number, added, added_count);
    return original(path, arguments, extended);
}
