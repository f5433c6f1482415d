#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// After fork() in a process with threads only async-signal-safe calls are allowed: nothing below cprocess_start
// allocates, and directories are read with the system call itself.

enum {
    // Descriptors of the reaper, after everything else has been closed.
    REPORTS = 3,
    CONTROL = 4,
};

static void report(int32_t kind, int32_t value) {
    struct cprocess_report record = {kind, value};
    while (write(REPORTS, &record, sizeof record) < 0 && errno == EINTR) {}
}

static void reset_signals(void) {
    // The kernel's own form of sigaction, all zero: SIG_DFL. The C library refuses to touch the numbers it uses itself,
    // although a parent may have had them ignored.
    const char by_default[64] = {0};
    for (int number = 1; number <= 64; number++) syscall(SYS_rt_sigaction, number, by_default, NULL, 8);
}

/// Puts the descriptors where the reaper expects them and closes every other.
static int arrange_descriptors(const struct cprocess_command *command, int reports, int control) {
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0) return errno;
    // First out of the way of the targets, so that no move overwrites a source.
    const int clear = 64;
    int sources[] = {null, command->output, command->error, reports, control};
    int moved[5];
    for (int index = 0; index < 5; index++) {
        moved[index] = fcntl(sources[index], F_DUPFD, clear);
        if (moved[index] < 0) return errno;
    }
    for (int index = 0; index < 5; index++) {
        if (dup2(moved[index], index) < 0) return errno;
    }
    if (syscall(SYS_close_range, 5u, ~0u, 0u) != 0) {
        // Kernels before 5.9 have no close_range.
        long limit = sysconf(_SC_OPEN_MAX);
        for (int descriptor = 5; descriptor < (limit > 0 ? limit : 65536); descriptor++) close(descriptor);
    }
    fcntl(REPORTS, F_SETFD, FD_CLOEXEC);
    fcntl(CONTROL, F_SETFD, FD_CLOEXEC);
    return 0;
}

/// Writes a text into a file that is there; returns 0 or `errno`.
static int write_text(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return errno;
    int failure = write(file, text, strlen(text)) < 0 ? errno : 0;
    close(file);
    return failure;
}

/// Writes a text into one of the files of a cgroup; returns 0 or `errno`.
static int write_to_cgroup(const char *folder, const char *name, const char *text) {
    char path[4096];
    if (strlen(folder) + strlen(name) + 2 > sizeof path) return ENAMETOOLONG;
    strcpy(path, folder);
    strcat(path, "/");
    strcat(path, name);
    return write_text(path, text);
}

/// What a process is told that begins a namespace, prepared where memory may be taken.
struct namespace_plan {
    /// Whether it takes a user namespace to be allowed the others.
    int with_user;
    char user_map[64];
    char group_map[64];
};

static struct namespace_plan plan_namespace(void) {
    struct namespace_plan plan = {0};
    unsigned user = geteuid(), group = getegid();
    // Everybody stays who he is; nobody else has a name.
    snprintf(plan.user_map, sizeof plan.user_map, "%u %u 1", user, user);
    snprintf(plan.group_map, sizeof plan.group_map, "%u %u 1", group, group);
    return plan;
}

/// Forks into a new PID namespace. Who may not do that may do it in a user namespace, where the system has those.
static pid_t fork_into_namespace(struct namespace_plan *plan) {
    unsigned long flags = CLONE_NEWPID | CLONE_NEWNS | SIGCHLD;
    pid_t pid = (pid_t)syscall(SYS_clone, flags, NULL, NULL, NULL, NULL);
    if (pid >= 0 || errno != EPERM) return pid;
    plan->with_user = 1;
    return (pid_t)syscall(SYS_clone, flags | CLONE_NEWUSER, NULL, NULL, NULL, NULL);
}

/// Gives the namespace that this process begins its own /proc; returns 0 or `errno`.
static int settle_in_namespace(const struct namespace_plan *plan) {
    int failure = 0;
    if (plan->with_user) {
        failure = write_text("/proc/self/setgroups", "deny");
        if (failure == 0) failure = write_text("/proc/self/uid_map", plan->user_map);
        if (failure == 0) failure = write_text("/proc/self/gid_map", plan->group_map);
    }
    if (failure != 0) return failure;
    // What is mounted outside later is seen inside, nothing the other way round.
    if (mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) != 0) return errno;
    // Without it programs would look themselves up under numbers that mean other processes.
    if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) != 0) return errno;
    return 0;
}

