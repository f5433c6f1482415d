"""Prints a line for each check, and counts the failures."""


class Tally:
    def __init__(self):
        self.count = 0
        self.failures = 0

    def tell(self, what: str, wrong: list) -> None:
        """Prints a line for a check, and its faults below it."""
        self.count += 1
        self.failures += bool(wrong)
        print(f"{'FAILED' if wrong else 'ok':<7} {what}", flush=True)
        for item in wrong:
            print("        " + str(item).rstrip("\n").replace("\n", "\n        "), flush=True)

    def end(self) -> int:
        """Prints the last line; returns the exit status."""
        print(f"{self.failures} of {self.count} failed" if self.failures else f"all {self.count} passed")
        if not self.count:
            return 2
        return 1 if self.failures else 0
