"""What a command of Kanmon printed."""

import json


def json_in(text: str) -> dict:
    """The object of JSON at the end of what was printed; an empty one where there is none."""
    try:
        return json.loads(text[text.index("{"):])
    except ValueError:
        return {}
