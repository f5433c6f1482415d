#!/usr/bin/env python3
"""Looks for asynchronous functions of a release that write behind their own frame.

usage: scripts/check.d/frames.py BINARY     (with its symbols)

The frame of an asynchronous function is memory of the task, of a size that the compiler writes down beside the function. Swift 6.3 has
been seen to write down too little where a large value was moved across an `await` in a returned expression: the function then
overwrites whatever lies behind, and the server crashes somewhere else, or answers nonsense. It happens in optimized code only, and
no test sees it; the machine code shows it.
"""

import pathlib
import re
import struct
import subprocess
import sys
import typing

# The parts of a function, after each `await`: those that begin with their frame, and those that begin with that of who was called.
PART = re.compile(r"T[YQ]\d*_$")
RESUMED = re.compile(r"TQ\d*_$")
SYMBOL = re.compile(r"^[0-9a-f]+ <(.*)>:$")
# The register of the frame on x86-64 and on arm64.
PLACES = {"x86_64": re.compile(r"0x([0-9a-f]+)\(%r14\)"), "aarch64": re.compile(r"\[x22, #(\d+)\]")}
ENDS = {
    # Another frame, or a function that has no symbol.
    "x86_64": re.compile(r",%r14$|\bpop +%r14|0:\s+push +%rbp"),
    "aarch64": re.compile(r"\b(mov|ldr|ldp|add|sub)\s+x22\b|0:\s+stp\s+x29, x30"),
}
# What is farther away belongs to no frame.
FARTHEST = 1 << 20


class Overrun(typing.NamedTuple):
    function: str
    size: int  # of its frame, in bytes
    place: int  # the farthest that it uses, in bytes from the begin of the frame


def lines(*command) -> typing.Iterator[str]:
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as process:
        for line in process.stdout:
            yield line.rstrip("\n")
    if process.returncode:
        raise SystemExit(f"{command[0]} ended with {process.returncode}")


def sizes(binary: pathlib.Path) -> dict:
    """The size of the frame of each asynchronous function, in bytes, by its symbol."""
    sections = []
    for line in lines("readelf", "--sections", "--wide", binary):
        if found := re.match(r"\s*\[\s*\d+\]\s+\S+\s+\S+\s+([0-9a-f]+)\s+([0-9a-f]+)\s+([0-9a-f]+)", line):
            address, offset, size = (int(word, 16) for word in found.groups())
            if address:
                sections.append((address, offset, size))
    found = {}
    with open(binary, "rb") as file:
        for line in lines("nm", binary):
            address, name = line.split(" ", 1)[0], line.rsplit(" ", 1)[-1]
            if not name.endswith("Tu") or not address:
                continue
            place = int(address, 16)
            for begin, offset, size in sections:
                if begin <= place and place + 8 <= begin + size:
                    # How far away the function is, and the size.
                    file.seek(offset + place - begin + 4)
                    found[name.removesuffix("Tu")] = struct.unpack("<I", file.read(4))[0]
                    break
    return found


def overruns(binary: pathlib.Path) -> tuple:
    """The functions that use more than their frame, and how many were looked at."""
    machine = next((line.split(":")[1].strip() for line in lines("readelf", "--file-header", binary) if "Machine:" in line), "")
    machine = {"Advanced Micro Devices X86-64": "x86_64", "AArch64": "aarch64"}.get(machine, machine)
    if machine not in PLACES:
        raise SystemExit(f"{binary}: the frames of {machine} are not known here")
    known, farthest, function = sizes(binary), {}, None
    for line in lines("objdump", "--disassemble", "--no-show-raw-insn", binary):
        if found := SYMBOL.match(line):
            name = PART.sub("", found.group(1))
            function = name if name in known and not RESUMED.search(found.group(1)) else None
            begins = True
            continue
        if function is None:
            continue
        for place in PLACES[machine].findall(line):
            offset = int(place, 16 if machine == "x86_64" else 10)
            if known[function] <= offset < FARTHEST:
                farthest[function] = max(farthest.get(function, 0), offset)
        if not begins and ENDS[machine].search(line):
            function = None
        begins = False
    return [Overrun(name, known[name], place) for name, place in sorted(farthest.items())], len(known)


def told(binary: pathlib.Path) -> list:
    """A line for each function that uses more than its frame. Without any function to look at, that is one, too."""
    found, count = overruns(binary)
    if not count:
        return [f"{binary} has no symbols of asynchronous functions to look at"]
    names = subprocess.run(["swift", "demangle", "--simplified", "--compact"], input="\n".join(each.function for each in found),
                           stdout=subprocess.PIPE, text=True, check=False).stdout.splitlines() if found else []
    if len(names) != len(found):
        names = [each.function for each in found]
    return [f"{name} uses byte {each.place} of a frame of {each.size}" for each, name in zip(found, names)]


if __name__ == "__main__":
    wrong = told(pathlib.Path(sys.argv[1]))
    for line in wrong:
        print(line, file=sys.stderr)
    sys.exit(1 if wrong else 0)
