"""The settings: the file, the environment, and what is said of mistakes."""

import dataclasses
import itertools
import tomllib
from pathlib import Path

import pytest

from kbwork.core.operations.limits import Rate, Rates
from kbwork.settings import Settings, SettingsError, load, origins

EXAMPLE = Path(__file__).parent.parent / "kbwork.toml.example"


def written(folder: Path, text: str) -> Path:
    path = folder / "kbwork.toml"
    path.write_text(text)
    return path


def test_without_a_file_the_defaults_are_in_force(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert load(None, {}) == Settings()


def test_the_file_of_the_working_folder_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, "[server]\nport = 9000\n")
    monkeypatch.chdir(tmp_path)
    assert load(None, {}).server.port == 9000


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, '[server]\nport = 9000\nhost = "::1"\n')
    found = load(path, {"KBWORK_SERVER_PORT": "9001"}).server
    assert (found.host, found.port) == ("::1", 9001)


def test_variables_carry_every_type() -> None:
    found = load(
        None,
        {
            "KBWORK_LIMITS_ENABLED": "off",
            "KBWORK_LIMITS_READ_PER_SECOND": "0.5",
            "KBWORK_STREAMS_ALL": "7",
            "KBWORK_OUTBOUND_ALLOW": "127.0.0.1:11434, [::1]:25",
            "KBWORK_LOG_FORMAT": "json",
            "KBWORK_MAIL_HOST": "mail.example.org",
            "KBWORK_MAIL_FROM": "kb@example.org",
        },
    )
    assert found.limits.enabled is False
    assert found.limits.read_per_second == 0.5
    assert found.streams.all == 7
    assert found.outbound.allow == ("127.0.0.1:11434", "[::1]:25")
    assert found.log.format == "json"
    assert (found.mail.host, found.mail.sender) == ("mail.example.org", "kb@example.org")


@pytest.mark.parametrize(
    "name",
    [
        "KBWORK_MASTER_KEY",
        "KBWORK_URL",
        "KBWORK_KEY",
        "KBWORK_SERVICE_HOST",
        "KBWORK_PORT_8080_TCP",
        "KBWORK_",
        "PATH",
    ],
)
def test_variables_for_others_are_left_alone(name: str) -> None:
    assert load(None, {name: "tcp://10.0.0.1:80"}) == Settings()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[sever]\nport = 1\n", "there is no section [sever]; did you mean [server]?"),
        ("[server]\nprot = 1\n", "there is no key server.prot; did you mean server.port?"),
        ("[log]\nzzzzzz = 1\n", "there is no key log.zzzzzz; there is log.level, log.format, log.access"),
        ("port = 1\n", "there is no section [port]; port belongs under [server]"),
        ("server = 1\n", "server should be a table that begins with the line [server]"),
        ('[server]\nport = "80"\n', 'server.port should be a whole number from 0 to 65535, not "80"'),
        ("[server]\nport = true\n", "server.port should be a whole number from 0 to 65535, not True"),
        ("[server]\nport = 8080.5\n", "server.port should be a whole number from 0 to 65535, not 8080.5"),
        ("[server]\nport = 65536\n", "server.port should be a whole number from 0 to 65535, not 65536"),
        (
            "[server]\nheader_seconds = 0\n",
            "server.header_seconds should be a number of at least 0.01, not 0",
        ),
        (
            "[server]\nheader_seconds = inf\n",
            "server.header_seconds should be a number of at least 0.01, not inf",
        ),
        (
            "[server]\nheader_seconds = nan\n",
            "server.header_seconds should be a number of at least 0.01, not nan",
        ),
        ("[server]\nhost = 1\n", "server.host should be a text, not 1"),
        ("[limits]\nenabled = 1\n", "limits.enabled should be true or false, not 1"),
        ('[outbound]\nallow = "a:1"\n', 'outbound.allow should be a list of texts, not "a:1"'),
        ('[log]\nlevel = "loud"\n', 'log.level should be debug or info or warning or error, not "loud"'),
        ("[log]\nlevel = []\n", "log.level should be debug or info or warning or error, not []"),
    ],
)
def test_a_mistake_in_the_file_is_said_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(SettingsError) as caught:
        load(path, {})
    assert str(caught.value) == f"{path}: {said}"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("KBWORK_SERVER_PRT", "1", "there is no key server.prt; did you mean KBWORK_SERVER_PORT?"),
        ("KBWORK_SEVER_PORT", "1", "there is no section [sever]; did you mean KBWORK_SERVER_PORT?"),
        ("KBWORK_SERVER_PORT", "abc", 'server.port should be a whole number from 0 to 65535, not "abc"'),
        ("KBWORK_LIMITS_ENABLED", "maybe", 'limits.enabled should be true or false, not "maybe"'),
    ],
)
def test_a_mistake_in_the_environment_names_its_variable(name: str, text: str, said: str) -> None:
    with pytest.raises(SettingsError) as caught:
        load(None, {name: text})
    assert str(caught.value) == f"{name}: {said}"


