"""Finds the processes that a program left behind, without the program's help."""

import ctypes
import os
import signal
import time

PR_SET_CHILD_SUBREAPER = 36


def adopt() -> None:
    """Lets this process adopt every orphan among its descendants, so that none can escape."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise SystemExit("this kernel does not allow a process to adopt orphans")


def _table() -> dict:
    """Process id → (parent, state, name)."""
    table = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/stat", "rb") as file:
                text = file.read().decode(errors="replace")
        except OSError:
            continue
        name, rest = text[text.index("(") + 1:].rsplit(")", 1)
        state, parent = rest.split()[:2]
        table[int(entry)] = (int(parent), state, name)
    return table


def alive(top: int | None = None) -> dict:
    """Every living descendant of a process, this one unless another is named, by id.

    What has ended and waits to be collected is not alive.
    """
    top = top or os.getpid()
    table = _table()
    found = {top}
    grew = True
    while grew:
        more = {pid for pid, (parent, _, _) in table.items() if parent in found} - found
        found |= more
        grew = bool(more)
    return {pid: table[pid][2] for pid in found if pid != top and table[pid][1] not in "ZX"}


def collect() -> None:
    """Reaps adopted children that have ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def survivors(within: float = 2) -> dict:
    """Waits some seconds for all descendants to end; returns those that are still alive."""
    end = time.monotonic() + within
    while True:
        collect()
        living = alive()
        if not living or time.monotonic() >= end:
            return living
        time.sleep(0.02)


def bury() -> None:
    """Ends descendants of this process until none is left."""
    for _ in range(500):
        collect()
        living = alive()
        if not living:
            return
        for pid in living:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.01)
    raise SystemExit(f"these processes cannot be ended: {alive()}")
