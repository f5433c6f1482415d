#pragma once

// Calls a function in a child that is forked without exec, which then ends without any handler; answers how it ended.
int call_in_child(void (*function)(void));