/// The number of this process as the /proc counts that `proc` is open on.
static pid_t number_in(int proc) {
    char text[16];
    ssize_t count = readlinkat(proc, "self", text, sizeof text - 1);
    if (count <= 0) return getpid();
    text[count] = 0;
    return (pid_t)strtol(text, NULL, 10);
}

/// - Parameter proc: The /proc of the caller.
_Noreturn static void become_child(const struct cprocess_command *command, int proc) {
    sigset_t none;
    sigemptyset(&none);
    setpgid(0, 0);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int failure = command->cgroup == NULL ? 0 : write_to_cgroup(command->cgroup, "cgroup.procs", "0");
    if (failure != 0) {
        report(CPROCESS_NOT_STARTED, failure);
        _exit(127);
    }
    report(CPROCESS_STARTED, command->namespaced ? number_in(proc) : getpid());
    if (command->directory == NULL || chdir(command->directory) == 0) {
        execve(command->path, command->arguments, command->environment);
    }
    report(CPROCESS_NOT_STARTED, errno);
    _exit(127);
}

/// The parent of a process from the text of its /proc/<pid>/stat, -1 when it cannot be told.
static pid_t parent_in_stat(char *text) {
    // The name stands in parentheses and may hold parentheses and spaces itself.
    char *end = strrchr(text, ')');
    if (end == NULL || strlen(end) < 5) return -1;
    return (pid_t)strtol(end + 4, NULL, 10);
}

static pid_t parent_of(const char *pid) {
    char path[64] = "/proc/";
    if (strlen(pid) > 32) return -1;
    strcat(path, pid);
    strcat(path, "/stat");
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    char text[512];
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) return -1;
    text[count] = 0;
    return parent_in_stat(text);
}

struct directory_entry {
    uint64_t inode;
    int64_t offset;
    unsigned short length;
    unsigned char type;
    char name[];
};

/// Sends SIGKILL to every child of the reaper, and to whatever shares a namespace or a cgroup with them. Their children
/// fall to the reaper and are met the next time.
static void kill_children(const struct cprocess_command *command) {
    if (command->namespaced) {
        // The first process of a namespace means all others by this.
        kill(-1, SIGKILL);
        return;
    }
    if (command->cgroup != NULL) write_to_cgroup(command->cgroup, "cgroup.kill", "1");
    int directory = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) return;
    pid_t self = getpid();
    char buffer[16384] __attribute__((aligned(8)));
    for (;;) {
        long count = syscall(SYS_getdents64, directory, buffer, sizeof buffer);
        if (count <= 0) break;
        for (long position = 0; position < count;) {
            struct directory_entry *entry = (struct directory_entry *)(buffer + position);
            position += entry->length;
            if (entry->name[0] < '1' || entry->name[0] > '9') continue;
            if (parent_of(entry->name) == self) kill((pid_t)strtol(entry->name, NULL, 10), SIGKILL);
        }
    }
    close(directory);
}

/// Collects the children that have ended. Returns 0 when there is none left.
static int collect(pid_t main_child) {
    for (;;) {
        int status = 0;
        pid_t pid = waitpid(-1, &status, WNOHANG);
        if (pid == 0) return 1;
        if (pid < 0) {
            if (errno == EINTR) continue;
            return 0;
        }
        if (pid != main_child) continue;
        if (WIFSIGNALED(status)) {
            report(CPROCESS_SIGNALED, WTERMSIG(status));
        } else {
            report(CPROCESS_EXITED, WEXITSTATUS(status));
        }
    }
}

