#include "CFork.h"

#include <sys/wait.h>
#include <unistd.h>

int call_in_child(void (*function)(void)) {
    pid_t child = fork();
    if (child == 0) {
        function();
        _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}
