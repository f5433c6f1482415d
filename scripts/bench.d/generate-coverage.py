"""Writes an export as `llvm-cov export` of Swift 6.3 does, functions included, the same bytes for the same seed.

usage: generate-coverage.py FILES SEED > export.json
About 22 kB a file, three quarters of it in `functions`, as measured on a package of 120 files.
"""

import random
import sys

EMPTY = '{"count":0,"covered":0,"notcovered":0,"percent":0}'


def share(covered: int, count: int) -> str:
    return f"{100 * covered / count:.14g}" if count else "0"


def tally(name: str, count: int, covered: int, rest: bool = False) -> str:
    missed = f'"notcovered":{count - covered},' if rest else ""
    return f'"{name}":{{"count":{count},"covered":{covered},{missed}"percent":{share(covered, count)}}}'


def summary(functions: int, run: int, lines: int, hit: int, regions: int, entered: int) -> str:
    return ",".join(['{"branches":' + EMPTY, tally("functions", functions, run), tally("instantiations", functions, run),
                     tally("lines", lines, hit), '"mcdc":' + EMPTY, tally("regions", regions, entered, True)]) + "}"


def main() -> None:
    files, seed = int(sys.argv[1]), int(sys.argv[2])
    write = sys.stdout.write
    functions = []
    write('{"data":[{"files":[')
    totals = [0] * 6
    for number in range(files):
        random_source = random.Random(f"{seed}/{number}")
        path = f"/home/ci/project/Sources/Module{number // 40}/Part{number % 7}/Type{number}.swift"
        segments, line, sums = [], random_source.randint(4, 30), [0] * 6
        for index in range(max(2, int(random_source.lognormvariate(3.6, 0.9)))):
            length = 1 + int(random_source.lognormvariate(1.4, 0.8))
            count = 0 if random_source.random() < 0.1 else int(random_source.lognormvariate(3, 3)) + 1
            regions = [(line, random_source.randint(5, 40), line + length, 6, count)]
            segments.append((*regions[0][:2], count, "true,true,false"))
            for inner in range(min(length, random_source.choice((0, 0, 1, 2)))):
                column, width = random_source.randint(41, 60), random_source.randint(3, 30)
                taken = count if random_source.random() < 0.7 else 0
                regions.append((line + inner, column, line + inner, column + width, taken))
                segments.append((line + inner, column, taken, "true,true,false"))
                segments.append((line + inner, column + width, count, "true,false,false"))
            segments.append((line + length, 6, 0, "false,false,false"))
            name = f"$s{8 + number % 3}Module{number // 40}4Type{number}V6method{index}" + "4with7optionsSSx_SaySiGtKF" * 4
            spans = ",".join("[%d,%d,%d,%d,%d,0,0,0]" % region for region in regions)
            functions.append(f'{{"branches":[],"count":{count},"filenames":["{path}"],"mcdc_records":[],'
                             f'"name":"{name}","regions":[{spans}]}}')
            entered = sum(region[4] > 0 for region in regions)
            hit = length + 1 if count else 0
            sums = [old + new for old, new in zip(sums, (1, count > 0, length + 1, hit, len(regions), entered))]
            line += length + random_source.randint(1, 5)
        totals = [old + new for old, new in zip(totals, sums)]
        body = ",".join("[%d,%d,%d,%s]" % segment for segment in segments)
        write(f'{"," if number else ""}{{"branches":[],"expansions":[],"filename":"{path}","mcdc_records":[],'
              f'"segments":[{body}],"summary":{summary(*sums)}}}')
    write('],"functions":[' + ",".join(functions) + f'],"totals":{summary(*totals)}}}],')
    write('"type":"llvm.coverage.json.export","version":"3.0.1"}\n')


main()
