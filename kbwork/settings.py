"""What the operator decides: `kbwork.toml` and the environment, read once into one frozen `Settings`."""

import dataclasses
import ipaddress
import json
import re
import typing
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import parse_qsl, urlsplit

from kbwork.base.dataclasses import dataclass, field
from kbwork.base.text import nearest
from kbwork.core.operations.limits import Rate, Rates

_FILE = Path("kbwork.toml")
_PREFIX = "KBWORK_"
_HOST = re.compile(r"\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+")
_HOST_PORT = re.compile(rf"({_HOST.pattern}):(\d{{1,5}})")
_PLACE = re.compile(r"[a-z0-9][a-z0-9-]{0,39}=(/.*|s3://.+)")
_BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
_NATS = re.compile(rf"(nats|tls)://({_HOST.pattern})(:\d{{1,5}})?")
_STREAM = re.compile(r"[A-Za-z0-9_-]{1,255}")
_SUBJECT = re.compile(rf"{_STREAM.pattern}(\.{_STREAM.pattern})*")
_BUCKET_KEYS = ("endpoint", "region", "keys")
_SWITCH = {
    "true": True,
    "yes": True,
    "on": True,
    "1": True,
    "false": False,
    "no": False,
    "off": False,
    "0": False,
}
_MOST = 1e15  # any number of seconds, connections or calls is far below; it keeps infinity out
_ANY_HOST = ("0.0.0.0", "::")  # noqa: S104 - compared with, not bound to


class SettingsError(Exception):
    """The settings cannot be used; the text is one line for the operator."""


