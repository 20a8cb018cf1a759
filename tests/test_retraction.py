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
        ('["0123456789ab"]\nreason = ""\ndate = 2026-01-02\n', "[0123456789ab] is not right"),
        ('["0123456789ab"]\nreason = " "\ndate = 2026-01-02\n', "[0123456789ab] is not right"),
        ('["0123456789ab"]\nreason = 5\ndate = 2026-01-02\n', "[0123456789ab] is not right"),
        ('["0123456789ab"]\nreason = "r"\ndate = "d"\n', "[0123456789ab] is not right"),
        ('["0123456789ab"]\nreason = "r"\ndate = ""\n', "[0123456789ab] is not right"),
        ('["0123456789ab"]\nreason = "r"\ndate = "2026-99-02"\n', "[0123456789ab] is not right"),
        ('["0123456789ab"]\nreason = "r"\ndate = "20260102"\n', "[0123456789ab] is not right"),
        ('["0123456789ab"]\nreason = "r"\ndate = 20260102\n', "[0123456789ab] is not right"),
        ('["0123456789ab"]\nreason = "r"\ndate = 03:04:05\n', "[0123456789ab] is not right"),
        ('["0123456789ab"]\nreason = "r"\ndate = 2026-01-02T03:04:05\n', "[0123456789ab] is not right"),
        ("a = " + "[" * 100_000, "not valid TOML"),
        ("a = " + "1" * 5_000, "not valid TOML"),
    ],
)
def test_a_wrong_retraction_is_an_error(project: Project, text: str, message: str):
    """A run is not left standing because its retraction was mistyped."""
    project.runs.mkdir(parents=True)
    (project.runs / "retracted.toml").write_text(text)
    with pytest.raises(RunError, match=r"^docs/runs/retracted\.toml: ") as caught:
        retracted(project)
    assert message in caught.value.message


def test_a_date_may_be_a_date_or_its_text(project: Project):
    """TOML has dates, and many people quote them."""
    project.runs.mkdir(parents=True)
    path = project.runs / "retracted.toml"
    for date in ("2026-01-02", '"2026-01-02"'):
        path.write_text(f'["0123456789ab"]\nreason = "r"\ndate = {date}\n')
        assert retracted(project) == {"0123456789ab": "r (2026-01-02)"}


def test_a_list_of_retractions_that_cannot_be_read_is_an_error(project: Project):
    """Neither a folder nor a link that leads nowhere is taken for an empty list."""
    path = project.runs / "retracted.toml"
    path.mkdir(parents=True)
    with pytest.raises(RunError, match=r"^docs/runs/retracted\.toml: cannot be read: Is a dir.* \(restore"):
        retracted(project)
    path.rmdir()
    path.symlink_to("nowhere.toml")
    with pytest.raises(RunError, match=r"^docs/runs/retracted\.toml: cannot be read: No such file"):
        retracted(project)
