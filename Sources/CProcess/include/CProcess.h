#ifndef KANMON_CPROCESS_H
#define KANMON_CPROCESS_H

#include <poll.h>
#include <stdint.h>
#include <sys/types.h>

/// What to start, and with what. All strings are absolute paths or UTF-8 text and are only read during the call.
struct cprocess_command {
    const char *path;
    char *const *arguments;
    char *const *environment;
    const char *directory;
    /// Becomes standard output.
    int output;
    /// Becomes standard error; may equal `output`.
    int error;
    /// Whether the reaper is the first process of a PID namespace of its own, with a /proc of its own.
    int namespaced;
    /// The folder of the cgroup that the child joins and the reaper removes in the end; NULL for none.
    const char *cgroup;
};

/// A started child and the reaper above it.
struct cprocess_child {
    /// The reaper's process id; it ends once the whole tree has ended, and its parent has to wait for it.
    pid_t reaper;
    /// Delivers `struct cprocess_report`s; its end means that the whole tree is gone.
    int reports;
    /// Closing it ends the whole tree with SIGKILL.
    int control;
    /// How many bytes the smaller of its pipes holds; -1 when one is no pipe.
    int capacity;
};

/// What a report tells.
enum cprocess_report_kind {
    /// The child runs; the value is its process id as the caller's namespace counts.
    CPROCESS_STARTED = 1,
    /// The child could not be started; the value is `errno`.
    CPROCESS_NOT_STARTED = 2,
    /// The child exited; the value is its status.
    CPROCESS_EXITED = 3,
    /// A signal ended the child; the value is its number.
    CPROCESS_SIGNALED = 4,
};

/// One report, written in one piece.
struct cprocess_report {
    int32_t kind;
    int32_t value;
};

/// Starts a child below a reaper in a session of its own: standard input is /dev/null, no signal is blocked or ignored,
/// no other descriptor is inherited. Returns 0, or `errno` when not even the reaper could be started.
int cprocess_start(const struct cprocess_command *command, struct cprocess_child *child);

/// Tries what `namespaced` needs, in a process of its own; returns 0, or `errno` of what the system refuses.
int cprocess_probe_namespace(void);

/// Tries to move a process of its own into the cgroup of a folder; returns 0, or `errno`.
int cprocess_probe_cgroup(const char *folder);

/// Makes a pipe whose ends no other program inherits; returns 0 or -1 and sets `errno`.
int cprocess_pipe(int *ends);

/// `poll` that waits in nanoseconds, at most so long; an entry whose descriptor is -1 is not looked at.
int cprocess_poll(struct pollfd *entries, unsigned long count, long long nanoseconds);

#endif
