// Swift Testing runs an exit test in a child that is this very program, with an environment made for it. The library goes
// along into such a child, and into no other.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload.h"

#define INTERPOSED __attribute__((visibility("default")))

static char preload[PATH_MAX + 32];
static char profiles[PATH_MAX + 32];
static struct stat own_program;
static int is_on;

void kanmon_hand_down(const char *library, const char *folder) {
    if (strlen(library) >= PATH_MAX || strlen(folder) >= PATH_MAX) return;
    snprintf(preload, sizeof preload, "LD_PRELOAD=%s", library);
    snprintf(profiles, sizeof profiles, "KANMON_LIVE_PROFILES=%s", folder);
    is_on = stat("/proc/self/exe", &own_program) == 0;
}

static int is_own_program(const char *path) {
    struct stat program;
    return is_on && path != NULL && stat(path, &program) == 0 && program.st_dev == own_program.st_dev
        && program.st_ino == own_program.st_ino;
}

static size_t count(char *const variables[]) {
    size_t number = 0;
    while (variables != NULL && variables[number] != NULL) number++;
    return number;
}

// Copies an environment into one with room for two more, and adds the library, unless another one is to be preloaded.
static void extend(char **extended, char *const variables[], size_t number) {
    int has_other = 0;
    for (size_t index = 0; index < number; index++) {
        extended[index] = variables[index];
        has_other |= strncmp(variables[index], "LD_PRELOAD=", 11) == 0;
    }
    extended[number] = has_other ? NULL : preload;
    extended[number + 1] = profiles;
    extended[number + 2] = NULL;
}

typedef int (*spawn_function)(
    pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const[], char *const[]);

static int spawn(
    const char *name, pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const arguments[], char *const variables[]
) {
    spawn_function original = (spawn_function)dlsym(RTLD_NEXT, name);
    if (!is_own_program(path)) return original(pid, path, actions, attributes, arguments, variables);
    size_t number = count(variables);
    char *extended[number + 3];
    extend(extended, variables, number);
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
    if (!is_own_program(path)) return original(path, arguments, variables);
    size_t number = count(variables);
    char *extended[number + 3];
    extend(extended, variables, number);
    return original(path, arguments, extended);
}
