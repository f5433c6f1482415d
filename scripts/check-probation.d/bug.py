"""A bug of concurrency, or its twin that is right.

TYPE stands for the name of the type.
"""

from typing import NamedTuple


class Bug(NamedTuple):
    name: str
    kind: str
    subject: str
    # The lines of a test.
    test: tuple
    # What makes the subject right, and the test: pairs of old and new.
    repairs: tuple = ()
    test_repairs: tuple = ()

    def source(self, type_name: str, is_right: bool) -> str:
        return f"import Dispatch\nimport Foundation\n\n{repaired(self.subject, self.repairs, is_right)}".replace("TYPE", type_name)

    def test_source(self, type_name: str, is_right: bool) -> str:
        lines = repaired("".join(f"    {line}\n" for line in self.test), self.test_repairs, is_right).replace("TYPE", type_name)
        return f"import Foundation\nimport Races\nimport Testing\n\n@Test func {function(type_name)}() async throws {{\n{lines}}}\n"


def function(type_name: str) -> str:
    return type_name[0].lower() + type_name[1:]


def repaired(text: str, repairs: tuple, is_right: bool) -> str:
    for old, new in repairs:
        if old not in text:
            raise ValueError(f"nothing to repair: {old!r} in {text!r}")
        text = text.replace(old, new) if is_right else text
    return text


# When a call to somewhere else is slow, it is not over by then.
SOON = "try await Task.sleep(for: .milliseconds(5))"
