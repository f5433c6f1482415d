#!/usr/bin/env python3
"""Writes a manual page for each command, from what `kanmon --experimental-dump-help` prints.

usage: kanmon --experimental-dump-help | scripts/package.d/man_pages.py FOLDER VERSION DATE
"""

import json
import pathlib
import re
import sys


def escaped(text: str) -> str:
    """Text for troff: no character of it is a command, and hyphens of options can be copied from the page."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\`").replace("'", "\\(aq").replace("^", "\\(ha").replace("~", "\\(ti")
    return "\n".join("\\&" + line if line.startswith(".") else line for line in text.split("\n"))


def prose(text: str) -> list:
    """A discussion: lines of capitals are headings, indented lines stay as they are, the others are paragraphs."""
    lines, kept = [], False
    for line in text.split("\n"):
        if line.startswith(" ") != kept and line:
            kept = not kept
            lines.append(".nf" if kept else ".fi")
        if not line:
            lines.append(".PP")
        elif re.fullmatch(r"[A-Z][A-Z ]+", line):
            lines.append(f".SH {line}")
        else:
            lines.append(escaped(line))
    if kept:
        lines.append(".fi")
    # A heading makes its own space.
    return [line for line, after in zip(lines, [*lines[1:], ""]) if line != ".PP" or not after.startswith((".SH", ".nf", ".fi"))]


def spelled(name: dict) -> str:
    return ("--" if name["kind"] == "long" else "-") + name["name"]


def placeholder(argument: dict) -> str:
    return "" if argument["kind"] == "flag" else f"<{argument['valueName']}>"


def usage(argument: dict) -> str:
    """How an argument stands in the synopsis."""
    words = placeholder(argument)
    if argument["kind"] != "positional":
        words = f"{spelled(argument['preferredName'])} {words}".strip()
    words += " ..." if argument["isRepeating"] else ""
    return f"[{words}]" if argument["isOptional"] else words


def described(argument: dict) -> list:
    """An argument in the list of options."""
    names = " ".join(filter(None, [", ".join(map(spelled, argument.get("names", []))), placeholder(argument)]))
    words = argument.get("abstract", "")
    if (default := argument.get("defaultValue")) and "default:" not in words:
        words = f"{words} (default: {default})".strip()
    return [".TP", f"\\fB{escaped(names)}\\fP", *prose(words)]


def page(command: dict, path: list, version: str, date: str) -> str:
    arguments = [argument for argument in command.get("arguments", []) if argument["shouldDisplay"]]
    shown = subcommands(command)
    words = " ".join([*path, *(["<subcommand>"] if shown else [usage(argument) for argument in arguments])])
    lines = [
        f'.TH {"-".join(path).upper()} 1 {date} "Kanmon {version}" "Kanmon"',
        ".nh", ".ad l", ".SH NAME", f"{escaped('-'.join(path))} \\- {escaped(command['abstract'])}",
        ".SH SYNOPSIS", escaped(words)]
    if text := command.get("discussion"):
        lines += [".SH DESCRIPTION", *prose(text)]
    if arguments:
        lines.append(".SH OPTIONS")
    for argument in arguments:
        lines += described(argument)
    if shown:
        lines.append(".SH COMMANDS")
    for other in shown:
        lines += [".TP", f"\\fB{escaped('-'.join([*path, other['commandName']]))}\\fP(1)", escaped(other["abstract"])]
    if len(path) > 1:
        lines += [".SH SEE ALSO", f"\\fB{escaped('-'.join(path[:-1]))}\\fP(1)"]
    return "\n".join(lines) + "\n"


def subcommands(command: dict) -> list:
    """Those that are shown in the help, without `help` itself, which prints what is in the pages."""
    return [other for other in command.get("subcommands", []) if other["shouldDisplay"] and other["commandName"] != "help"]


def write(folder: pathlib.Path, command: dict, path: list, version: str, date: str) -> None:
    path = [*path, command["commandName"]]
    (folder / f"{'-'.join(path)}.1").write_text(page(command, path, version, date))
    for other in subcommands(command):
        write(folder, other, path, version, date)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    write(pathlib.Path(sys.argv[1]), json.load(sys.stdin)["command"], [], *sys.argv[2:])
