"""What a page shows, as a typed table of fields: kept in the session, the address and undo.

The address holds only fields that differ from their default. A value that cannot be read falls
back to the default, with a note.
"""

import itertools
import math
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

import streamlit as st

import core
from dashboard.settings import MAX_RANKING_CHARACTERS

T = TypeVar("T")
V = TypeVar("V")

_MAX_UNDO: Final = 100
_ONE_GESTURE: Final = 1.0  # edits of one field within so many seconds are undone together
_LONG_RANKING: Final = 300  # ranks; longer rankings are run-length coded in the address
_RUN: Final = re.compile(r"([0-9]{1,9})\*(.)", re.S)
_PLAIN_NUMBER: Final = re.compile(
    r"[-+]?([0-9]{1,30}(\.[0-9]{0,30})?|\.[0-9]{1,30})(e[-+]?[0-9]{1,3})?", re.I
)
_PLAIN_DIGITS: Final = re.compile(r"[-+]?[0-9]{1,12}")
_TOO_LONG: Final = f"it is longer than the limit of {MAX_RANKING_CHARACTERS:,} characters"


@dataclass(frozen=True)
class Field(Generic[T]):
    """One value of a page: its name in the address, default, and form as text."""

    name: str
    default: T
    read: Callable[[str], T]
    write: Callable[[T], str] = str


def number(name: str, default: float, least: float, most: float) -> Field[float]:
    """Make a field for a real number from `least` to `most`."""

    def read(text: str) -> float:
        value = float(text) if _PLAIN_NUMBER.fullmatch(text) else math.nan
        if not least <= value <= most:
            msg = f"it must be a number from {least:g} to {most:g}"
            raise ValueError(msg)
        return abs(value) if value == 0 else value  # -0 is 0

    return Field(name, default, read, lambda value: f"{value:.6g}")


def whole(name: str, default: int | None, least: int, most: int) -> Field[int | None]:
    """Make a field for a whole number from `least` to `most`, or for none."""

    def read(text: str) -> int | None:
        value = int(text) if _PLAIN_DIGITS.fullmatch(text) else least - 1
        if not least <= value <= most:
            msg = f"it must be a whole number from {least} to {most}"
            raise ValueError(msg)
        return value

    return Field(name, default, read, lambda value: "" if value is None else str(value))


def choice(name: str, default: str, choices: tuple[str, ...]) -> Field[str]:
    """Make a field for one of some words."""

    def read(text: str) -> str:
        if text not in choices:
            msg = f"it must be one of {', '.join(choices)}"
            raise ValueError(msg)
        return text

    return Field(name, default, read)


def flag(name: str) -> Field[bool]:
    """Make a field for yes (1) or no."""

    def read(text: str) -> bool:
        if text not in {"0", "1"}:
            msg = "it must be 0 or 1"
            raise ValueError(msg)
        return text == "1"

    return Field(name, default=False, read=read, write=lambda value: "1" if value else "0")


def relevance(name: str, default: str, check: Callable[[str], object]) -> Field[str]:
    """Make a field for a relevance string that `check` accepts."""

    def read(text: str) -> str:
        expanded = expand(text)
        if expanded or default:  # only a ranking that may be missing may be empty
            check(expanded)
        return expanded

    return Field(name, default, read, shorten)


def shorten(text: str) -> str:
    """Run-length code a long ranking: ``12*-`` for twelve nonrelevant documents."""
    if len(text) <= _LONG_RANKING:
        return text
    parts = ((mark, len(list(run))) for mark, run in itertools.groupby(text))
    return "~" + "".join(f"{length}*{mark}" for mark, length in parts)


def expand(text: str) -> str:
    """Undo `shorten`."""
    if not text.startswith("~"):
        return text
    runs = _RUN.findall(text[1:])
    if "".join(f"{length}*{mark}" for length, mark in runs) != text[1:]:
        msg = "it is not a run-length code such as ~3*$12*-"
        raise ValueError(msg)
    if sum(int(length) for length, _ in runs) > MAX_RANKING_CHARACTERS:
        raise ValueError(_TOO_LONG)
    return "".join(mark * int(length) for length, mark in runs)


@dataclass(frozen=True)
class Shown(Generic[V]):
    """A view, and what was wrong if it is not that of the newest values."""

    view: V
    problem: str = ""


