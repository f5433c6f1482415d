"""Starts Kanmon's server for as long as it is needed."""

import collections
import contextlib
import pathlib
import re
import subprocess
import threading
import typing


# How many lines of its log are kept.
LOG = 100_000


class Server(typing.NamedTuple):
    process: subprocess.Popen
    address: str  # without a slash at its end
    log: collections.deque  # its lines since it serves; all of them when it has ended

    @property
    def port(self) -> int:
        return int(self.address.rsplit(":", 1)[1])


def peak_memory(process: subprocess.Popen) -> int:
    """The most memory that a running process has had, in bytes."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", status).group(1)) << 10


@contextlib.contextmanager
def serving(kanmon, *words, port=0, **options) -> typing.Iterator[Server]:
    """Starts `serve` or `demo` with some options at a port, by default a free one; ends it afterwards."""
    reader = None
    process = subprocess.Popen([kanmon, *words, "--port", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                               **options)
    try:
        for line in process.stderr:
            if found := re.search(r"serving on (http://\S+?)/?$", line.strip()):
                # A server whose log nobody reads waits for a reader once the pipe is full.
                log = collections.deque(maxlen=LOG)
                reader = threading.Thread(target=log.extend, args=(process.stderr,), daemon=True)
                reader.start()
                yield Server(process, found.group(1), log)
                return
        raise SystemExit(f"kanmon {words[0]} ended before it served anything")
    finally:
        process.terminate()
        try:
            process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if reader:
            reader.join(timeout=60)
