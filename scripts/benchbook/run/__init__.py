"""The run model, schema 1: what one recorded run says, and its one spelling as JSON."""

from benchbook.run.content import Artefact, Cell, Measurement, Program
from benchbook.run.field import VERSION_PATTERN, Number
from benchbook.run.machine import Cpu, Device, Hardware, Weather
from benchbook.run.panel import Band, Ceiling, Panel, Reference, Series
from benchbook.run.record import SCHEMA, Run
from benchbook.run.setting import Clock, Environment, Method, Source
from benchbook.run.spelling import LARGEST, dump, first_problem, parse, schema, spell

__all__ = [
    "LARGEST",
    "SCHEMA",
    "VERSION_PATTERN",
    "Artefact",
    "Band",
    "Ceiling",
    "Cell",
    "Clock",
    "Cpu",
    "Device",
    "Environment",
    "Hardware",
    "Measurement",
    "Method",
    "Number",
    "Panel",
    "Program",
    "Reference",
    "Run",
    "Series",
    "Source",
    "Weather",
    "dump",
    "first_problem",
    "parse",
    "schema",
    "spell",
]
