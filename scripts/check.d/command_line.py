"""The command line of a check, read from its docstring: a sentence, a paragraph that begins with `usage:`, and the rest."""

import argparse
import pathlib
import sys

USAGE_ERROR = 64
STATUSES = """exit status: 0 if everything is as expected, 1 if something is not, 2 if there was nothing to compare,
64 for wrong arguments."""
BINARY = " KANMON_BINARY names a Kanmon to check instead\nof the one that is built from this clone."


class Parser(argparse.ArgumentParser):
    """Ends with Kanmon's exit status for wrong arguments."""

    def error(self, message: str):
        self.print_usage(sys.stderr)
        self.exit(USAGE_ERROR, f"{self.prog}: {message}\n")


def parser(docstring: str, needs_kanmon: bool = True) -> argparse.ArgumentParser:
    """The parser of the script that is running."""
    head, usage, *rest = docstring.strip().split("\n\n")
    if not usage.startswith("usage: "):
        raise SystemExit(f"{sys.argv[0]}: its docstring has no usage")
    return Parser(
        prog=pathlib.Path(sys.argv[0]).name, usage=usage.removeprefix("usage: "), description="\n\n".join([head, *rest]),
        epilog=STATUSES + (BINARY if needs_kanmon else ""), formatter_class=argparse.RawDescriptionHelpFormatter)


def names(parser: argparse.ArgumentParser, available: list) -> None:
    """Accepts some of the given names; without any, all are meant."""
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which: {', '.join(available)}")
    parser.available = available


def chosen(parser: argparse.ArgumentParser, given: list) -> list:
    """The named ones, in the order of all; all if none is named."""
    if unknown := [name for name in given if name not in parser.available]:
        parser.error(f"nothing is called {', '.join(unknown)}")
    return [name for name in parser.available if not given or name in given]
