"""What a JSON report says of the causes of failures."""

CLASSES = ["yours", "already-broken", "flaky", "environment", "order", "not-reached", "new", "unknown"]


def proof(report: dict, failure: dict) -> dict:
    """The cause of a failed test, with what was seen."""
    return failure.get("cause") or {}


def kind(report: dict, failure: dict) -> str:
    """The class of a failed test; `none` where the report has none."""
    return proof(report, failure).get("kind", "none")


def seconds(report: dict) -> float | None:
    """How long causes were looked for; `None` where the report does not say so."""
    nanoseconds = (report.get("causes") or {}).get("durationNanoseconds")
    return None if nanoseconds is None else nanoseconds / 1e9