@dataclass(frozen=True, slots=True)
class SettingKey:
    """What is known of one key beside its type: its line in the example, and its bounds."""

    doc: str
    low: float | None = None
    high: float | None = None
    name: str | None = None
    """Its name in the file where Python cannot have it for a field."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    host: Annotated[
        str, SettingKey("The address to listen on; 0.0.0.0 or :: is every address of the machine.")
    ] = "127.0.0.1"
    port: Annotated[int, SettingKey("The port to listen on; 0 takes a free one.", 0, 65_535)] = 8080
    data: Annotated[str, SettingKey("The data folder; a relative path begins where kbwork is started.")] = (
        "./kbwork-data"
    )
    base_url: Annotated[
        str,
        SettingKey("The address that people and programs reach this server by; empty: http, host and port."),
    ] = ""
    hosts: Annotated[
        tuple[str, ...],
        SettingKey(
            'Other names that it goes by, without a port, such as "work.lan"; all others are refused.'
        ),
    ] = ()
    trusted_proxies: Annotated[
        tuple[str, ...],
        SettingKey(
            'Proxies that say truly for whom they ask, as addresses or networks, such as "127.0.0.1".'
        ),
    ] = ()
    max_body_mb: Annotated[
        int, SettingKey("The largest request body, in MB; uploads of archives are apart.", 1, 1024)
    ] = 16
    max_upload_mb: Annotated[
        int, SettingKey("The largest archive that is uploaded, in MB.", 1, 10_000_000)
    ] = 20_480
    max_connections: Annotated[
        int, SettingKey("Connections at once; the limit on open files may lower it.", 1)
    ] = 12_000
    max_connections_per_address: Annotated[
        int, SettingKey("Connections at once from one address; trusted proxies have as many as all.", 1)
    ] = 1000
    header_seconds: Annotated[float, SettingKey("How long a request header may take.", 0.01)] = 10
    body_seconds: Annotated[float, SettingKey("How long a request body may take.", 0.01)] = 30
    drain_seconds: Annotated[
        float, SettingKey("How long running requests may take when the server is stopped.", 0)
    ] = 5
    idle_stop_minutes: Annotated[
        float,
        SettingKey(
            "Stop once nothing was asked for so many minutes, and nothing is due soon; 0: never. Somebody else has to"
            " start it again, such as kbwork cells.",
            0,
        ),
    ] = 0


@dataclass(frozen=True, slots=True)
class StreamSettings:
    per_member: Annotated[int, SettingKey("Event streams at once for one member.", 0)] = 20
    per_key: Annotated[int, SettingKey("Event streams at once for one key.", 0)] = 5
    per_sdk_key: Annotated[int, SettingKey("Streams of flag clients at once by one SDK key.", 0)] = 10_000
    all: Annotated[
        int, SettingKey("Event streams at once in all; of flag clients as many beside them.", 0)
    ] = 10_000
    ping_seconds: Annotated[float, SettingKey("A quiet stream says this often that it is alive.", 0.01)] = 15


@dataclass(frozen=True, slots=True)
class OutboundSettings:
    allow: Annotated[
        tuple[str, ...],
        SettingKey('Private addresses that the server may call, as host:port, such as "127.0.0.1:11434".'),
    ] = ()


@dataclass(frozen=True, slots=True)
class LimitSettings:
    enabled: Annotated[bool, SettingKey("Whether calls are limited at all.")] = True
    read_per_second: Annotated[
        float, SettingKey("Reads a second in the long run, for each key or session.", 0.01)
    ] = 200
    read_burst: Annotated[int, SettingKey("Reads at once, for each key or session.", 1)] = 2000
    write_per_second: Annotated[
        float, SettingKey("Writes a second in the long run, for each key or session.", 0.01)
    ] = 100
    write_burst: Annotated[int, SettingKey("Writes at once, for each key or session.", 1)] = 1000
    public_per_second: Annotated[
        float, SettingKey("Calls without sign-in a second in the long run, for each address.", 0.01)
    ] = 5
    public_burst: Annotated[int, SettingKey("Calls without sign-in at once, for each address.", 1)] = 50
    flags_per_second: Annotated[
        float, SettingKey("Calls by one SDK key a second in the long run; 0: as many as come.", 0)
    ] = 0
    flags_burst: Annotated[int, SettingKey("Calls by one SDK key at once, where they are limited.", 1)] = 1000


@dataclass(frozen=True, slots=True)
class MailSettings:
    host: Annotated[str, SettingKey("The mail server that takes what is sent; empty: no mail is sent.")] = ""
    port: Annotated[int, SettingKey("Its port.", 1, 65_535)] = 587
    security: Annotated[
        Literal["starttls", "tls", "none"],
        SettingKey("How the connection to it is secured: starttls, tls or none."),
    ] = "starttls"
    user: Annotated[str, SettingKey("The name to sign in with; empty: without signing in.")] = ""
    password_file: Annotated[
        str, SettingKey("The file that holds the password, so that it is not in this one.")
    ] = ""
    sender: Annotated[str, SettingKey("The address that mail comes from.", name="from")] = ""
    folder: Annotated[
        str,
        SettingKey(
            "Where letters are written as files in the place of a mail server, to look at; empty: nowhere."
        ),
    ] = ""


@dataclass(frozen=True, slots=True)
class BackupSettings:
    directory: Annotated[
        str, SettingKey("Where backups are laid; empty: the folder backups in the data folder.")
    ] = ""
    places: Annotated[
        tuple[str, ...],
        SettingKey(
            "Other places for backups, by a name for the schedule: folders or S3-compatible stores, such as"
            ' "nas=/mnt/nas/kbwork" or "far=s3://bucket/prefix?endpoint=https://s3.example.org".'
        ),
    ] = ()


_Endpoint = Annotated[
    str, SettingKey("The address of the S3-compatible store; empty: Amazon's of the region.")
]
_Region = Annotated[str, SettingKey("The region of the bucket.")]
_PathStyle = Annotated[
    bool, SettingKey("Whether the bucket stands in the path of the store's address, not in its name.")
]
_KeyPair = Annotated[
    str,
    SettingKey(
        "The file that holds the id of a key and its secret, a line each; empty: AWS_ACCESS_KEY_ID and"
        " AWS_SECRET_ACCESS_KEY."
    ),
]


@dataclass(frozen=True, slots=True)
class ReplicateSettings:
    to: Annotated[
        str,
        SettingKey("Where each write goes within seconds: a folder, or s3://bucket/path; empty: no replica."),
    ] = ""
    endpoint: _Endpoint = ""
    region: _Region = "us-east-1"
    path_style: _PathStyle = True
    keys: _KeyPair = ""
    engine: Annotated[
        str, SettingKey("The program Litestream; empty: that of pip install 'kbwork[replica]'.")
    ] = ""
    days: Annotated[int, SettingKey("So many days back the data can be restored.", 1, 366)] = 7
    lease: Annotated[
        bool,
        SettingKey(
            "Whether nothing is written without the lease of the replica, which a standby needs: while its place"
            " cannot be reached, writes are refused."
        ),
    ] = False


@dataclass(frozen=True, slots=True)
class ExportSettings:
    to: Annotated[
        str,
        SettingKey(
            "Where events go as Parquet, a file for each day: a folder, or s3://bucket/path; empty: nowhere."
        ),
    ] = ""
    endpoint: _Endpoint = ""
    region: _Region = "us-east-1"
    path_style: _PathStyle = True
    keys: _KeyPair = ""
    seconds: Annotated[int, SettingKey("How long the store may take for one request.", 1, 3600)] = 120


@dataclass(frozen=True, slots=True)
class OutboxSettings:
    servers: Annotated[
        tuple[str, ...],
        SettingKey(
            'Servers of NATS to which each event goes, such as "nats://127.0.0.1:4222" or "tls://nats.example.org";'
            " the first that answers; none: no outbox."
        ),
    ] = ()
    stream: Annotated[
        str, SettingKey("The stream that is filled; empty: kbwork- and the short name of the org.")
    ] = ""
    subject: Annotated[
        str,
        SettingKey(
            "What the subjects begin with, before the kind of event; empty: kbwork. and the short name of the org."
        ),
    ] = ""
    credentials: Annotated[
        str,
        SettingKey(
            "The file that says who we are there: credentials of NATS, or a name and a password, a line each, or a"
            " token; empty: nobody."
        ),
    ] = ""
    ca: Annotated[
        str,
        SettingKey("The file of the authorities whose certificates are believed; empty: the machine's own."),
    ] = ""
    from_: Annotated[
        Literal["kept", "now"],
        SettingKey("What a new stream begins with: kept (all events that are kept) or now.", name="from"),
    ] = "kept"


@dataclass(frozen=True, slots=True)
class LogSettings:
    level: Annotated[
        Literal["debug", "info", "warning", "error"],
        SettingKey("What is logged: debug, info, warning or error."),
    ] = "info"
    format: Annotated[
        Literal["text", "json"], SettingKey("Lines to read (text) or one JSON object a line (json).")
    ] = "text"
    access: Annotated[
        bool,
        SettingKey("Whether each answer gets a line: address, method, path, status, milliseconds, request."),
    ] = False


Section = (
    ServerSettings
    | StreamSettings
    | OutboundSettings
    | LimitSettings
    | MailSettings
    | BackupSettings
    | ReplicateSettings
    | ExportSettings
    | OutboxSettings
    | LogSettings
)


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings in force, one member for each section of the file."""

    server: ServerSettings = field(default_factory=ServerSettings)
    streams: StreamSettings = field(default_factory=StreamSettings)
    outbound: OutboundSettings = field(default_factory=OutboundSettings)
    limits: LimitSettings = field(default_factory=LimitSettings)
    mail: MailSettings = field(default_factory=MailSettings)
    backup: BackupSettings = field(default_factory=BackupSettings)
    replicate: ReplicateSettings = field(default_factory=ReplicateSettings)
    export: ExportSettings = field(default_factory=ExportSettings)
    outbox: OutboxSettings = field(default_factory=OutboxSettings)
    log: LogSettings = field(default_factory=LogSettings)

    @property
    def places(self) -> dict[str, Path]:
        """The folders for backups that have a name."""
        named = (place.partition("=") for place in self.backup.places)
        return {name: Path(path) for name, _, path in named if path.startswith("/")}

    @property
    def buckets(self) -> dict[str, dict[str, str]]:
        """The stores for backups by their names, each as what is to be known of a bucket."""
        named = (place.partition("=") for place in self.backup.places)
        return {name: {"name": name} | _bucket(url) for name, _, url in named if not url.startswith("/")}

    @property
    def rates(self) -> Rates:
        """What `[limits]` means to the dispatcher."""
        at = self.limits
        return Rates(
            enabled=at.enabled,
            read=Rate(at.read_per_second, at.read_burst),
            write=Rate(at.write_per_second, at.write_burst),
            public=Rate(at.public_per_second, at.public_burst),
        )

    @property
    def sdk_rates(self) -> Rates:
        """What it means to the doors of flag clients."""
        at = self.limits
        limited = at.enabled and at.flags_per_second > 0
        return Rates(enabled=limited, read=Rate(at.flags_per_second or 1, at.flags_burst))

    def origin(self, port: int) -> str:
        """Scheme, host and port that this server is known by, without a slash at the end.

        `port` is the one that was bound: the one in the settings may be 0.
        """
        if self.server.base_url:
            return self.server.base_url.rstrip("/")
        host = "localhost" if self.server.host in _ANY_HOST else self.server.host
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    @property
    def nameless(self) -> bool:
        """Whether it listens for others, who may come by names that it does not know."""
        return self.server.host in _ANY_HOST and not (self.server.base_url or self.server.hosts)

    def as_toml(self, origins: "Mapping[tuple[str, str], str] | None" = None) -> str:
        """The settings in force as a `kbwork.toml`, each key under a line that says what it does.

        With `origins`, where each comes from stands behind it.
        """
        blocks = []
        for section in dataclasses.fields(self):
            part: Section = getattr(self, section.name)
            lines = [f"[{section.name}]"]
            for name, known in _SECTIONS[section.name].items():
                whence = f"  # {origins.get((section.name, name), 'default')}" if origins is not None else ""
                lines += [f"# {known.key.doc}", f"{name} = {_toml(getattr(part, known.field))}{whence}"]
            blocks.append("\n".join(lines) + "\n")
        return "\n".join(blocks)


