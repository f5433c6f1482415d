"""What was checked, a line each, and how much of it is not as it has to be."""


class Tally:
    def __init__(self):
        self.count = 0
        self.failures = 0

    def tell(self, what: str, wrong: list) -> None:
        """Prints a line, and below it what is wrong."""
        self.count += 1
        self.failures += bool(wrong)
        print(f"{'FAILED' if wrong else 'ok':<7} {what}", flush=True)
        for item in wrong:
            print("        " + str(item).rstrip("\n").replace("\n", "\n        "), flush=True)

    def end(self) -> int:
        """Prints the last line; gives the exit status."""
        print(f"{self.failures} of {self.count} failed" if self.failures else f"all {self.count} as they should be")
        if not self.count:
            return 2
        return 1 if self.failures else 0
