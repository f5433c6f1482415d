"""Writes an xUnit report as `swift test --parallel` does, the same bytes for the same seed.

usage: generate-xunit.py CASES SEED > report.xml
Names are long as in real suites, some of them Japanese or with emoji; one case in a hundred failed with a message.
"""

import random
import sys

WORDS = ("Decoder Encoder Thumbnail Playlist Session Cursor Buffer Region Token Header Stream Layout Query Batch Route "
         "Schema Reader Writer Policy Window").split()
VERBS = "parses rejects keeps merges orders escapes counts restores closes retries".split()
TAILS = ["異常系_thumbnailのURLがnil", "絵文字👨‍👩‍👧を数える", "空の配列", "café_cafe\u0301"]
MESSAGE = ("{path}:{line}: error: {name} : XCTAssertEqual failed: (&quot;{left}&quot;) is not equal to "
           "(&quot;{right}&quot;) - &lt;reason&gt; &amp; more&#10;")


def main() -> None:
    cases, seed = int(sys.argv[1]), int(sys.argv[2])
    random_source = random.Random(seed)
    write = sys.stdout.buffer.write
    write(b'<?xml version="1.0" encoding="UTF-8"?>\n\n<testsuites>\n')
    write(b'<testsuite name="TestResults" errors="0" tests="%d" failures="%d" time="%f">\n'
          % (cases, (cases + 99) // 100, cases * 0.004))
    suite, left_in_suite, number = "", 0, 0
    chunk = []
    for index in range(cases):
        if left_in_suite == 0:
            number += 1
            left_in_suite = random_source.randint(8, 40)
            first, second = random_source.sample(WORDS, 2)
            suite = f"{first}KitTests.{first}{second}{number}Tests"
        left_in_suite -= 1
        tail = random_source.choice(TAILS) if random_source.random() < 0.05 else random_source.choice(WORDS)
        name = f"test_{random_source.choice(VERBS)}_{tail}_{index % 97}_when_{random_source.choice(WORDS)}_is_absent"
        time = f"{random_source.expovariate(250):.9f}"
        chunk.append(f'<testcase classname="{suite}" name="{name}" time="{time}">\n')
        if index % 100 == 0:
            message = MESSAGE.format(path=f"/home/ci/project/Tests/{suite.split('.')[0]}/Case{number}.swift",
                                     line=random_source.randint(5, 900), name=f"{suite}.{name}",
                                     left=random_source.choice(TAILS), right=random_source.randint(0, 10**6))
            chunk.append(f'<failure message="{message}"></failure>\n')
        chunk.append("</testcase>\n")
        if len(chunk) > 10_000:
            write("".join(chunk).encode())
            chunk.clear()
    write("".join(chunk).encode())
    write(b"</testsuite>\n</testsuites>\n")


main()
