"""Forward-only migrations: each file in one transaction, its name and checksum kept; then the triggers."""

import contextlib
import hashlib
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from pathlib import Path

import apsw

from kbwork.base.clock import Clock
from kbwork.db.connection import APPLICATION_ID, Unusable, add_functions, connect
from kbwork.db.schemas import foreign, triggers

_BEFORE = "-before-"
_COPIES = 2
_LAST_WITH_TRIGGERS = "202611200044_event_about"
"""Migrations up to this one make triggers, and drop those that others made. Which ones a later one would find depends
on the version that had the file last: it finds none, and counts anew itself what it moves."""
_RAN = (
    "schema_migration"
    " (name text primary key, checksum text not null, at integer not null) strict, without rowid"
)
SCHEMA_FOLDER = Path(__file__).parent
"""Where `schema.sql` is kept."""


@cache
def files() -> tuple[tuple[str, str], ...]:
    """(name, text) of every migration, in order."""
    folder = SCHEMA_FOLDER / "migrations"
    return tuple((file.stem, file.read_text("utf-8")) for file in sorted(folder.glob("*.sql")))


def migrate(path: Path, clock: Clock, *, copy: bool = True) -> list[str]:
    """Bring the file to this version's schema and triggers; answers the migrations that ran.

    A `copy` of the file as it was is kept beside it, and one more of an earlier time.

    Raises Unusable for another program's file, a newer schema, one that is not ours, or a migration that was edited
    after it ran.
    """
    connection = _connected(path)
    try:
        return _migrated(connection, path, clock, copy=copy)
    finally:
        connection.close(True)


def opened(path: Path, clock: Clock) -> apsw.Connection:
    """The file brought to this version, open for the writer: to open it again would read its schema again.

    Raises Unusable, as `migrate`.
    """
    connection = _connected(path)
    try:
        _migrated(connection, path, clock, copy=True)
    except BaseException:
        connection.close(True)
        raise
    return connection


def _connected(path: Path) -> apsw.Connection:
    try:
        return connect(path, writer=True)
    except (apsw.CantOpenError, apsw.NotADBError, apsw.ReadOnlyError, apsw.IOError) as error:
        raise Unusable(f"{path} cannot be opened: {error}") from None


def _migrated(connection: apsw.Connection, path: Path, clock: Clock, *, copy: bool) -> list[str]:
    fresh = _is_empty(connection)
    pending = _pending(connection, path, fresh=fresh)
    _require_ours(connection, path)
    copied = copy and pending and not fresh
    if copied:
        _keep_copy(connection, path, clock)
    for name, text in pending:
        try:
            _step(connection, name, text, clock)
        except apsw.Error as error:
            raise Unusable(f"{path} cannot be brought to this version, at {name}: {error}") from error
    if triggers.present(connection) != triggers.wanted():
        with _whole(connection):
            triggers.put(connection)
    if copied:
        _drop_old_copies(path)
    return [name for name, _ in pending]


def statements(text: str) -> Iterator[str]:
    """The statements of a script one by one: SQLite's own lexer says where one ends."""
    part = ""
    for line in text.splitlines(keepends=True):
        part += line
        if apsw.complete(part):
            yield part
            part = ""
    assert not part.strip() or part.strip().startswith("--"), f"unfinished statement: {part}"


def _is_empty(connection: apsw.Connection) -> bool:
    """Whether nobody has made anything of the file yet, perhaps because a first start was cut off."""
    ours = connection.execute("pragma application_id").get in (0, APPLICATION_ID)
    return ours and not connection.execute("select count(*) from sqlite_schema").get


def _pending(connection: apsw.Connection, path: Path, *, fresh: bool) -> list[tuple[str, str]]:
    if fresh:
        connection.execute(f"pragma application_id = {APPLICATION_ID}")
    elif connection.execute("pragma application_id").get != APPLICATION_ID:
        raise Unusable(f"{path} is not a kbwork data file")
    connection.execute(f"create table if not exists {_RAN}")
    try:
        done = ran(connection)
    except Unusable as error:
        raise Unusable(f"{path} cannot be used: {error}") from None
    known = files()
    if newer := sorted(set(done) - {name for name, _ in known}):
        raise Unusable(f"{path} was written by a newer kbwork (it has {newer[-1]}): install that version")
    for name, text in known:
        if name in done and done[name] != _checksum(text):
            raise Unusable(f"the migration {name} was changed after it ran on {path}")
    return [(name, text) for name, text in known if name not in done]