@pytest.mark.parametrize(
    "environ",
    [
        {"KBWORK_SERVER_HOST": ""},
        {"KBWORK_SERVER_BASE_URL": "work.example.org"},
        {"KBWORK_SERVER_BASE_URL": "https://work.example.org/kb"},
        {"KBWORK_SERVER_BASE_URL": "https://me@work.example.org"},
        {"KBWORK_SERVER_BASE_URL": "https://work.example.org:port"},
        {"KBWORK_SERVER_BASE_URL": "ftp://work.example.org"},
        {"KBWORK_OUTBOUND_ALLOW": "127.0.0.1"},
        {"KBWORK_OUTBOUND_ALLOW": "127.0.0.1:0"},
        {"KBWORK_MAIL_HOST": "mail.example.org"},
        {"KBWORK_MAIL_FOLDER": "/var/spool/kbwork"},
        {
            "KBWORK_MAIL_FOLDER": "/var/spool/kbwork",
            "KBWORK_MAIL_HOST": "a.example",
            "KBWORK_MAIL_FROM": "kb@a.example",
        },
        {"KBWORK_MAIL_USER": "kb"},
    ],
)
def test_values_that_cannot_work_are_refused_in_one_line(environ: dict[str, str]) -> None:
    with pytest.raises(SettingsError, match=r"\A[a-z]+\.[a-z_]+ .*\Z"):
        load(None, environ)


def test_a_file_that_cannot_be_read_is_said_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"cannot read the settings .*: No such file or directory"):
        load(tmp_path / "none.toml", {})
    for broken in (b"[server\n", b"\xff\xfe"):
        path = tmp_path / "kbwork.toml"
        path.write_bytes(broken)
        with pytest.raises(SettingsError, match=r"kbwork\.toml is not TOML: .*\Z"):
            load(path, {})


def test_the_example_is_the_defaults_both_ways() -> None:
    text = EXAMPLE.read_text()
    assert load(EXAMPLE, {}) == Settings()
    assert text.endswith("\n\n" + Settings().as_toml())
    keys = {
        f"{section.name}.{'from' if key.name in ('sender', 'from_') else key.name}"
        for section in dataclasses.fields(Settings)
        for key in dataclasses.fields(getattr(Settings(), section.name))
    }
    assert {f"{section}.{key}" for section, table in tomllib.loads(text).items() for key in table} == keys


def test_every_key_of_the_example_has_a_line_that_says_what_it_does() -> None:
    lines = EXAMPLE.read_text().splitlines()
    for above, line in itertools.pairwise(lines):
        assert not (line[:1].isalpha() and not above.startswith("# ")), line


def test_the_settings_in_force_read_back_as_they_are(tmp_path: Path) -> None:
    found = load(
        None,
        {
            "KBWORK_SERVER_DATA": 'a "quoted" \\ päth\t\x7f',
            "KBWORK_SERVER_DRAIN_SECONDS": "0.25",
            "KBWORK_OUTBOUND_ALLOW": "127.0.0.1:1,localhost:2",
            "KBWORK_LIMITS_ENABLED": "false",
        },
    )
    assert load(written(tmp_path, found.as_toml()), {}) == found


