"""The words of events that are taken out."""

from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent


class Exporting(TypedDict):
    """Work that goes on; `jobs.get` says how far it is."""

    job: int
    """The job that lays the files. Its result has `days` and `events`, how many were laid."""


class EventsExported(DomainEvent):
    """The days `from` to `to` are there; `days` and `events` say how many were laid for it."""

    kind = "events.exported"
    audience = "admin"
