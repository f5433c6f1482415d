"""The rows of scripts/bench about the program that the Debian package installs: its size, and how long it takes to start."""

import os
import pathlib
import shutil

# A program with all of Foundation and all data of ICU, and nothing else.
EMPTY = "import Foundation\nprint(DateFormatter().string(from: Date()))\n"


def installed(bench) -> pathlib.Path:
    """The program in the package of the last commit; a static release that KANMON_BINARY names is packaged, and not built again."""
    commit = bench.shell("git", "-C", bench.ROOT, "rev-parse", "HEAD").strip()
    folder = bench.WORK / f"package-{commit}"
    named = os.environ.get("KANMON_BINARY")
    if named or not folder.exists():
        part = folder.with_suffix(".part")
        for old in (part, folder):
            shutil.rmtree(old, ignore_errors=True)
        bench.shell(bench.ROOT / "scripts" / "package", "--out", part, *(["--binary", named] if named else []))
        bench.shell("dpkg-deb", "-x", next(part.glob("*.deb")), part)
        part.rename(folder)
    return folder / "usr" / "bin" / "kanmon"


def empty(bench) -> pathlib.Path:
    source, program = bench.WORK / "empty.swift", bench.WORK / "empty"
    if not program.exists() or source.read_text() != EMPTY:
        source.write_text(EMPTY)
        bench.shell("swiftc", "-static-stdlib", source, "-o", program)
        bench.shell("strip", program)
    return program


def rows(bench) -> list:
    program, least = installed(bench), empty(bench)
    size, least_size = (file.stat().st_size / 1e6 for file in (program, least))
    return [
        bench.Size("installed program", size, least_size, "Foundation alone", "MB", 60),
        bench.Row("installed program: start", bench.Side("kanmon", [program, "--version"]),
                  bench.Side("git", ["git", "--version"]), "wall", 1.0, 0.01, pairs=21),
    ]
