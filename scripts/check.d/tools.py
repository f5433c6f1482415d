"""The programs that a check needs: Kanmon itself, and other tools."""

import os
import pathlib
import site
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = pathlib.Path(__file__).resolve().parent


def kanmon(configuration: str | None = None, product: str = "kanmon") -> str:
    """The Kanmon that KANMON_BINARY names, or that of this clone, rebuilt if a source is newer.

    A debug build by default; a parameter or KANMON_CONFIGURATION changes that. Another product is in the folder of KANMON_BINARY.
    """
    if named := os.environ.get("KANMON_BINARY"):
        path = pathlib.Path(named).resolve()
        return str(path if product == "kanmon" else path.with_name(product))
    configuration = configuration or os.environ.get("KANMON_CONFIGURATION") or "debug"
    chosen = {"KANMON_CONFIGURATION": configuration, "KANMON_PRODUCT": product}
    subprocess.run([ROOT / "scripts" / "kanmon", "--help"], stdout=subprocess.DEVNULL, check=True, env=os.environ | chosen)
    return str((ROOT / ".build" / configuration / product).resolve())


def set_up(*commands: str) -> None:
    """Installs those of some programs that are missing, under the names of scripts/setup."""
    subprocess.run([ROOT / "scripts" / "setup", *commands], check=True)


def use_from_pypi(requirements: pathlib.Path) -> None:
    """Makes the programs and modules of a requirements file usable here, from a virtual environment that is made once."""
    set_up("python3", "venv", "flock")
    done = subprocess.run([HERE / "environment", requirements], check=True, text=True, stdout=subprocess.PIPE)
    programs = pathlib.Path(done.stdout.strip())
    os.environ["PATH"] = f"{programs}:{os.environ['PATH']}"
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    site.addsitedir(str(programs.parent / "lib" / version / "site-packages"))
