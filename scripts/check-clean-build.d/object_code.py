"""Compares the objects of two builds of the same files in the same folder."""

import pathlib
import re
import shutil
import subprocess

# That of the toolchain; another one may not know what it reads.
OBJDUMP = str(pathlib.Path(shutil.which("swift") or "swift").resolve().with_name("llvm-objdump"))
NO_DATA = (".text", ".debug", ".rel", ".llvm", "__llvm", ".comment", ".note", ".symtab", ".strtab", ".shstrtab", ".group",
           ".eh_frame", ".swift1_autolink", ".swift_modhash")
NUMBER = re.compile(r"\.\d+")


def differences(one: pathlib.Path, other: pathlib.Path) -> list[str]:
    """How the objects and resources of two builds differ: a line for each file, with its functions."""
    left, right = _files(one), _files(other)
    faults = [f"{path}: only in the {'incremental' if path in left else 'clean'} build" for path in sorted(left ^ right)]
    for path in sorted(left & right):
        if (one / path).read_bytes() == (other / path).read_bytes():
            continue
        changed = _changed(one / path, other / path)
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


def _changed(one: pathlib.Path, other: pathlib.Path) -> list[str]:
    """The names of what differs between two files."""
    if one.suffix != ".o":
        return [one.name]
    exact = pathlib.Path(one.stem).suffix not in ("", ".swift")
    (before, old), (after, new) = _parts(one, exact), _parts(other, exact)
    if exact:
        # Other compilers than that of Swift make the same of the same files each time.
        return sorted((old ^ new) | {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)})
    if _opaque(before) != _opaque(after):
        # Whether `some` is seen through in the result of a function of another file depends on which files a compiler has at once.
        return []
    changed = old ^ new
    if one.name == "all-discovered-tests.swift.o":
        # SwiftPM calls the test targets in an order of chance.
        before, after = ({name: sorted(lines) for name, lines in parts.items()} for parts in (before, after))
    for name in before.keys() & after.keys():
        is_data = name.startswith("(")
        if before[name] != after[name] and not (is_data and len(before[name]) != len(after[name])):
            changed.add(name)
    return sorted(changed)


def _opaque(parts: dict[str, list[str]]) -> set[str]:
    return {line for lines in parts.values() for line in lines if line.startswith("\t\tR_") and "Qo_" in line}


def _parts(path: pathlib.Path, exact: bool) -> tuple[dict[str, list[str]], set[str]]:
    """The code of each function, with what its relocations name, the words of each data section in order of size, and the exported
    names; all of it without places, and without numbers that tell symbols apart. Of an exact object everything as it is, with the bytes of
    code and what data refers to, and only what debuggers, linkers and coverage read left out."""
    text = subprocess.run([OBJDUMP, "-d", "-r", "-s", "-t", "--no-show-raw-insn", "--no-leading-addr", str(path)],
                          capture_output=True, text=True, check=True, errors="replace").stdout
    exported = {match[1] for match in re.finditer(
        r"(?m)^[0-9a-f]{16} g .{5} (?!\*UND\*)\S+\t[0-9a-f]+ (?:\.hidden |\.protected |\.internal )?(.*)$", text)}
    parts: dict[str, list[str]] = {}
    name = None
    for line in text.splitlines():
        if line.startswith("<") and line.endswith(">:"):
            name = line[1:-2] if exact else NUMBER.sub("", line[1:-2])
        elif line.startswith(("Contents of section ", "Disassembly of section ")):
            section = line.removeprefix("Contents of section ").rstrip(":")
            data = re.sub(r"^\.rela?(?=\.)", "", section) if exact else section
            is_read = not data.startswith(NO_DATA) or exact and section.startswith(".text")
            name = f"(data of {section})" if line.startswith("C") and is_read else None
        elif name and name.startswith("("):
            parts.setdefault(name, []).extend(line[6:41].split())
        elif name and exact:
            parts.setdefault(name, []).append(line)
        elif name and "\tnop" not in line:
            # What a call or jump leads to is named behind its place; of a section, only places are named.
            line = re.sub(r"(\t\tR_\w+\t\.[\w.]*?)[+-]0x.*", r"\1", re.sub(r"[^\s]+ (?=<)", "", line))
            parts.setdefault(name, []).append(NUMBER.sub("", line))
    return {name: sorted(lines) if name.startswith("(") and not exact else lines for name, lines in parts.items()}, exported
