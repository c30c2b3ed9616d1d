"""A form with what was answered so far: the same for whoever fills it in and for what is made of it."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from kbwork.base.dataclasses import dataclass, field
from kbwork.base.errors import InvalidInput
from kbwork.base.model import Day, Input
from kbwork.base.text import cleaned, no_field
from kbwork.core.operations.validate import validate
from kbwork.db.rows import RequestTypeRow
from kbwork.db.tx import Read
from kbwork.modules import fields
from kbwork.modules.desk.customers import quota
from kbwork.modules.desk.model import PortalField
from kbwork.modules.desk.request_types.definitions import (
    NOT_FOR_CUSTOMERS,
    PLAIN,
    KeptQuestion,
    questions,
)
from kbwork.modules.issues import Priority

_MOST_TOLD = 20


class _Plain(Input):
    """What plain fields take."""

    description: Annotated[str, Field(max_length=quota.MOST_CHARS), AfterValidator(cleaned)] | None = None
    priority: Priority | None = None
    due_date: Day | None = None


@dataclass(slots=True)
class AnsweredForm:
    """What a form asks once answers are applied, and what of them is to be kept."""

    fields: list[PortalField] = field(default_factory=list)
    plain: dict[str, Any] = field(default_factory=dict)
    """Inputs of issues.create."""
    values: dict[str, Any] = field(default_factory=dict)
    """Values of own fields, by key, as they were given."""
    errors: list[dict[str, Any]] = field(default_factory=list)
    """What does not fit, and what is missing."""

    def require_whole(self) -> None:
        """Raises InvalidInput where something does not fit or is missing, with all of it at `values.<key>`."""
        if self.errors:
            raise InvalidInput(self.errors[0]["message"], errors=self.errors[:_MOST_TOLD])


def answered(tx: Read, row: RequestTypeRow, given: Mapping[str, Any], *, title: str = "") -> AnsweredForm:
    """Apply answers, by key, in the order of the questions: each is asked or not by those before it.

    An answer to what is not asked is not kept. Raises InvalidInput for an answer to what is no question of the form.
    """
    return _Filler(tx, row, given, title).filled()


class _Filler:
    def __init__(self, tx: Read, row: RequestTypeRow, given: Mapping[str, Any], title: str) -> None:
        self._tx = tx
        self._row = row
        self._given = given
        self._layout = fields.layout_of(tx, row["project"], row["issue_type"])
        self._held: dict[int, list[fields.Stored]] = {}
        self._facts: dict[str, Any] = {"title": title}
        self._form = AnsweredForm()

    def filled(self) -> AnsweredForm:
        asked = questions(self._row)
        own = {one.field for one in asked}
        known = [key for one in asked if (key := self._key(one)) is not None]
        askable = fields.askable_fields(self._layout) - own
        beside = [
            one
            for one in self._layout.fields.values()
            if one.id in askable and one.fillable and one.kind not in NOT_FOR_CUSTOMERS
        ]
        for name in self._given:
            if name not in known and name not in [one.key for one in beside]:
                raise InvalidInput(no_field(name[:100], known), field=f"values.{name[:100]}", allowed=known)
        for question in asked:
            self._ask(question)
        self._ask_beside(beside)
        return self._form

    def _key(self, question: KeptQuestion) -> str | None:
        """None for a field that is not there any more."""
        if isinstance(question.field, str):
            return question.field
        own = self._layout.fields.get(question.field)
        return own.key if own is not None else None

    def _case(self) -> fields.conditions.Case:
        return fields.conditions.Case(self._tx, self._row["project"], self._held, self._facts)

    def _ask(self, question: KeptQuestion) -> None:
        shown = question.show_if is None or fields.conditions.holds(question.show_if, self._case())
        if isinstance(question.field, str):
            self._ask_plain(question, shown=shown)
        elif (own := self._layout.fields.get(question.field)) is not None:
            self._ask_own(own, question, shown=shown)

    def _ask_beside(self, beside: list[fields.OwnField]) -> None:
        """What the layout asks for beside the form. What it does not ask now is the team's: nothing is told of it, also
        where an answer was given to it."""
        wanted = {one.id for one in fields.asked_fields(self._layout, self._case())}
        for own in beside:
            if own.id in wanted:
                self._ask_own(own, KeptQuestion(own.id, "", "", required=True, show_if=None), shown=True)

    def _ask_plain(self, question: KeptQuestion, *, shown: bool) -> None:
        key = str(question.field)
        plain = PLAIN[key]
        value = self._given.get(key)
        kept = self._plain_value(key, value) if shown and value not in (None, "") else None
        if kept is not None:
            self._form.plain[plain.input] = kept
            if plain.fact:
                self._facts[plain.fact] = kept
        self._tell(
            PortalField(
                key=key,
                label=question.label or plain.title,
                help=question.help,
                kind=plain.kind,
                required=question.required,
                options=list(plain.options),
                value=value,
                shown=shown,
            ),
            missing=kept is None or not str(kept).strip(),
        )

    def _plain_value(self, key: str, value: Any) -> Any:
        try:
            return getattr(validate(_Plain, {key: value}), key)
        except InvalidInput as refusal:
            errors = refusal.extra["errors"]
            self._form.errors += [one | {"path": f"values.{key}"} for one in errors]
            return value

    def _ask_own(self, own: fields.OwnField, question: KeptQuestion, *, shown: bool) -> None:
        given = own.key in self._given
        value = self._given[own.key] if given else fields.shown_value(self._tx, own, own.preset)
        kept = list(own.preset) if shown and not given else []
        wrong = False
        if shown and given:
            try:
                place = (self._row["project"], self._row["issue_type"])
                kept = fields.resolve(self._tx, *place, {own.key: value})[own.id]
            except InvalidInput as refusal:
                self._form.errors += refusal.extra["errors"]
                wrong = True
        if shown and not wrong and (given or kept):
            self._form.values[own.key] = value
        self._held[own.id] = kept
        self._tell(
            PortalField(
                key=own.key,
                label=question.label or own.name,
                help=question.help or own.description,
                kind=own.kind,
                required=question.required,
                options=_options(own),
                value=value,
                shown=shown,
            ),
            missing=not kept and not wrong,
        )

    def _tell(self, told: PortalField, *, missing: bool) -> None:
        self._form.fields.append(told)
        if told["required"] and told["shown"] and missing:
            path, text = f"values.{told['key']}", f"{told['label']} must be answered"
            if path not in [one["path"] for one in self._form.errors]:
                self._form.errors.append({"path": path, "message": text})


def _options(own: fields.OwnField) -> list[Any]:
    """Names of what may be chosen, or the paths that lead down to it."""
    live = [option for option in own.options if not option.archived]
    if own.kind == "cascade":
        return [[step.name for step in own.path(option.id)] for option in live]
    return [option.name for option in live] if own.kind in ("select", "multi_select") else []
