"""A page as a reader sees it: its elements, the texts in them, and which of these texts are explained by the store.

Texts that only some readers get (titles, labels of pictures, the title of the window) are texts, too. A text without a digit needs no
explanation, but an expectation compares it with the others of its element.
"""

import re
from html.parser import HTMLParser
from urllib.parse import parse_qsl, unquote, urlsplit

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track"}
SPOKEN = ("aria-label", "title")
NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


def plain(text: str) -> str:
    """A text with single spaces, and without one in front of a comma or a stop."""
    return re.sub(r" ([,.:;])(?= |$)", r"\1", " ".join(text.split()))


class Text:
    """A piece of text in an element, or one of its attributes that is spoken."""

    def __init__(self, words: str, parent: "Element", attribute: str | None = None):
        self.words, self.parent, self.attribute, self.is_explained = words, parent, attribute, False

    @property
    def numbers(self) -> list:
        return NUMBER.findall(self.words)


class Element:
    def __init__(self, tag: str, attributes: dict, parent: "Element | None"):
        self.tag, self.attributes, self.parent, self.children = tag, attributes, parent, []
        self.spoken = [Text(attributes[name], self, name) for name in SPOKEN if attributes.get(name)]

    @property
    def classes(self) -> list:
        return self.attributes.get("class", "").split()

    def all(self, tag: str | None = None, style: str | None = None, **attributes) -> list:
        """The elements inside with a tag, a class and attributes, in order."""
        found = []
        for child in self.children:
            if isinstance(child, Element):
                if ((tag is None or child.tag == tag) and (style is None or style in child.classes)
                        and all(child.attributes.get(name) == value for name, value in attributes.items())):
                    found.append(child)
                found += child.all(tag, style, **attributes)
        return found

    def one(self, tag: str | None = None, style: str | None = None, **attributes) -> "Element | None":
        return next(iter(self.all(tag, style, **attributes)), None)

    def texts(self) -> list:
        """Its visible texts, in order."""
        return [text for child in self.children for text in (child.texts() if isinstance(child, Element) else [child])]

    def every_text(self) -> list:
        """Its texts, and what is only spoken."""
        return self.spoken + [text for child in self.children
                              for text in (child.every_text() if isinstance(child, Element) else [child])]

    @property
    def words(self) -> str:
        return plain(" ".join(text.words for text in self.texts()))

    @property
    def href(self) -> str | None:
        """Where the first link of the element leads."""
        link = self if self.tag == "a" else self.one("a")
        return link.attributes.get("href") if link else None


class Reader(HTMLParser):
    """Builds the elements of a page; a place where a word may break is nothing."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.root = self.here = Element("page", {}, None)

    def handle_starttag(self, tag, attributes):
        if tag == "wbr":
            return
        element = Element(tag, {name: value or "" for name, value in attributes}, self.here)
        self.here.children.append(element)
        if tag not in VOID:
            self.here = element

    def handle_startendtag(self, tag, attributes):
        self.here.children.append(Element(tag, {name: value or "" for name, value in attributes}, self.here))

    def handle_endtag(self, tag):
        element = self.here
        while element.parent and element.tag != tag:
            element = element.parent
        if element.parent:
            self.here = element.parent

    def handle_data(self, data):
        children = self.here.children
        if children and isinstance(children[-1], Text):
            children[-1].words += data
        else:
            children.append(Text(data, self.here))


class Page:
    """One answer of the server; collects what is wrong with it."""

    def __init__(self, address: str, body: str):
        self.address, self.body = address, body
        parts = urlsplit(address)
        self.path = unquote(parts.path)
        self.query = dict(parse_qsl(parts.query, keep_blank_values=True))
        self.findings = []
        self.count = 0
        reader = Reader()
        if body.lstrip().startswith("<"):
            reader.feed(body)
            reader.close()
        self.root = reader.root
        self.main = self.root.one("main") or self.root

    def finding(self, what: str) -> None:
        self.findings.append(f"{self.address}: {what}")

    def explain(self, texts: list) -> None:
        for text in texts:
            if not text.is_explained:
                text.is_explained = True
                self.count += len(text.numbers)

    def says(self, element: Element | None, expected: str, what: str) -> None:
        """Expects the words of an element."""
        if element is None:
            self.finding(f"{what} is missing: {plain(expected)!r}")
            return
        self.explain(element.texts())
        if element.words != plain(expected):
            self.finding(f"{what} is {element.words!r}, but by the store {plain(expected)!r}")

    def speaks(self, element: Element | None, attribute: str, expected: str, what: str) -> None:
        """Expects what is spoken of an element."""
        text = next((text for text in element.spoken if text.attribute == attribute), None) if element else None
        if text is None:
            self.finding(f"{what} is not told: {expected!r}")
            return
        self.explain([text])
        if plain(text.words) != plain(expected):
            self.finding(f"{what} is {plain(text.words)!r}, but by the store {plain(expected)!r}")

    def equal(self, found, expected, what: str) -> None:
        """Compares a value that is no text of a page; as many numbers as it has are counted."""
        self.count += max(1, len(NUMBER.findall(str(expected))))
        if found != expected:
            self.finding(f"{what} is {found!r}, but by the store {expected!r}")

    def listed(self, entries: list, keys: dict, standing: str | None = None) -> list:
        """Entries of a list in the order of its address; `keys` says what is compared, `standing` how the list stands by itself, the
        largest first."""
        sort, is_descending = self.query.get("sort"), self.query.get("order") != "asc"
        if not sort or sort == standing and is_descending:
            return entries
        return entries[::-1] if sort == standing else sorted(entries, key=keys[sort], reverse=is_descending)

    def table_below(self, title: str | None) -> Element | None:
        """The table of the section with a title; that without one where it is `None`."""
        for section in self.main.all("section"):
            head = section.one("h2")
            if (head.words if head else None) == title:
                return section.one("table")
        return None

    def rows(self, table: Element | None) -> list:
        return [row.all("td") for row in table.one("tbody").all("tr")] if table else []

    def compare_rows(self, table: Element | None, expected: list, what: str) -> None:
        """Expects the cells of a table: rows of texts, in order; a `None` is a cell that something else explains."""
        rows = self.rows(table)
        if len(rows) != len(expected):
            self.finding(f"{what} has {len(rows)} rows, but by the store {len(expected)}")
        heads = [head.words for head in table.one("thead").all("th")] if table and table.one("thead") else []
        for number, (cells, texts) in enumerate(zip(rows, expected), 1):
            if len(cells) != len(texts):
                self.finding(f"{what} has {len(cells)} cells in row {number}, but by the store {len(texts)}")
            for place, (cell, text) in enumerate(zip(cells, texts)):
                if text is not None:
                    head = heads[place] if place < len(heads) else place + 1
                    self.says(cell, text, f"{what}, row {number} ({cells[0].words[:60]}), {head}")

    def unexplained(self) -> list:
        return [text for text in self.root.every_text() if text.numbers and not text.is_explained]
