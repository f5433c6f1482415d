/* Runs a command and writes "status cpu-ns wall-ns peak-kib" to descriptor 3.
 *
 * The timer is a program of its own because a child starts with the memory of its parent: below an interpreter no peak
 * under the interpreter's own could be seen. CPU time is that of all descendants that were waited for. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static long long of(struct timeval time) { return time.tv_sec * 1000000000LL + time.tv_usec * 1000LL; }

int main(int count, char **arguments) {
    if (count < 2) return 64;
    fcntl(3, F_SETFD, FD_CLOEXEC);
    long long start = nanoseconds();
    pid_t child = fork();
    if (child == 0) {
        execvp(arguments[1], arguments + 1);
        perror(arguments[1]);
        _exit(127);
    }
    int status;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) < 0) return 71;
    long long wall = nanoseconds() - start;
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    dprintf(3, "%d %lld %lld %ld\n", code, of(usage.ru_utime) + of(usage.ru_stime), wall, usage.ru_maxrss);
    return 0;
}
