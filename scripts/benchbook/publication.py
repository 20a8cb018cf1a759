"""The publication: the branch from which the built site can be read, file by file. Standard library only."""

import re
from dataclasses import dataclass
from pathlib import PurePath

from benchbook.errors import UsageError

PART = r"(?!\.)(?:(?!\.\.)[\w.-])+(?<!\.)(?<!\.lock)"  # of a branch, as git allows it
FORM = re.compile(
    r"(?P<owner>[A-Za-z0-9][A-Za-z0-9-]*)/(?P<repository>(?!\.\.?@)[\w.-]+)"
    rf"@(?P<branch>(?!-){PART}(?:/{PART})*)",
    re.ASCII,
)
COLAB = "https://colab.research.google.com/github"


@dataclass(frozen=True, slots=True)
class Publication:
    """A branch of a public repository that holds the built site.

    Attributes:
        owner: Whose repository it is.
        repository: Its name.
        branch: The branch.
    """

    owner: str
    repository: str
    branch: str

    def colab(self, path: str) -> str:
        """The address at which Colab opens a notebook of the site.

        Args:
            path: The notebook, below the site's root.
        """
        return f"{COLAB}/{self.owner}/{self.repository}/blob/{self.branch}/{path}"


def read(value: object, *, path: PurePath | str | None) -> Publication | None:
    """The setting ``published``, as in ``owner/repository@branch``; ``None`` where it is empty.

    Args:
        value: What the setting says.
        path: The file that it stands in; ``None`` for the environment variable ``PUBLISHED``.

    Raises:
        UsageError: It is something else.
    """
    if value in (None, ""):
        return None
    match = FORM.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        name = "PUBLISHED" if path is None else "'published'"
        raise UsageError(f"{name} is {value!r}", path=path, mend='write it as in "owner/repository@gh-pages"')
    return Publication(**match.groupdict())