_Noreturn static void become_reaper(
    const struct cprocess_command *command, const struct namespace_plan *plan, int reports, int control
) {
    reset_signals();
    // Before it has a session of its own: whoever ends orphans at this moment knows a reaper by its name.
    prctl(PR_SET_NAME, "kanmon-reaper");
    setsid();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    int failure = arrange_descriptors(command, reports, control);
    if (failure != 0) {
        struct cprocess_report record = {CPROCESS_NOT_STARTED, failure};
        ssize_t ignored = write(reports, &record, sizeof record);
        (void)ignored;
        _exit(127);
    }
    int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (command->namespaced && (failure = settle_in_namespace(plan)) != 0) {
        report(CPROCESS_NOT_STARTED, failure);
        _exit(127);
    }
    sigset_t ended;
    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    int signals = signalfd(-1, &ended, SFD_CLOEXEC | SFD_NONBLOCK);
    // Not by the C library's own function, which takes locks: this process may be a copy that the library knows nothing of.
    pid_t main_child = signals < 0 ? -1 : (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
    if (main_child == 0) become_child(command, proc);
    if (main_child < 0) {
        report(CPROCESS_NOT_STARTED, errno);
        _exit(127);
    }
    // The reaper outlives the child: it must not keep the child's output open.
    dup2(STDIN_FILENO, STDOUT_FILENO);
    dup2(STDIN_FILENO, STDERR_FILENO);

    struct pollfd watched[] = {{signals, POLLIN, 0}, {CONTROL, POLLIN, 0}};
    while (collect(main_child)) {
        if (poll(watched, 2, -1) < 0) continue;
        if (watched[0].revents != 0) {
            struct signalfd_siginfo info;
            while (read(signals, &info, sizeof info) > 0) {}
        }
        if (watched[1].revents != 0) {
            // Kanmon closed its end, or is gone.
            while (collect(main_child)) {
                kill_children(command);
                struct timespec moment = {0, 1000000};
                nanosleep(&moment, NULL);
            }
            break;
        }
    }
    if (command->cgroup != NULL) rmdir(command->cgroup);
    _exit(0);
}

/// Makes room in a pipe, and answers how many bytes it holds then; -1 for what is none.
static int widen(int pipe) {
    // Who floods its output waits less often for whoever reads it. No matter when the system allows no more.
    fcntl(pipe, F_SETPIPE_SZ, 1 << 20);
    return fcntl(pipe, F_GETPIPE_SZ);
}

int cprocess_start(const struct cprocess_command *command, struct cprocess_child *child) {
    int output = widen(command->output), error = widen(command->error);
    child->capacity = output < error ? output : error;
    // Should the reaper be killed, its orphans fall to this process, which then ends them.
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    int reports[2], control[2];
    if (pipe2(reports, O_CLOEXEC) != 0) return errno;
    if (pipe2(control, O_CLOEXEC) != 0) {
        int failure = errno;
        close(reports[0]);
        close(reports[1]);
        return failure;
    }
    struct namespace_plan plan = plan_namespace();
    // No handler of this process may run in the copy of it.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t reaper = command->namespaced ? fork_into_namespace(&plan) : fork();
    int failure = errno;
    if (reaper == 0) become_reaper(command, &plan, reports[1], control[0]);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(reports[1]);
    close(control[0]);
    if (reaper < 0) {
        close(reports[0]);
        close(control[1]);
        return failure;
    }
    child->reaper = reaper;
    child->reports = reports[0];
    child->control = control[1];
    return 0;
}

/// Waits for a process that tells by its status what it met.
static int answer_of(pid_t pid) {
    if (pid < 0) return errno;
    int status = 0;
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) return errno;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : EIO;
}

int cprocess_probe_namespace(void) {
    struct namespace_plan plan = plan_namespace();
    pid_t pid = fork_into_namespace(&plan);
    if (pid == 0) _exit(settle_in_namespace(&plan));
    return answer_of(pid);
}

int cprocess_probe_cgroup(const char *folder) {
    pid_t pid = fork();
    if (pid == 0) {
        int failure = write_to_cgroup(folder, "cgroup.procs", "0");
        _exit(failure != 0 ? failure : write_to_cgroup(folder, "cgroup.kill", "0") == ENOENT ? ENOENT : 0);
    }
    return answer_of(pid);
}

int cprocess_pipe(int *ends) {
    return pipe2(ends, O_CLOEXEC);
}

int cprocess_poll(struct pollfd *entries, unsigned long count, long long nanoseconds) {
    struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    return ppoll(entries, count, &time, NULL);
}
