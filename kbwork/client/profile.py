"""Where the server is and which key opens it: arguments, then the environment, then what sign-in stored."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from kbwork.client.errors import KbworkError, NotSignedIn


class Profile(NamedTuple):
    """One server and the key for it."""

    name: str
    url: str
    key: str


class BadKeyFile(KbworkError):
    """The file that should hold the key cannot be read."""

    exit_code = 2


class ServerTarget(NamedTuple):
    """What to talk to; without a key only operations that ask for no sign-in work."""

    url: str
    key: str | None


def profiles_file() -> Path:
    """The file that holds the profiles."""
    home = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(home) / "kbwork" / "profiles.json"


def profiles() -> dict[str, Profile]:
    """All that are stored, the one that is used without a name first."""
    held = _held()
    found = {
        name: Profile(name, str(entry["url"]), str(entry["key"])) for name, entry in held["profiles"].items()
    }
    return dict(sorted(found.items(), key=lambda item: item[0] != held["current"]))


def store(profile: Profile) -> None:
    """Keep a profile, readable by its owner alone, and use it from now on."""
    held = _held()
    held["profiles"][profile.name] = {"url": profile.url, "key": profile.key}
    held["current"] = profile.name
    _keep(held)


def forget(name: str) -> bool:
    """Whether there was such a profile."""
    held = _held()
    known = held["profiles"].pop(name, None) is not None
    if known:
        held["current"] = next(iter(held["profiles"]), None) if held["current"] == name else held["current"]
        _keep(held)
    return known


def find(url: str | None, key: str | None, key_file: str | None, profile: str | None) -> ServerTarget:
    """What arguments, `KBWORK_URL`, `KBWORK_KEY`, `KBWORK_PROFILE` and profiles say, in this order.

    A profile's key goes to that profile's server only. An empty `key` asks for no key at all.
    Raises NotSignedIn when no server is named anywhere, and BadKeyFile.
    """
    if key is None and key_file is not None:
        key = _key_in(key_file)
    stored = profiles()
    chosen = _chosen(stored, profile)
    if url is None and profile is not None and chosen is not None:
        url = chosen.url
    url = url or os.environ.get("KBWORK_URL") or (chosen.url if chosen else None)
    if not url:
        raise NotSignedIn(
            "No server is known: sign in with `kbwork login` (with --url, where it is on another machine),"
            " or set KBWORK_URL"
        )
    url = url.rstrip("/")
    if key is None and (profile is None or chosen is None):
        key = os.environ.get("KBWORK_KEY", "").strip() or None
    if key is None:
        fitting = [chosen] if chosen is not None else []
        fitting += stored.values() if profile is None else []
        key = next((each.key for each in fitting if each.url == url), None)
    return ServerTarget(url, key or None)


def _key_in(key_file: str) -> str:
    try:
        return Path(key_file).expanduser().read_text(encoding="utf-8").strip()
    except OSError as error:
        why = error.strerror
    except RuntimeError:
        why = "there is no such home"
    except ValueError:
        why = "it should be text in UTF-8"
    raise BadKeyFile(f"The key file {key_file} cannot be read: {why}")


def _chosen(stored: dict[str, Profile], profile: str | None) -> Profile | None:
    name = profile or os.environ.get("KBWORK_PROFILE")
    if name and name not in stored:
        raise NotSignedIn(
            f"There is no profile {name!r}: sign in with `kbwork login --profile {name} --url https://...`"
        )
    return stored[name] if name else next(iter(stored.values()), None)


def _held() -> dict[str, Any]:
    try:
        text = profiles_file().read_text(encoding="utf-8")
    except FileNotFoundError:
        return {"current": None, "profiles": {}}
    try:
        held: dict[str, Any] = json.loads(text)
    except ValueError as error:
        raise KbworkError(f"{profiles_file()} is no JSON ({error}): remove it and sign in again") from None
    return held


def _keep(held: dict[str, Any]) -> None:
    """Written beside and renamed, so that a reader never finds half of it; mkstemp makes it 0600."""
    folder = profiles_file().parent
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=folder, prefix="profiles-")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(held, file, indent=1)
        file.write("\n")
    Path(name).replace(profiles_file())
