"""Retractions: read with reason and date, and a mistyped one is an error."""

import pytest

from benchbook.archive import retracted
from benchbook.errors import RunError
from benchbook.project import Project


def test_retracted_runs_are_read_with_reason_and_date(project: Project):
    """The file is one table a run; none is no retraction."""
    assert retracted(project) == {}
    project.runs.mkdir(parents=True)
    path = project.runs / "retracted.toml"
    path.write_text('["0123456789ab"]\nreason = "the clock stood still"\ndate = 2026-01-02\n')
    assert retracted(project) == {"0123456789ab": "the clock stood still (2026-01-02)"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[a", "not valid TOML"),
        ('[short]\nreason = "r"\ndate = "d"\n', "[short] is not right"),
        ('["0123456789ab"]\nreason = "r"\n', "[0123456789ab] is not right"),
        ('["0123456789ab"]\nreason = "r"\ndate = "d"\nwho = "w"\n', "[0123456789ab] is not right"),
        ('"0123456789ab" = "wrong"\n', "[0123456789ab] is not right"),
    ],
)
def test_a_wrong_retraction_is_an_error(project: Project, text: str, message: str):
    """A run is not left standing because its retraction was mistyped."""
    project.runs.mkdir(parents=True)
    (project.runs / "retracted.toml").write_text(text)
    with pytest.raises(RunError, match=r"^docs/runs/retracted\.toml: ") as caught:
        retracted(project)
    assert message in caught.value.message
