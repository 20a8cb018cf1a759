"""The targets by name."""

from tests.fuzzing import drawing, language, lesson, page, parcel, record, setting, wire
from tests.fuzzing.target import Target

TARGETS = {
    "expression": Target(language.take, language.seeds, longest=400),
    "snippet": Target(lesson.take, lesson.seeds, longest=1024),
    "run": Target(record.take, record.seeds, longest=4096),
    "wire": Target(wire.lines, wire.seeds),
    "control": Target(wire.control, wire.told),
    "page": Target(page.take, page.own, longest=1024),
    "glossary": Target(page.terms, page.entries, longest=1024),
    "formula": Target(page.maths, page.formulas, longest=256),
    "navigation": Target(page.navigation, page.settings, longest=256),
    "blocks": Target(drawing.blocks, drawing.seeds, longest=256),
    "markup": Target(drawing.markup, drawing.words, longest=256),
    "setting": Target(setting.take, setting.seeds, longest=1024),
    "address": Target(setting.address, setting.addresses, longest=512),
    "parcel": Target(parcel.take, parcel.seeds, longest=8192),
}
