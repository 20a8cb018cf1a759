"""The style sheet: all sheets in one file, in their order."""

from benchbook.building import builder, stylesheet
from benchbook.project import Project, find
from tests.built import PROJECT


def test_the_sheets_are_one_file_and_paper_comes_last(project: Project):
    """The named sheets come first, any other before the one for paper, and changes arrive."""
    folder = project.docs / "assets"
    folder.mkdir(parents=True)
    for name in ("print", "other", "type", "palette"):
        (folder / f"{name}.css").write_text(f".{name} {{}}\n")
    builder.build(project)
    made = project.root / stylesheet.SHEET
    assert made.read_text().split() == [".palette", "{}", ".type", "{}", ".other", "{}", ".print", "{}"]
    (folder / "type.css").write_text(".changed {}\n")
    assert stylesheet.SHEET in builder.build(project).written
    assert ".changed" in made.read_text()


def test_a_site_without_sheets_has_none(project: Project):
    """Nothing is written where there is nothing to join."""
    builder.build(project)
    assert not (project.root / stylesheet.SHEET).exists()


def test_every_sheet_of_the_site_has_its_place():
    """A new sheet is named where its place is decided."""
    sheets = {path.stem for path in (find(PROJECT.root).docs / "assets").glob("*.css")} - {"site"}
    assert sheets == {*stylesheet.FIRST, *stylesheet.LAST}
