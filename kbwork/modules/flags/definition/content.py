"""Definitions as they are stored, and what a change of one may refer to."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from kbwork.base import ids
from kbwork.db.rows import FlagEnvironmentRow, FlagRow, FlagSegmentRow
from kbwork.db.tx import Read
from kbwork.flagengine.patch.checks import PatchContext
from kbwork.modules.flags.definition import json_schemas
from kbwork.modules.flags.model import Json

_OTHERS = "from flag where project = :project and not archived and id <> :id"


def packed(value: Any) -> str:
    """JSON as it is stored."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def meta_of(flag: Mapping[str, Any]) -> Json:
    """What a flag is everywhere, with `archived`."""
    found: Json = json.loads(flag["meta"])
    return {"aliases": []} | found | {"archived": bool(flag["archived"])}


def config_of(tx: Read, flag: FlagRow, environment: FlagEnvironmentRow) -> Json:
    """A flag in an environment."""
    found: Json = json.loads(
        tx.value(
            "select config from flag_config where flag = :flag and environment = :environment",
            flag=flag["id"],
            environment=environment["id"],
        )
    )
    return found


def segment_of(segment: FlagSegmentRow) -> Json:
    """A segment, with what it is called: as instructions change it."""
    body: Json = json.loads(segment["body"])
    return body | {
        "name": segment["name"],
        "description": segment["description"],
        "tags": json.loads(segment["tags"]),
    }


def portable(text: str) -> Json:
    """A stored configuration or segment without its salt, which stays where it is."""
    found: Json = json.loads(text)
    del found["salt"]
    if "targets" in found:  # what it does not speak of would stay as it is there
        found.setdefault("expiring", [])
    return found


def world_of_config(tx: Read, flag: FlagRow, environment: FlagEnvironmentRow) -> PatchContext:
    """What the targeting of a flag may refer to."""
    return PatchContext(
        variations=len(json.loads(flag["meta"])["variations"]),
        segments=_segments(tx, environment),
        flags=_Others(tx, flag),
        new_id=ids.short,
    )


def world_of_meta(tx: Read, flag: FlagRow | None) -> PatchContext:
    """What a flag's own fields may refer to; a new one is served nowhere."""
    return PatchContext(
        people=frozenset(tx.column("select id from member where state = 'active'")),
        used=_served(tx, flag) if flag is not None else (),
        fits=json_schemas.SchemaChecker().fits,
    )


def world_of_segment(tx: Read, environment: FlagEnvironmentRow, key: str) -> PatchContext:
    """What the rules of a segment may refer to; that it does not lead back to itself is seen to afterwards."""
    return PatchContext(segments=_segments(tx, environment), segment=key, new_id=ids.short)


def by_present_keys(tx: Read, flag: FlagRow, instructions: list[Json]) -> list[Json]:
    """Instructions that name flags by keys which these had before, with the keys of today."""
    aliases: dict[str, str] = {
        row["alias"]: row["key"]
        for row in tx.all(
            "select a.key as alias, f.key from flag_alias a join flag f on f.id = a.flag"
            " where a.project = :project and a.dropped_at is null",
            project=flag["project"],
        )
    }
    return [_renamed(one, aliases) for one in instructions] if aliases else instructions


def _renamed(instruction: Any, aliases: dict[str, str]) -> Any:
    """What is not as it should be stays so: it is refused where it is read."""
    if type(instruction) is not dict:
        return instruction
    if str(instruction.get("kind")).endswith("Prerequisite"):
        return _named_anew(instruction, aliases)
    config = instruction.get("config")
    if type(config) is dict and type(config.get("prerequisites")) is list:
        listed = [_named_anew(one, aliases) for one in config["prerequisites"]]
        return instruction | {"config": config | {"prerequisites": listed}}
    return instruction


def _named_anew(owner: Any, aliases: dict[str, str]) -> Any:
    if type(owner) is not dict or type(owner.get("key")) is not str:
        return owner
    return owner | {"key": aliases.get(owner["key"], owner["key"])}


def _segments(tx: Read, environment: FlagEnvironmentRow) -> frozenset[str]:
    return frozenset(tx.column("select key from flag_segment where environment = :id", id=environment["id"]))


class _Others(Mapping[str, int]):
    """The project's other flags that are not archived, and how many variations each has; looked up one by one, since a
    change names few of thousands."""

    def __init__(self, tx: Read, flag: FlagRow) -> None:
        self._tx = tx
        self._flag = flag

    def __getitem__(self, key: str) -> int:
        found: int | None = self._tx.value(
            f"select json_array_length(meta, '$.variations') {_OTHERS} and key = :key",
            key=key,
            **self._where,
        )
        if found is None:
            raise KeyError(key)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._tx.column(f"select key {_OTHERS}", **self._where))

    def __len__(self) -> int:
        found: int = self._tx.value(f"select count(*) {_OTHERS}", **self._where)
        return found

    @property
    def _where(self) -> dict[str, int]:
        return {"project": self._flag["project"], "id": self._flag["id"]}


def _served(tx: Read, flag: FlagRow) -> frozenset[int]:
    """The variations that some environment serves, or that another flag waits for."""
    found: set[int] = set()
    configs = tx.column("select config from flag_config where flag = :flag", flag=flag["id"])
    for config in map(json.loads, configs):
        found |= _named(config)
    waiting = tx.all(
        "select u.environment, o.id as flag from flag_environment e join flag_use u on u.environment = e.id"
        " and u.uses_kind = 'flag' and u.uses = :key and u.user_kind = 'flag'"
        " join flag o on o.project = e.project and o.key = u.user where e.project = :project",
        key=flag["key"],
        project=flag["project"],
    )
    for row in waiting:
        config = json.loads(
            tx.value(
                "select config from flag_config where flag = :flag and environment = :environment",
                flag=row["flag"],
                environment=row["environment"],
            )
        )
        found |= {one["variation"] for one in config["prerequisites"] if one["key"] == flag["key"]}
    return frozenset(found)


def _named(config: Json) -> set[int]:
    """The variations that a configuration names."""
    served = [config["fallthrough"], *config["rules"]]
    found = {one["variation"] for one in (*served, *config["targets"]) if "variation" in one}
    found |= {
        part["variation"] for one in served if "rollout" in one for part in one["rollout"]["variations"]
    }
    if config["offVariation"] is not None:
        found.add(config["offVariation"])
    return found