@dataclass(frozen=True, slots=True)
class _Field:
    """One key of a section: the field that holds it, its type, and what is known of it."""

    field: str
    kind: object
    key: SettingKey

    @property
    def wanted(self) -> str:
        """What would fit, in words."""
        if choices := typing.get_args(self.kind) if typing.get_origin(self.kind) is Literal else ():
            return " or ".join(choices)
        if self.kind in (int, float):
            return ("a whole number" if self.kind is int else "a number") + self._bounds()
        if self.kind is bool:
            return "true or false"
        return "a text" if self.kind is str else "a list of texts"

    def fits(self, value: object) -> bool:
        """Whether a value of the file, or one made `from_text`, can stand here."""
        if typing.get_origin(self.kind) is Literal:
            return value in typing.get_args(self.kind)
        if self.kind is bool or isinstance(value, bool):
            return self.kind is bool and isinstance(value, bool)
        if self.kind is int or self.kind is float:
            return self._within(value)
        if self.kind is str:
            return isinstance(value, str)
        return isinstance(value, list) and all(isinstance(item, str) for item in value)

    def from_text(self, text: str) -> object:
        """The value that a variable of the environment means, or the text where it means none."""
        if self.kind is bool:
            return _SWITCH.get(text.strip().lower(), text)
        if self.kind in (int, float):
            return _number(text)
        if typing.get_origin(self.kind) is tuple:
            return [item.strip() for item in text.split(",") if item.strip()]
        return text

    def _within(self, value: object) -> bool:
        if not isinstance(value, int) and not (self.kind is float and isinstance(value, float)):
            return False
        low, high = self.key.low, self.key.high
        return (low is None or value >= low) and value <= (_MOST if high is None else high)

    def _bounds(self) -> str:
        if self.key.low is None:
            return ""
        low = f"{self.key.low:g}"
        return f" of at least {low}" if self.key.high is None else f" from {low} to {self.key.high:g}"


