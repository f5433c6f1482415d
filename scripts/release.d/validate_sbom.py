#!/usr/bin/env python3
"""Compares a bill of materials with the schema of CycloneDX, and what it says about itself.

usage: scripts/release.d/validate_sbom.py FILE
"""

import json
import pathlib
import sys

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator


def faults(text: str) -> list:
    """What is wrong with it: the schema's opinion, then references to nothing and parts that nothing refers to."""
    if fault := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        return [str(fault)]
    bill = json.loads(text)
    there = {part["bom-ref"] for part in [bill["metadata"]["component"], *bill["components"]]}
    needed = {bill["metadata"]["component"]["bom-ref"]}.union(*(entry["dependsOn"] for entry in bill["dependencies"]))
    return [f"nothing needs {name}" for name in sorted(there - needed)] + [f"there is no {name}" for name in sorted(needed - there)]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit("\n".join(faults(pathlib.Path(sys.argv[1]).read_text())) or None)
