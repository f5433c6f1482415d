"""Clones of real packages at fixed versions, kept from one check to the next."""

import os
import pathlib
import subprocess

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "kanmon" / "packages"
VERSIONS = {
    "swift-argument-parser": ("apple/swift-argument-parser", "1.8.2"),
    "hdrhistogram-swift": ("HdrHistogram/hdrhistogram-swift", "0.2.0"),
    "Yams": ("jpsim/Yams", "6.2.2"),
    "swift-collections": ("apple/swift-collections", "1.6.0"),
    "swift-algorithms": ("apple/swift-algorithms", "1.2.1"),
    "swift-log": ("apple/swift-log", "1.16.2"),
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
    "swift-numerics": ("apple/swift-numerics", "1.1.1"),
    "swift-http-types": ("apple/swift-http-types", "1.8.0"),
    "TextTable": ("ordo-one/TextTable", "0.0.2"),
    "PathKit": ("kylef/PathKit", "1.0.1"),
    "swift-mustache": ("hummingbird-project/swift-mustache", "2.1.1"),
    "swift-benchmark": ("google/swift-benchmark", "0.1.2"),
    "swift-docc-plugin": ("swiftlang/swift-docc-plugin", "1.5.0"),
}


def fixed(name: str) -> pathlib.Path:
    """A package at its version, without its history."""
    return _kept(f"{name}-{VERSIONS[name][1]}", name, "--depth", "1")


def with_history(name: str) -> pathlib.Path:
    """A package at its version, with the history, so that it can be cloned."""
    return _kept(name, name)


def _kept(folder: str, name: str, *options: str) -> pathlib.Path:
    repository, version = VERSIONS[name]
    place = CACHE / folder
    if not place.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        part = place.with_name(f"{folder}.part-{os.getpid()}")
        subprocess.run(["git", "-c", "advice.detachedHead=false", "clone", "--quiet", "--branch", version, *options,
                        f"https://github.com/{repository}", str(part)], check=True)
        part.rename(place)
    return place
