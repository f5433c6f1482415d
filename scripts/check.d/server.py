"""Starts Kanmon's server for as long as it is needed."""

import contextlib
import pathlib
import re
import subprocess
import typing


class Server(typing.NamedTuple):
    process: subprocess.Popen
    address: str  # without a slash at its end

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
    process = subprocess.Popen([kanmon, *words, "--port", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                               **options)
    try:
        for line in process.stderr:
            if found := re.search(r"serving on (http://\S+?)/?$", line.strip()):
                yield Server(process, found.group(1))
                return
        raise SystemExit(f"kanmon {words[0]} ended before it served anything")
    finally:
        process.terminate()
        try:
            process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
