#!/usr/bin/env python3
"""Writes an object with the data of ICU that Kanmon needs, and prints the options for the linker that use it.

usage: scripts/package.d/lean_icu.py OBJECT

The 34 MB of data in the Swift toolchain's own library of ICU are about all languages of the world; Kanmon speaks English. For another
locale ICU then takes what it has for all of them, as it does for one that it does not know. What belongs to no language stays: time
zones, plurals, normalisation, calendars, breaks between characters, words and sentences.
"""

import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

MEMBER = "icu_packaged_data.cpp.o"
# What only functions need that Kanmon has no use for: without it they give a plainer answer, or none.
UNUSED = re.compile(
    # Converters between encodings; dictionaries of languages without spaces; names for protocols; names that look alike.
    r".*\.(cnv|dict|spp|cfu)|cnvalias\.icu"
    # The order of letters in a language, names of languages, regions and units, transliteration.
    r"|(coll|lang|region|unit|translit)/.*"
    # Names of characters, their place in a word, and emoji of several characters; further forms of normalisation.
    r"|(unames|ulayout|uemoji)\.icu|nfkc_s?cf\.nrm"
    # The languages that are likely in a region, and the time zones of Windows.
    r"|(langInfo|likelySubtags|windowsZones)\.res"
    # Where lines may break: only as everywhere.
    r"|brkitr/line_.*\.brk|brkitr/.*_(cj|loose|normal|strict|phrase).*\.brk")
# Files of one language, such as zone/de_CH.res; the names of other tables are longer.
LANGUAGE = re.compile(r"(?:[a-z]+/)?([a-z]{2,3}(?:_\w*)?)\.res")
SPOKEN = {"en", "en_001", "en_US", "en_US_POSIX"}


def is_kept(name: str) -> bool:
    language = LANGUAGE.fullmatch(name)
    return not UNUSED.fullmatch(name) and (not language or language.group(1) in SPOKEN)


def without_unused(data: bytes) -> bytes:
    """A package of ICU's data: a header, a table of names and places, the names, then the contents, each at a multiple of 16."""
    begin, = struct.unpack_from("<H", data)
    if data[2:4] != b"\xda\x27" or data[12:17] != b"CmnD\x01":
        raise SystemExit("lean_icu: the data of ICU have another format")
    count, = struct.unpack_from("<I", data, begin)
    places = [struct.unpack_from("<II", data, begin + 4 + 8 * index) for index in range(count)]
    ends = [place for _, place in places[1:]] + [len(data) - begin]
    items = []
    for (name, place), end in zip(places, ends):
        path = data[begin + name:data.index(b"\0", begin + name)]
        if is_kept(path.decode().partition("/")[2]):
            items.append((path + b"\0", data[begin + place:begin + end]))
    table, names, contents = struct.pack("<I", len(items)), b"", b""
    first_name = 4 + 8 * len(items)
    first_content = -(-(first_name + sum(len(path) for path, _ in items)) // 16) * 16
    for path, content in items:
        table += struct.pack("<II", first_name + len(names), first_content + len(contents))
        names += path
        contents += content + bytes(-len(content) % 16)
    return data[:begin] + (table + names).ljust(first_content, b"\0") + contents


def library() -> pathlib.Path:
    shown = subprocess.run(["swiftc", "-print-target-info", "-static-stdlib"], stdout=subprocess.PIPE, check=True).stdout
    return pathlib.Path(json.loads(shown)["paths"]["runtimeLibraryPaths"][0], "lib_FoundationICU.a")


def main(made: pathlib.Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        place = pathlib.Path(name)
        subprocess.run(["ar", "x", library(), MEMBER], cwd=place, check=True)
        subprocess.run(["objcopy", "-O", "binary", "--only-section=.rodata", MEMBER, "all.dat"], cwd=place, check=True)
        shown = subprocess.run(["nm", "--defined-only", MEMBER], cwd=place, stdout=subprocess.PIPE, text=True, check=True).stdout
        symbol = re.fullmatch(r"0+ R (icudt\d+_dat)\n", shown)
        if not symbol:
            raise SystemExit(f"lean_icu: {MEMBER} has other symbols than the data:\n{shown}")
        (place / "lean.dat").write_bytes(without_unused((place / "all.dat").read_bytes()))
        (place / "data.s").write_text(f"""\
            .section .rodata
            .globl kanmon_icu_data
            .type kanmon_icu_data, @object
            .balign 16
            kanmon_icu_data: .incbin "lean.dat"
            .size kanmon_icu_data, . - kanmon_icu_data
            .section .note.GNU-stack, "", @progbits
            """)
        subprocess.run(["as", "-o", made, "data.s"], cwd=place, check=True)
    # The data of the library are then referred to by nothing, and left out by --gc-sections.
    print("-Xlinker", made, "-Xlinker", f"--defsym={symbol[1]}=kanmon_icu_data")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]).resolve())