def load(path: Path | None, environ: Mapping[str, str]) -> Settings:
    """The settings of a file and of `KBWORK_SECTION_KEY` variables, which win.

    Without a path, `kbwork.toml` of the working folder is read if it is there. Raises SettingsError.
    """
    given = _given(path, environ)
    settings = Settings(**{name: _section(name, given.get(name, {})) for name in _SECTIONS})  # type: ignore[arg-type]  # each by its own name
    _judge(settings)
    return settings


def origins(path: Path | None, environ: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """(section, key) -> the file or the variable that `load` takes it from; those that are not there have defaults."""
    return {
        (section, key): " ".join(where.split())
        for section, keys in _given(path, environ).items()
        for key, (_, where) in keys.items()
    }


_Given = dict[str, dict[str, tuple[object, str]]]
"""Section -> key -> (value, where it was found)."""


def _given(path: Path | None, environ: Mapping[str, str]) -> _Given:
    given = _of_file(path)
    for name, text in environ.items():
        if (found := _of_variable(name)) is not None:
            section, key = found
            given.setdefault(section, {})[key] = (_SECTIONS[section][key].from_text(text), name)
    return given


def _of_file(path: Path | None) -> _Given:
    if path is None and not _FILE.exists():
        return {}
    import tomllib  # noqa: PLC0415 - many servers have no such file

    path = path or _FILE
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"cannot read the settings {path}: {error.strerror}") from None
    except ValueError as error:
        raise SettingsError(f"{path} is not TOML: {' '.join(str(error).split())}") from None
    given: _Given = {}
    for section, table in tables.items():
        _know(section, _SECTIONS, f"section [{section}]", str(path), "[{}]".format)
        if not isinstance(table, dict):
            raise SettingsError(f"{path}: {section} should be a table that begins with the line [{section}]")
        for key in table:
            _know(key, _SECTIONS[section], f"key {section}.{key}", str(path), f"{section}.{{}}".format)
        given[section] = {key: (value, str(path)) for key, value in table.items()}
    return given