def test_the_settings_in_force_say_where_each_comes_from(tmp_path: Path) -> None:
    file = written(
        tmp_path, '[server]\nhost = "::1"\nport = 9000\n[mail]\nhost = "mail"\nfrom = "a@example.org"\n'
    )
    environ = {"KBWORK_SERVER_PORT": "9001"}
    found = load(file, environ)
    text = found.as_toml(origins(file, environ))
    for line in (
        f'host = "::1"  # {file}',
        "port = 9001  # KBWORK_SERVER_PORT",
        'data = "./kbwork-data"  # default',
        f'from = "a@example.org"  # {file}',
    ):
        assert f"\n{line}\n" in text
    assert load(written(tmp_path, text), {}) == found


def test_the_rates_are_those_of_the_limits() -> None:
    assert load(None, {}).rates == Rates()
    found = load(None, {"KBWORK_LIMITS_PUBLIC_BURST": "3", "KBWORK_LIMITS_ENABLED": "no"}).rates
    assert found == Rates(enabled=False, public=Rate(5, 3))


@pytest.mark.parametrize(
    ("host", "base_url", "origin"),
    [
        ("127.0.0.1", "", "http://127.0.0.1:81"),
        ("0.0.0.0", "", "http://localhost:81"),
        ("::", "", "http://localhost:81"),
        ("::1", "", "http://[::1]:81"),
        ("127.0.0.1", "https://work.example.org/", "https://work.example.org"),
    ],
)
def test_the_origin_is_the_configured_one_or_made_of_host_and_port(
    host: str, base_url: str, origin: str
) -> None:
    settings = load(None, {"KBWORK_SERVER_HOST": host, "KBWORK_SERVER_BASE_URL": base_url})
    assert settings.origin(81) == origin


def test_places_for_backups_are_folders_and_stores() -> None:
    url = "s3://acme-backups/a/b?endpoint=http://127.0.0.1:9000&region=eu-central-1&keys=/etc/s3.keys"
    found = load(None, {"KBWORK_BACKUP_PLACES": f"nas=/mnt/nas,far={url},aws=s3://acme"})
    assert found.places == {"nas": Path("/mnt/nas")}
    assert found.buckets == {
        "far": {
            "name": "far",
            "bucket": "acme-backups",
            "prefix": "a/b",
            "endpoint": "http://127.0.0.1:9000",
            "region": "eu-central-1",
            "keys": "/etc/s3.keys",
        },
        "aws": {"name": "aws", "bucket": "acme", "prefix": ""},
    }


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("far=s3://", "should list name=folder"),
        ("far=s3://b/x", "should name a bucket"),
        ("far=s3://acme/x?secret_key=abc", "there is no secret_key"),
        ("far=s3://acme/x?access_key_id=abc", "keys of a store are in a file"),
        ("far=s3://acme/x?endpoint=s3.example.org", "endpoint should be scheme"),
        ("far=gs://acme/x", "should list name=folder"),
    ],
)
def test_a_store_that_cannot_be_is_refused(place: str, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        load(None, {"KBWORK_BACKUP_PLACES": place})


def test_what_names_the_outbox_is_judged_and_no_secret_is_shown() -> None:
    for servers, said in (
        ("nats://kbwork:secret@nats.example.org", "should have no name and no password in them"),
        ("https://nats.example.org", r"should list nats://host:port or tls://host:port"),
        ("nats://nats.example.org:4222/path", r"should list nats://host:port or tls://host:port"),
    ):
        with pytest.raises(SettingsError, match=said) as error:
            load(None, {"KBWORK_OUTBOX_SERVERS": servers})
        assert "secret" not in str(error.value)
    for name, value in (("STREAM", "a.b"), ("SUBJECT", "a.>"), ("FROM", "then")):
        with pytest.raises(SettingsError, match=f"outbox.{name.lower()} should be"):
            load(None, {f"KBWORK_OUTBOX_{name}": value})
    found = load(None, {"KBWORK_OUTBOX_SERVERS": "nats://[::1]:4222, tls://nats.example.org"}).outbox
    assert found.servers == ("nats://[::1]:4222", "tls://nats.example.org")
