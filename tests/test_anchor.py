"""Anchors number what a page shows, and give each thing an id that nothing else on the page has."""

from hypothesis import given
from hypothesis import strategies as st

from benchbook.pages.anchor import OF_BLOCK, Anchors


def test_figures_and_listings_are_numbered_apart_in_the_order_of_the_page() -> None:
    """A cell's second listing is told from its first, and the whole example has an id of its own."""
    anchors = Anchors()
    shown = [("cell", "loss"), ("figure", "loss"), ("cell", "loss"), ("cell", ""), ("question", "why")]
    taken = [anchors.take(block, name) for block, name in shown]
    assert [(anchor.id, anchor.label) for anchor in taken] == [
        ("listing-loss", "Listing 1"),
        ("figure-loss", "Figure 1"),
        ("listing-loss-2", "Listing 2"),
        ("listing-whole", "Listing 3"),
        ("question-why", "Question 1"),
    ]
    assert anchors.by_id["listing-loss-2"].label == "Listing 2"


NAMES = st.sampled_from(["", "a", "a-2", "a-2-2", "a-3", "whole", "whole-2"])


@given(st.lists(st.tuples(st.sampled_from(sorted(OF_BLOCK)), NAMES), max_size=30))
def test_no_two_ids_are_alike(shown: list[tuple[str, str]]) -> None:
    """Whatever the names are; a name that ends like a second listing's takes no other's id."""
    anchors = Anchors()
    ids = [anchors.take(block, name).id for block, name in shown]
    assert len(set(ids)) == len(shown) == len(anchors.by_id)