def _know(word: str, known: Mapping[str, object], what: str, where: str, shown: Callable[[str], str]) -> None:
    """Refuse a word that is not known, with the nearest one that is. `shown` writes it as it stands there."""
    if word in known:
        return
    homes = [name for name, keys in _SECTIONS.items() if known is _SECTIONS and word in keys]
    if homes:
        hint = f"{word} belongs under [{homes[0]}]"
    elif near := nearest(word, known):
        hint = f"did you mean {shown(near)}?"
    else:
        hint = "there is " + ", ".join(shown(name) for name in known)
    raise SettingsError(f"{where}: there is no {what}; {hint}")


def _of_variable(name: str) -> tuple[str, str] | None:
    """The section and key that a variable is for; None where it is none of ours."""
    section, _, key = name.removeprefix(_PREFIX).lower().partition("_")
    if not name.startswith(_PREFIX) or not key:
        return None
    if section in _SECTIONS:
        _know(key, _SECTIONS[section], f"key {section}.{key}", name, partial(_variable, section))
        return section, key
    near = nearest(section, _SECTIONS)
    # Kubernetes sets KBWORK_SERVICE_HOST and its like for a service of this name.
    if near and key in _SECTIONS[near] and section != "service":
        raise SettingsError(f"{name}: there is no section [{section}]; did you mean {_variable(near, key)}?")
    return None


def _variable(section: str, key: str) -> str:
    return f"{_PREFIX}{section}_{key}".upper()


def _section(name: str, given: Mapping[str, tuple[object, str]]) -> Section:
    values: dict[str, object] = {}
    for key, (value, where) in given.items():
        known = _SECTIONS[name][key]
        if not known.fits(value):
            raise SettingsError(f"{where}: {name}.{key} should be {known.wanted}, not {_shown(value)}")
        values[known.field] = tuple(value) if isinstance(value, list) else value
    return _CLASSES[name](**values)  # type: ignore[arg-type]  # each value was found to fit


def _judge_server(server: ServerSettings) -> None:
    if not server.host:
        raise SettingsError("server.host should be an address to listen on, such as 127.0.0.1")
    if not server.data or "\0" in server.data:
        raise SettingsError("server.data should be the path of a folder, such as ./kbwork-data")
    if server.base_url and not _is_origin(server.base_url):
        raise SettingsError(
            "server.base_url should be scheme, host and port alone, such as https://work.example.org, "
            f"not {_shown(server.base_url)}"
        )
    for host in server.hosts:
        if _HOST.fullmatch(host) is None:
            raise SettingsError(
                f"server.hosts should list names without scheme and port, such as work.lan, not {_shown(host)}"
            )
    for proxy in server.trusted_proxies:
        if not _is_network(proxy):
            raise SettingsError(
                "server.trusted_proxies should list addresses or networks, such as 127.0.0.1 or 10.0.0.0/8, "
                f"not {_shown(proxy)}"
            )


def _judge(settings: Settings) -> None:
    """What no single type tells. Raises SettingsError."""
    _judge_server(settings.server)
    for place in settings.outbound.allow:
        found = _HOST_PORT.fullmatch(place)
        if found is None or not 1 <= int(found[2]) <= 65_535:
            raise SettingsError(
                f"outbound.allow should list host:port, such as 127.0.0.1:11434, not {_shown(place)}"
            )
    for place in settings.backup.places:
        if _PLACE.fullmatch(place) is None:
            raise SettingsError(
                "backup.places should list name=folder, with small letters, digits and - in the name and the folder's"
                f" whole path, such as nas=/mnt/nas/kbwork, or name=s3://bucket/prefix, not {_shown(place)}"
            )
    for name, bucket in settings.buckets.items():
        _judge_bucket(name, bucket)
    for section, at in (("replicate", settings.replicate), ("export", settings.export)):
        _judge_place(section, at, settings.server.data)
    _judge_outbox(settings.outbox)
    mail = settings.mail
    if mail.host and mail.folder:
        raise SettingsError(
            "mail.host and mail.folder exclude each other: letters go to a mail server, or to a folder"
        )
    if (mail.host or mail.folder) and not mail.sender:
        named = "mail.host" if mail.host else "mail.folder"
        raise SettingsError(f"mail.from should be the address that mail comes from, since {named} is set")
    if bool(mail.user) != bool(mail.password_file):
        raise SettingsError("mail.user and mail.password_file go together: set both or none")


