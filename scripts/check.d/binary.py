"""Which program the checks are about."""

import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def kanmon_binary() -> str:
    """The one that KANMON_BINARY names, or else the newest that is built."""
    if chosen := os.environ.get("KANMON_BINARY"):
        return str(pathlib.Path(chosen).resolve())
    subprocess.run([ROOT / "scripts" / "kanmon", "--version"], stdout=subprocess.DEVNULL, check=True)
    built = [ROOT / ".build" / kind / "kanmon" for kind in ("release", "debug")]
    return str(max((path for path in built if path.exists()), key=lambda path: path.stat().st_mtime).resolve())
