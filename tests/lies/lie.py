"""A lie: a mistake that turns a claim over, planted into a snippet or put in the place of a time."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Lie:
    """A mistake in the code that turns a claim about values or counts over.

    Attributes:
        slug: The lesson.
        claim: As the page states it.
        right: A piece of the snippet that occurs once.
        wrong: What stands there when the mistake is made.
        blind: A claim of the page that still holds: the check that the mistake would slip past.
    """

    slug: str
    claim: str
    right: str
    wrong: str
    blind: str


@dataclass(frozen=True)
class FalseTime:
    """A measurement that is taken for another and turns a claim about times over.

    Attributes:
        slug: The lesson.
        claim: As the page states it.
        truth: The measurement that the claim names.
        lie: The one that is put in its place.
    """

    slug: str
    claim: str
    truth: str
    lie: str
