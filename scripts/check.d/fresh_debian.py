"""A fresh Debian in a folder, made by debootstrap, and commands that run in it."""

import pathlib
import re
import shlex
import shutil
import subprocess
import time

import surroundings
import tools

# What a machine has on which Swift is used, beside what the package itself asks for.
SWIFT_NEEDS = ("libc6-dev", "libgcc-12-dev", "libstdc++-12-dev", "libcurl4", "libedit2", "libncurses6", "binutils", "ca-certificates",
               "man-db")
# Where the toolchain is, inside.
SWIFT = "/usr/local/swift"
# What dpkg, apt and the tools of accounts keep for themselves.
BOOKKEEPING = re.compile(r"^/(var/lib/dpkg|var/cache|var/log|var/lib/apt|tmp|run)/|^/etc/(passwd|group|shadow|gshadow|subuid|subgid)-$")


class Machine:
    """A fresh Debian in a folder. The toolchain of this machine is in it as long as a command runs."""

    def __init__(self, folder: pathlib.Path, packages: tuple = SWIFT_NEEDS):
        self.root = folder / "debian"
        self.swift = pathlib.Path(shutil.which("swift")).resolve().parents[1]
        sources = pathlib.Path("/etc/apt/sources.list.d/debian.sources")
        mirror = re.search(r"^URIs: (\S+)", sources.read_text(), re.M) if sources.exists() else None
        mirror = mirror.group(1) if mirror else "http://deb.debian.org/debian"
        more = [f"--include={','.join(packages)}"] if packages else []
        done = subprocess.run([tools.HERE / "patiently", "debootstrap", "--variant=minbase", *more, "bookworm", self.root, mirror],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"debootstrap ends with {done.returncode}:\n{done.stdout[-2000:]}")
        self.path(SWIFT).mkdir(parents=True)

    def command(self, words: list, user: str = "root", environment: dict | None = None) -> list:
        """A command line that runs another one inside, with mounts that end with it."""
        settings = {"PATH": f"/usr/sbin:/usr/bin:/sbin:/bin:{SWIFT}/bin", "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive",
                    "TERM": "dumb"} | surroundings.PERSON | (environment or {})
        root = shlex.quote(str(self.root))
        script = (f"mount --rbind /proc {root}/proc && mount --rbind /dev {root}/dev && "
                  f"mount --bind {shlex.quote(str(self.swift))} {root}{SWIFT} && mount -o remount,bind,ro {root}{SWIFT} && "
                  f'exec chroot --userspec={user} {root} env -i "$@"')
        return ["unshare", "--mount", "sh", "-c", script, "sh",
                *(f"{name}={value}" for name, value in settings.items()), *map(str, words)]

    def run(self, *words, user: str = "root", **environment):
        """Runs a command inside; the result has both streams in `stdout`, and how long it took in `seconds`."""
        begun = time.monotonic()
        done = subprocess.run(self.command(words, user, environment), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", timeout=900, check=False)
        done.seconds = time.monotonic() - begun
        return done

    def path(self, inside: str) -> pathlib.Path:
        return self.root / inside.lstrip("/")

    def files(self) -> set:
        found = subprocess.run(["find", self.root, "-xdev", "-printf", "/%P\n"], stdout=subprocess.PIPE, text=True, check=True)
        return {line for line in found.stdout.splitlines() if not BOOKKEEPING.search(line)}
