#!/usr/bin/env python3
"""Writes the bill of materials of a Kanmon as CycloneDX: the Swift packages and the toolchain it is built from, and the Debian
packages whose libraries it loads.

usage: swift package show-dependencies --format json | scripts/package.d/sbom.py BINARY VERSION TIME

The packages are all that the build has resolved, also the few that only tests or other systems need.
"""

import json
import pathlib
import re
import subprocess
import sys


def said(*words) -> str:
    return subprocess.run(list(map(str, words)), stdout=subprocess.PIPE, text=True, check=True).stdout


def component(kind: str, name: str, version: str, purl: str) -> dict:
    return {"type": kind, "bom-ref": purl, "name": name, "version": version, "purl": purl}


def swift_package(package: dict) -> dict:
    place = re.sub(r"^https://|\.git$", "", package["url"])
    return component("library", place.rsplit("/", 1)[1], package["version"], f"pkg:swift/{place}@{package['version']}")


def packages(package: dict, found: dict, needs: dict) -> list:
    """The references of what a package needs; adds each to `found`, and what it needs itself to `needs`."""
    references = set()
    for other in package["dependencies"]:
        described = swift_package(other)
        reference = described["bom-ref"]
        references.add(reference)
        if reference not in found:
            found[reference] = described
            needs[reference] = packages(other, found, needs)
    return sorted(references)


def toolchain() -> dict:
    version = re.search(r"Swift version (\S+)", said("swift", "--version")).group(1)
    return component("framework", "swift", version, f"pkg:github/swiftlang/swift@swift-{version}-RELEASE")


def debian_packages(binary: pathlib.Path) -> dict:
    """Those that own the libraries which the loader finds for the program."""
    found = {}
    for library in re.findall(r"=> (/\S+)", said("ldd", binary)):
        # Without what is before it: dpkg may know the file in /lib, and the loader finds it in /usr/lib.
        file = pathlib.Path(library).resolve()
        name = said("dpkg-query", "--search", f"*/{file.parent.name}/{file.name}").split(":")[0]
        version, architecture = said("dpkg-query", "--show", "--showformat", "${Version} ${Architecture}", name).split()
        purl = f"pkg:deb/debian/{name}@{version.replace('+', '%2B').replace(':', '%3A')}?arch={architecture}"
        found[purl] = component("library", name, version, purl)
    return found


def main(binary: pathlib.Path, version: str, time: str) -> None:
    found, needs = {}, {}
    direct = packages(json.load(sys.stdin), found, needs)
    others = {part["bom-ref"]: part for part in [toolchain(), *debian_packages(binary).values()]}
    program = component("application", "kanmon", version, f"pkg:generic/kanmon@{version.replace('+', '%2B')}")
    needs |= {program["bom-ref"]: direct + sorted(others)} | dict.fromkeys(others, [])
    json.dump({
        "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
        "metadata": {"timestamp": time, "component": program},
        "components": [part for _, part in sorted((found | others).items())],
        "dependencies": [{"ref": reference, "dependsOn": those} for reference, those in sorted(needs.items())],
    }, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]), *sys.argv[2:])
