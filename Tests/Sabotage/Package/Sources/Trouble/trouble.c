#include "trouble.h"

#include <stdlib.h>
#include <unistd.h>

pid_t trouble_fork(void) { return fork(); }

int trouble_shell(const char *command) { return system(command); }

pid_t trouble_start(const char *command) {
    pid_t pid = fork();
    if (pid == 0) {
        execl("/bin/sh", "sh", "-c", command, (char *)0);
        _exit(127);
    }
    return pid;
}
