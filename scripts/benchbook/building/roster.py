"""The roster: a lesson's standing measurements as a table that can be sorted. Recorded text is data."""

from collections.abc import Mapping, Sequence

from benchbook.blocks import datasheet
from benchbook.building.markup import code, element, text
from benchbook.building.standing import Standing

ROOT = "../"  # from the bench page to the site's root
COLUMNS = ("Measurement", "Median [95% interval]", "Backend", "JAX", "Min", "Max", "Verdict", "Date")


def table(rows: Sequence[Standing], *, label: str, ranks: Mapping[str, int]) -> str:
    """The table, in a region that scrolls by touch and by keyboard, and that search passes over.

    Args:
        rows: In the order in which they first stand.
        label: What the table is, for those who hear it.
        ranks: A number for each version of JAX, by which that column is sorted.
    """
    head = element("thead", element("tr", *(element("th", text(name), scope="col") for name in COLUMNS)))
    body = element("tbody", *(_row(row, ranks) + _note(row) for row in rows))
    drawn = element("table", head, body, class_="bb-table bb-measurements", data_sortable="")
    # No other div may be inside: search takes up again at the first end tag of this name.
    region = {"class_": "bb-scroll bb-bench", "tabindex": "0", "role": "region", "aria_label": label}
    return element("div", drawn, **region, data_search_exclude="")


def _row(row: Standing, ranks: Mapping[str, int]) -> str:
    found, numbers = row.exhibit, row.numbers
    name, day = found["backend"], found["date"]
    unstable = None if row.row["stable"] else "bb-unstable"
    cells = (
        element("td", text(row.row["median"]), data_value=_plain(numbers["median"])),
        element("td", element("span", text(name), class_="bb-backend", data_backend=name)),
        element("td", text(found["jax"]), data_value=str(ranks[found["jax"]])),
        element("td", text(row.row["minimum"]), data_value=_plain(numbers["min"])),
        element("td", text(row.row["maximum"]), data_value=_plain(numbers["max"])),
        element("td", text(row.row["verdict"]), class_=unstable),
        element("td", element("time", text(day), datetime=day), data_value=day.replace("-", "")),
    )
    return element("tr", element("th", code(row.name), scope="row"), *cells, class_="bb-noted")


def _note(row: Standing) -> str:
    """What the numbers of the row above mean, and where they come from."""
    facts = (row.row["inputs"] or "no inputs", *datasheet.method(row.row), row.exhibit["device"])
    run = element("a", text(f"run {row.exhibit['id']}"), href=row.link(ROOT))
    words = element("p", *(text(f"{fact} \u00b7 ") for fact in facts), run, *map(_mark, _marks(row)))
    return element("tr", element("td", words, class_="bb-note", colspan=str(len(COLUMNS))))


def _marks(row: Standing) -> list[str]:
    states = {
        "current": row.current,
        "stale": row.exhibit["stale"],
        "not accepted": not row.exhibit["accepted"],
    }
    return [word for word, holds in states.items() if holds]


def _mark(word: str) -> str:
    return text(", ") + element("strong", text(word), class_=f"bb-mark bb-{word.replace(' ', '-')}")


def _plain(number: float | None) -> str:
    return "" if number is None else repr(number)