def _judge_place(section: str, at: ReplicateSettings | ExportSettings, data: str) -> None:
    """Raises SettingsError."""
    if not at.to:
        return
    if at.to.startswith("/"):
        if Path(at.to).resolve().is_relative_to(Path(data).resolve()):
            raise SettingsError(
                f"{section}.to lies in the data folder, and would be lost with it: name a folder on another disk"
            )
    elif not at.to.startswith("s3://") or _BUCKET.fullmatch(urlsplit(at.to).netloc) is None:
        raise SettingsError(
            f"{section}.to should be the whole path of a folder, or s3://bucket/path, not {_shown(at.to)}"
        )
    if "?" in at.to:
        raise SettingsError(f"{section}.to ends with the path: endpoint, region and keys are keys beside it")
    if at.endpoint and not _is_origin(at.endpoint):
        raise SettingsError(
            f"{section}.endpoint should be scheme, host and port alone, such as https://s3.example.org, not"
            f" {_shown(at.endpoint)}"
        )


def _judge_outbox(at: OutboxSettings) -> None:
    """What holds a secret is not shown. Raises SettingsError."""
    for server in at.servers:
        if "@" in server:
            raise SettingsError(
                "outbox.servers should have no name and no password in them: outbox.credentials names a file"
            )
        if _NATS.fullmatch(server) is None:
            raise SettingsError(
                f"outbox.servers should list nats://host:port or tls://host:port, not {_shown(server)}"
            )
    if at.stream and _STREAM.fullmatch(at.stream) is None:
        raise SettingsError(
            f"outbox.stream should be a word of letters, digits, - and _, not {_shown(at.stream)}"
        )
    if at.subject and _SUBJECT.fullmatch(at.subject) is None:
        raise SettingsError(
            f"outbox.subject should be such words with dots between them, not {_shown(at.subject)}"
        )


def _bucket(url: str) -> dict[str, str]:
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    return {"bucket": parts.netloc, "prefix": parts.path.strip("/")} | query


def _judge_bucket(name: str, bucket: dict[str, str]) -> None:
    """A key in the settings would be read by whoever reads the settings: a file holds it. Raises SettingsError."""
    where = f"backup.places: {name}"
    if _BUCKET.fullmatch(bucket["bucket"]) is None:
        raise SettingsError(f"{where} should name a bucket, such as s3://bucket/prefix")
    if unknown := sorted(set(bucket) - {"name", "bucket", "prefix", *_BUCKET_KEYS}):
        hint = "; keys of a store are in a file: keys=/etc/kbwork/s3.keys" if "key" in unknown[0] else ""
        raise SettingsError(f"{where}: there is no {unknown[0]}, there is {', '.join(_BUCKET_KEYS)}{hint}")
    if not _is_origin(bucket.get("endpoint", "https://s3.example.org")):
        raise SettingsError(
            f"{where}: endpoint should be scheme, host and port alone, such as https://s3.example.org"
        )


def _is_network(text: str) -> bool:
    try:
        ipaddress.ip_network(text, strict=False)
    except ValueError:
        return False
    return True


def _is_origin(address: str) -> bool:
    try:
        parts = urlsplit(address)
        parts.port  # noqa: B018 - reading it checks it
    except ValueError:
        return False
    plain = parts.path in ("", "/") and not (parts.query or parts.fragment or "@" in parts.netloc)
    return parts.scheme in ("http", "https") and bool(parts.hostname) and plain


def _number(text: str) -> object:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else str(value)
    text = text if len(text) <= 60 else text[:60] + "..."
    return json.dumps(text, ensure_ascii=False) if isinstance(value, str) else text


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(int(value) if int(value) == value else value)
    if isinstance(value, str):
        # A text of JSON is one of TOML, but for DEL, which TOML wants escaped as well.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    assert isinstance(value, tuple)
    return "[" + ", ".join(_toml(item) for item in value) + "]"


def _keys(section: type[Section]) -> dict[str, _Field]:
    """Key of the file -> its field, in the order of the file."""
    found = {}
    for name, hint in typing.get_type_hints(section, include_extras=True).items():
        kind, key = typing.get_args(hint)
        found[key.name or name] = _Field(name, kind, key)
    return found


_CLASSES: dict[str, type[Section]] = {
    name: kind for name, kind in typing.get_type_hints(Settings).items() if name in Settings.__slots__
}
_SECTIONS = {name: _keys(kind) for name, kind in _CLASSES.items()}
