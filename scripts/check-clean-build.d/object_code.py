"""Compares the objects of two builds of the same files in the same folder."""

import pathlib
import re
import shutil
import subprocess

# That of the toolchain; another one may not know what it reads.
OBJDUMP = str(pathlib.Path(shutil.which("swift") or "swift").resolve().with_name("llvm-objdump"))
NO_DATA = (".text", ".debug", ".rel", ".llvm", "__llvm", ".comment", ".note", ".symtab", ".strtab", ".shstrtab", ".group",
           ".eh_frame", ".swift1_autolink", ".swift_modhash")


def differences(one: pathlib.Path, other: pathlib.Path) -> list[str]:
    """How the objects and resources of two builds differ: a line for each file, with its functions."""
    left, right = _files(one), _files(other)
    faults = [f"{path}: only in the {'incremental' if path in left else 'clean'} build" for path in sorted(left ^ right)]
    for path in sorted(left & right):
        if (one / path).read_bytes() == (other / path).read_bytes():
            continue
        before, after = _parts(one / path), _parts(other / path)
        changed = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
        if changed:
            faults.append(f"{path}: {len(changed)} parts differ: {', '.join(changed[:5])}")
    return faults


def _files(build: pathlib.Path) -> set[str]:
    """The objects that are linked, and resources, relative to the build."""
    linked = set()
    for listing in build.glob("*.product/Objects.LinkFileList"):
        for line in listing.read_text().splitlines():
            path = line.strip().strip("'\"")
            if path.endswith(".o") and not path.endswith(".swiftmodule.o"):
                linked.add(path.partition("/debug/")[2])
    return linked | {
        str(path.relative_to(build)) for folder in build.glob("*.resources") for path in folder.rglob("*") if path.is_file()}


def _parts(path: pathlib.Path) -> dict[str, str]:
    """The code of each function, with what its relocations name, and the data of each section, without places."""
    if path.suffix != ".o":
        return {path.name: path.read_bytes().hex()}
    text = subprocess.run([OBJDUMP, "-d", "-r", "-s", "--no-show-raw-insn", "--no-leading-addr", str(path)],
                          capture_output=True, text=True, check=True, errors="replace").stdout
    parts: dict[str, list[str]] = {}
    name = None
    for line in text.splitlines():
        if line.startswith("<") and line.endswith(">:"):
            name = line[1:-2]
        elif line.startswith(("Contents of section ", "Disassembly of section ")):
            section = line.removeprefix("Contents of section ").rstrip(":")
            name = None if line.startswith("D") or section.startswith(NO_DATA) else f"(data of {section})"
        elif name and "\tnop" not in line:
            # What a call or jump leads to is named behind its place.
            parts.setdefault(name, []).append(re.sub(r"[^\s]+ (?=<)", "", line))
    return {name: "\n".join(lines) for name, lines in parts.items()}
