#ifndef TROUBLE_H
#define TROUBLE_H

#include <sys/types.h>

/// fork(), which Swift does not let anybody call.
pid_t trouble_fork(void);

/// system(), for what is said best in shell.
int trouble_shell(const char *command);

/// Starts a command and does not wait for it; its standard streams are the caller's.
pid_t trouble_start(const char *command);

#endif
