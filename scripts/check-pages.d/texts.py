"""Hostile texts: our own, the big list of naughty strings, and the names and messages of the recorded fixtures."""

import json
import pathlib
import re
import typing
import xml.etree.ElementTree as ElementTree

HERE = pathlib.Path(__file__).resolve().parent
FIXTURES = HERE.parents[1] / "Tests/EvidenceTests/Fixtures"
# Set by a script that gets through, which must not happen.
MARK = "broken=1"
# Texts that break out of text, attributes, comments, raw text, templates, JSON, XML, headers, addresses and terminals, and texts
# that are hard to show.
OWN = [
    f"<script>{MARK}</script>", f"</title><script>{MARK}</script>", f"</textarea></style></script><script>{MARK}</script>",
    f'"><img src=x onerror="{MARK}">', f"'><img src=x onerror='{MARK}'>", f"`><img src=x onerror={MARK}>",
    f"<svg/onload={MARK}>", f"<svg><a xlink:href='javascript:{MARK}'><text>a</text></a></svg>", f"javascript:{MARK}",
    f" javascript:{MARK}//", f"data:text/html,<script>{MARK}</script>", f'" onmouseover="{MARK}" x="', f"' autofocus onfocus='{MARK}'",
    f"<iframe srcdoc=\"<script>{MARK}</script>\">", "<iframe src=//evil.example>", "<base href=//evil.example/>",
    "<meta http-equiv=refresh content='0;url=//evil.example'>", "<link rel=stylesheet href=//evil.example/x.css>",
    "<style>*{display:none}</style>", "<form action=//evil.example><button>a</button></form>", f"<details open ontoggle={MARK}>",
    f"<!--<img src=x onerror={MARK}>-->", f"--><script>{MARK}</script><!--", f"]]><script>{MARK}</script>", "<![CDATA[<b>a</b>]]>",
    f"<plaintext><script>{MARK}</script>", f"<math><mtext></mtext><script>{MARK}</script></math>", "<table><tr><td></table></table>",
    f"&lt;script&gt;{MARK}&lt;/script&gt;", f"&#60;script&#62;{MARK}&#60;/script&#62;", "&amp;&quot;&#39;&nbsp;&notanentity;&#x0;", "&",
    f"\\u003cscript\\u003e{MARK}\\u003c/script\\u003e", f"%3Cscript%3E{MARK}%3C/script%3E", "{{.name}}", "{{{.}}}", "{{#.}}a{{/.}}",
    "{{>layout}}", "${7*7}", "<%= 7*7 %>", "#{7*7}", "'; DROP TABLE run; --", "' OR '1'='1", "../../../../etc/passwd",
    "..\\..\\windows", "/etc/passwd%00", "a?b=c#d", "%2e%2e%2f", "%0d%0aSet-Cookie:a=b", "C:\\CON", "-rf *", "$(reboot)", "`reboot`",
    "🇯🇵👨‍👩‍👧‍👦 絵文字", "か゛が", "e\u0301", "ﷺ" * 8, "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢", "\u202egnp.exe\u202c", "a\u200bb\u2060c", "\ufeffa", "ﬁ ǅ ß İ",
    "表ポあA鷗ŒéＢ逍Üßªąñ丂㐀𠀀", "a" * 600, "undefined", "NULL", "NaN", "-1/2", "1e309", "true", "<", ">", "\"", "'", "=cmd|' /C calc'!A0",
]
# Only these characters have a meaning in HTML and templates. A harmless text has letters in their places, so that both texts are
# truncated and wrapped in the same places; each has a letter of its own, so that different texts stay different.
PLAIN = str.maketrans("<>&\"'{}", "xqzjvwk")
# Characters that XML cannot contain; the tests of the readers cover them.
UNREADABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# Letters, digits and ordinary punctuation: such a text is harmless.
PEACEFUL = re.compile(r"[\w\s.,:()/-]*", re.ASCII)


def harmless(text: str) -> str:
    return text.translate(PLAIN)


def naughty() -> typing.Iterator[str]:
    """The big list of naughty strings by Max Woolf (blns/LICENSE)."""
    yield from json.loads((HERE / "blns/blns.json").read_text())


def recorded() -> typing.Iterator[str]:
    """Names and messages of those recorded reports and event streams that Python can read."""
    for file in sorted(FIXTURES.rglob("*.xml")):
        try:
            elements = list(ElementTree.parse(file).iter())
        except ElementTree.ParseError:
            continue
        for element in elements:
            yield from map(element.get, ("name", "classname", "message"))
            if element.tag in ("failure", "error", "skipped"):
                yield element.text
    for file in sorted(FIXTURES.rglob("*.jsonl")):
        for line in file.read_text(errors="replace").splitlines():
            try:
                yield from words(json.loads(line))
            except ValueError:
                continue


def words(value, key: str = "") -> typing.Iterator[str]:
    """The names and texts somewhere in a record."""
    if isinstance(value, dict):
        for key, member in value.items():
            yield from words(member, key)
    elif isinstance(value, list):
        for member in value:
            yield from words(member, key)
    elif isinstance(value, str) and key in ("name", "displayName", "id", "text"):
        yield value


def distinct() -> typing.Iterator[str]:
    """Each text once; of the recorded texts only those that are not harmless, and one of those that differ in numbers only."""
    kept = set()
    for text, is_recorded in [(text, False) for text in (*OWN, *naughty())] + [(text, True) for text in recorded()]:
        text = UNREADABLE.sub("", text or "")
        key = re.sub(r"[0-9]+", "0", text) if is_recorded else harmless(text)
        if key not in kept and not (is_recorded and PEACEFUL.fullmatch(text)):
            kept.add(key)
            yield text


HOSTILE = list(distinct())