@dataclass
class PageState:
    """The values of one page in one session, with their past and future."""

    page: str
    fields: tuple[Field[Any], ...]
    values: dict[str, Any]
    notes: list[str] = field(default_factory=list)
    revision: int = 0
    past: list[dict[str, Any]] = field(default_factory=list)
    future: list[dict[str, Any]] = field(default_factory=list)
    last_edit: tuple[str, float] = ("", 0.0)
    errors: dict[str, str] = field(default_factory=dict)
    last_good: Any = None
    drawn: int = 0  # the revision that the toolbar's widgets show
    at_first: dict[str, Any] = field(default_factory=dict)  # values that an address gave

    @classmethod
    def of(cls, page: str, fields: tuple[Field[Any], ...]) -> "PageState":
        """Take the state from the session; on a first visit from the address."""
        key = f"{page}.state"
        if key not in st.session_state:
            query = {name: st.query_params[name] for name in st.query_params}
            values, notes = read_query(fields, query)
            st.session_state[key] = cls(page, fields, values, notes, at_first=values)
        state: PageState = st.session_state[key]
        return state

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - each field has a type of its own
        """Return the value of a field."""
        return self.values[name]

    def edit(self, name: str, value: object) -> None:
        """Set a field by hand, unless it cannot have that value."""
        if value != self.values[name] and self._can_be(name, value):
            self._put(name, value)

    def _can_be(self, name: str, value: object) -> bool:
        """Whether a field may have a value: a browser may report anything."""
        item = next(item for item in self.fields if item.name == name)
        try:
            return value == item.default or item.read(item.write(value)) is not None
        except (ValueError, TypeError, OverflowError, AttributeError):
            return False

    def _put(self, name: str, value: object) -> None:
        """Set a field; several edits in a row of one field are undone together."""
        now = time.monotonic()
        previous, at = self.last_edit
        if previous != name or now - at > _ONE_GESTURE:
            self._remember()
        self.last_edit = (name, now)
        self.values = {**self.values, name: value}

    def try_edit(self, name: str, value: str, check: Callable[[str], object]) -> None:
        """Set a field if `check` accepts the value; otherwise keep it and note the reason."""
        try:
            check(value)
        except core.CoreError as error:
            self.errors[name] = str(error)
        else:
            self.errors.pop(name, None)
            if value != self.values[name]:
                self._put(name, value)

    def good(self, compute: Callable[[dict[str, Any]], V]) -> "Shown[V]":
        """Compute the view; where the values do not fit together, show the last that did."""
        try:
            self.last_good = compute(self.values)
        except core.CoreError as error:
            if self.last_good is None:
                self.last_good = compute({item.name: item.default for item in self.fields})
            return Shown(self.last_good, str(error))
        return Shown(self.last_good)

    def set(self, values: Mapping[str, object]) -> None:
        """Set several fields at once, as a preset does; the widgets follow."""
        self._remember()
        self.values = {**self.values, **values}
        self._moved()

    def reset(self) -> None:
        """Go back to the defaults; undo brings the present back."""
        self.notes = []
        self.set({item.name: item.default for item in self.fields})

    def recall(self, query: Mapping[str, str]) -> None:
        """Read the state from another address than at first; what was edited since stands."""
        values, self.notes = read_query(self.fields, query)
        edited = {
            name: value
            for name, value in self.values.items()
            if name in self.at_first and value != self.at_first[name]
        }
        self.values = {**values, **edited}
        self._moved()

    def undo(self) -> None:
        """Go back one edit."""
        if self.past:
            self.future.append(self.values)
            self.values = self.past.pop()
            self._moved()

    def redo(self) -> None:
        """Take back the last undo."""
        if self.future:
            self.past.append(self.values)
            self.values = self.future.pop()
            self._moved()

    def query(self) -> dict[str, str]:
        """Return what differs from the defaults, for the address."""
        return {
            item.name: item.write(self.values[item.name])
            for item in self.fields
            if self.values[item.name] != item.default
        }

    def _remember(self) -> None:
        self.past = [*self.past[-_MAX_UNDO:], self.values]
        self.future = []

    def _moved(self) -> None:
        self.revision += 1
        self.last_edit = ("", 0.0)
        self.errors = {}


def read_query(
    fields: tuple[Field[Any], ...], query: Mapping[str, str]
) -> tuple[dict[str, Any], list[str]]:
    """Read fields from an address; what cannot be read is left at its default and noted."""
    values: dict[str, Any] = {}
    notes = []
    for item in fields:
        values[item.name] = item.default
        if item.name not in query:
            continue
        try:
            if len(query[item.name]) > MAX_RANKING_CHARACTERS:
                raise ValueError(_TOO_LONG)  # noqa: TRY301 - noted like everything else
            values[item.name] = item.read(query[item.name])
        except (ValueError, OverflowError) as error:
            notes.append(f"The link's {item.name} was not used: {str(error)[:200]}")
    return values, notes
