// What the parts of the preloaded library know of each other.
#pragma once

// Keeps the counters of this process in files of a folder from now on.
void kanmon_keep_counters(const char *folder);

// Has SIGQUIT show where the tests hang, and lets the observer, if there is one, tell what they wait for.
void kanmon_show_places(void (*observer)(void));

// Hands the library and the folder down to children that are this very program.
void kanmon_hand_down(const char *library, const char *folder);
