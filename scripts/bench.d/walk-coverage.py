"""The same walk with Python's json. Prints "files segments covered"."""

import json
import sys

files = segments = covered = 0
with open(sys.argv[1], "rb") as stream:
    export = json.load(stream)
for entry in export["data"]:
    for file in entry["files"]:
        files += 1
        for segment in file["segments"]:
            segments += 1
            covered += segment[2] > 0
print(files, segments, covered)
