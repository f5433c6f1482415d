"""Real packages at fixed versions, kept from one check to the next."""

import os
import pathlib
import subprocess

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "kanmon" / "packages"
VERSIONS = {
    "swift-argument-parser": ("apple/swift-argument-parser", "1.8.2"),
    "Yams": ("jpsim/Yams", "6.2.2"),
    "swift-collections": ("apple/swift-collections", "1.6.0"),
    "swift-algorithms": ("apple/swift-algorithms", "1.2.1"),
    "swift-metrics": ("apple/swift-metrics", "2.13.0"),
    "swift-configuration": ("apple/swift-configuration", "1.4.0"),
    "swift-asn1": ("apple/swift-asn1", "1.7.4"),
    "BigInt": ("attaswift/BigInt", "6.0.1"),
    "FlyingFox": ("swhitty/FlyingFox", "0.27.1"),
    "Rainbow": ("onevcat/Rainbow", "4.2.2"),
    "Stencil": ("stencilproject/Stencil", "0.15.1"),
    "swift-custom-dump": ("pointfreeco/swift-custom-dump", "1.7.3"),
    "swift-distributed-tracing": ("apple/swift-distributed-tracing", "1.7.3"),
    "swift-service-lifecycle": ("swift-server/swift-service-lifecycle", "2.13.0"),
    "swift-system": ("apple/swift-system", "1.8.1"),
    "SwiftCSV": ("swiftcsv/SwiftCSV", "0.10.0"),
}


def fixed(name: str) -> pathlib.Path:
    """A package at its version, without its history."""
    repository, version = VERSIONS[name]
    folder = CACHE / f"{name}-{version}"
    if not folder.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        part = folder.with_name(folder.name + ".part")
        subprocess.run(["git", "-c", "advice.detachedHead=false", "clone", "--quiet", "--depth", "1", "--branch", version,
                        f"https://github.com/{repository}", str(part)], check=True)
        part.rename(folder)
    return folder


def argument_parser() -> pathlib.Path:
    """swift-argument-parser with its history."""
    place = CACHE / "swift-argument-parser"
    if not place.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        subprocess.run(["git", "clone", "-q", "--branch", "1.8.2", "-c", "advice.detachedHead=false",
                        "https://github.com/apple/swift-argument-parser", str(place)], check=True)
    return place