def ran(connection: apsw.Connection) -> dict[str, str]:
    """Name -> checksum of the migrations that ran on a file. Raises Unusable where the table that says so is not ours:
    reading a view would run what somebody else wrote."""
    there = connection.execute("select type, sql from sqlite_schema where lower(name) = 'schema_migration'")
    if list(there) != [("table", f"CREATE TABLE {_RAN}")]:
        raise Unusable("the table schema_migration is not of kbwork: restore a backup from before that")
    return dict(connection.execute("select name, checksum from schema_migration"))


def strange(connection: apsw.Connection) -> list[str]:
    """What in the schema of a file is not of kbwork, in words: what the migrations that ran on it do not make.

    Of a file of this version the digests tell that there is nothing: see `_require_ours`. Raises Unusable, as `ran`.
    """
    if foreign.is_wholly_of_today(connection):
        return []
    return list(foreign.differences(connection, _made_by(_known(ran(connection))), triggers_too=True))


def _require_ours(connection: apsw.Connection, path: Path) -> None:
    """Raises Unusable for a schema that is not ours but for its triggers, which are made anew behind this.

    That of a file of this version is known by its digest, in 1.5 ms: to make it takes 110 ms.
    """
    if foreign.is_of_today(connection):
        return
    made = _made_by(_known(ran(connection)))
    for fault in foreign.differences(connection, made, triggers_too=False):
        raise Unusable(f"{path} cannot be used: {fault}")


def _known(names: Collection[str]) -> tuple[tuple[str, str], ...]:
    return tuple((name, text) for name, text in files() if name in names)


def _step(connection: apsw.Connection, name: str, text: str, clock: Clock) -> None:
    with _whole(connection):
        _run(connection, name, text)
        connection.execute(
            "insert into schema_migration values (?, ?, ?)", (name, _checksum(text), clock.now())
        )
        connection.execute(f"pragma user_version = {len(files())}")


def _run(connection: apsw.Connection, name: str, text: str) -> None:
    if name > _LAST_WITH_TRIGGERS:
        triggers.drop(connection)
    for statement in statements(text):
        connection.execute(statement)


@contextlib.contextmanager
def _whole(connection: apsw.Connection) -> Iterator[None]:
    """All of it is written, or nothing."""
    connection.execute("begin immediate")
    try:
        yield
        connection.execute("commit")
    except BaseException:
        if connection.in_transaction:
            connection.execute("rollback")
        raise


def _keep_copy(connection: apsw.Connection, path: Path, clock: Clock) -> None:
    """A copy of the file as it was, beside it, before its first pending migration."""
    made = path.with_name(f"{path.stem}{_BEFORE}{clock.now()}.db")
    made.unlink(missing_ok=True)  # of a start in the same second that was cut off
    connection.execute("vacuum into ?", (str(made),))


def _drop_old_copies(path: Path) -> None:
    """Once all migrations ran the last two copies stay: of the version before, and of the one before that."""
    found = {}
    for copy in path.parent.glob(f"{path.stem}{_BEFORE}*.db"):
        at = copy.stem.removeprefix(f"{path.stem}{_BEFORE}")
        if at.isdecimal():
            found[int(at)] = copy
    for old in sorted(found)[:-_COPIES]:
        found[old].unlink()


@cache
def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def migrated() -> apsw.Connection:
    """An empty file in memory with the schema of this version."""
    return _migrated_by(files())


def _migrated_by(known: Iterable[tuple[str, str]]) -> apsw.Connection:
    """The same with that of some migrations; the triggers are those of this version where it has any of its own."""
    connection = apsw.Connection(":memory:")
    add_functions(connection)
    for name, text in known:
        _run(connection, name, text)
    if tuple(known) == tuple(files()):
        triggers.put(connection)
    return connection


@cache
def _made_by(known: tuple[tuple[str, str], ...]) -> tuple[foreign.SchemaEntry, ...]:
    connection = _migrated_by(known)
    try:
        connection.execute(f"create table {_RAN}")
        return tuple(foreign.entries(connection))
    finally:
        connection.close()


def digests() -> str:
    """What tells a schema of ours from another at a start: what `digests.txt` holds."""
    return foreign.digests(_made_by(tuple(files())))


def schema() -> str:
    """That schema as SQL text: what `schema.sql` holds."""
    connection = migrated()
    try:
        rows = connection.execute(
            "select sql from sqlite_schema where sql is not null and name not like 'sqlite_%'"
            " order by case type when 'table' then 0 when 'index' then 1 else 2 end, tbl_name, name"
        )
        return (
            "-- Made by `kbwork contract` from the migrations and each `triggers.sql`.\n\n"
            + "\n\n".join(f"{sql};" for (sql,) in rows)
            + "\n"
        )
    finally:
        connection.close()
