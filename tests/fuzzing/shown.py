"""What is shown: HTML as a browser reads it, and what of it a template has not."""

from html.parser import HTMLParser

ADDRESSES = ("href", "src")


class Shape(HTMLParser):
    """The elements of some HTML, each with the names of its attributes and its classes; and its addresses."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: set[tuple[str, tuple[str, ...], str]] = set()
        self.addresses: set[str] = set()
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes an element."""
        given = dict(attrs)
        assert len(given) == len(attrs), f"<{tag}> has an attribute twice"
        self.elements.add((tag, tuple(sorted(given)), given.get("class") or ""))
        self.addresses |= {given[name] or "" for name in ADDRESSES if name in given}

    def handle_comment(self, data: str) -> None:
        """Notes a comment as an element."""
        self.elements.add(("!--", (), data))

    def handle_decl(self, decl: str) -> None:
        """Notes a declaration as an element."""
        self.elements.add(("!", (), decl))

    def handle_pi(self, data: str) -> None:
        """Notes an instruction as an element."""
        self.elements.add(("?", (), data))


def check(html: str, *, known: frozenset[tuple[str, tuple[str, ...], str]]) -> None:
    """No element, attribute or class is there that a template has not, and no address leaves the site."""
    shape = Shape(html)
    foreign = shape.elements - known
    assert not foreign, f"no template has {sorted(foreign)}"
    for address in shape.addresses:
        assert address.startswith(("/", "#", "https://")), address
        assert "x-planted" not in address, address
