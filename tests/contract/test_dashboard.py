"""The dashboard and the alert rules ask for metrics that a running server has, by labels that they carry."""

import http.client
import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from tests.conftest import World
from tests.contract.metric_names import DOCS, explained

DASHBOARD = json.loads((DOCS / "grafana-dashboard.json").read_bytes())
RULES = yaml.safe_load((DOCS / "alert-rules.yml").read_bytes())
PAGE = (DOCS / "monitoring.md").read_text(encoding="utf-8")
ADDED = {"job", "instance"}
"""Labels that Prometheus adds to whatever it scrapes."""
OF_PROMETHEUS = "up"
OF_MACHINES = {
    "kbwork_replica_": "howto-replica",
    "kbwork_outbox_": "howto-outbox",
    "kbwork_edge_": "howto-edge",
}
"""What not every server has begins so, and is told of on this page."""
WORDS = {"or", "and", "by"}
_SELECTOR = re.compile(r"([a-zA-Z_:][\w:]*)\{([^}]*)\}(?:\[[^\]]*\])?")
_BY = re.compile(r"\bby\s*\(([^)]*)\)")
_MATCH = re.compile(r'(\w+)\s*(?:=~|!~|!=|=)\s*"[^"]*"')


def panels() -> list[dict[str, Any]]:
    return [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]


def rules() -> list[dict[str, Any]]:
    return [rule for group in RULES["groups"] for rule in group["rules"]]


def expressions() -> Iterator[str]:
    """All that is asked of Prometheus."""
    for panel in panels():
        yield from (target["expr"] for target in panel["targets"])
    yield from (note["expr"] for note in DASHBOARD["annotations"]["list"])
    yield from (rule["expr"] for rule in rules())


def asked(expr: str) -> dict[str, set[str]]:
    """Metric -> the labels that are asked of it; labels that are grouped by are asked of each metric."""
    found: dict[str, set[str]] = {}
    for name, inside in _SELECTOR.findall(expr):
        assert not _MATCH.sub("", inside).strip(" ,"), f"no selector: {inside}"
        found.setdefault(name, set()).update(_MATCH.findall(inside))
    grouped = {label.strip() for inside in _BY.findall(expr) for label in inside.split(",")}
    left = _BY.sub("", _SELECTOR.sub("", expr))
    bare = set(re.findall(r"\b[a-zA-Z_]\w*\b(?!\s*\()", left)) - WORDS
    assert not bare, f"{bare} without braces in {expr}"
    return {name: labels | grouped for name, labels in found.items()}


@pytest.fixture
def scraped(world: World) -> dict[str, set[str]]:
    """Metric -> the labels that it carries, of a server that was called through several doors."""
    bo = world.session("bo")
    bo.call("issues.create", {"project": "WEB", "title": "Counted"})
    bo.call("issues.get", {"key": "WEB-1"})
    _get(world, "/docs")
    found: dict[str, set[str]] = {}
    for family in text_string_to_metric_families(_get(world, "/metrics")):
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    return found


def _get(world: World, path: str) -> str:
    connection = http.client.HTTPConnection(urlsplit(world.url).netloc, timeout=20)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        assert answer.status == 200, path
        return answer.read().decode()
    finally:
        connection.close()


def test_every_metric_that_is_asked_for_is_there_with_its_labels(scraped: dict[str, set[str]]) -> None:
    wanted = [one for expr in expressions() for one in asked(expr).items() if one[0] != OF_PROMETHEUS]
    assert len(wanted) > 30
    of_machines = set().union(*(explained(page, prefix) for prefix, page in OF_MACHINES.items()))
    for name, labels in wanted:
        if name in of_machines:
            assert labels <= ADDED, name
            continue
        assert name in scraped, name
        assert labels - ADDED <= scraped[name], name


def test_every_metric_is_explained_and_every_one_that_is_explained_is_there(
    scraped: dict[str, set[str]],
) -> None:
    table = PAGE.partition("## The metrics")[2].partition("## Scrape it")[0]
    cells = re.findall(r"^\|([^|]*)\|", table, re.MULTILINE)
    told = {name for cell in cells for name in re.findall(r"`([a-z_]+)`", cell)}
    base = {re.sub(r"_(bucket|count|sum|created)$", "", name) for name in scraped} - {"kbwork_requests"}
    assert told == base


def test_every_variable_of_the_dashboard_is_one_of_its_own() -> None:
    names = {variable["name"] for variable in DASHBOARD["templating"]["list"]}
    used = set(re.findall(r"\$\{?(\w+)", json.dumps([DASHBOARD["panels"], DASHBOARD["annotations"]])))
    assert used - {"__rate_interval"} == names
    assert names == {"datasource", "job", "instance"}


def test_panels_say_what_they_show_and_do_not_overlap() -> None:
    assert [row["title"] for row in DASHBOARD["panels"] if row["type"] == "row"] == [
        "Traffic", "Latency", "Writes and their log", "Jobs and streams", "Errors", "Disk", "Process",
    ]  # fmt: skip
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])
    covered: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        at = panel["gridPos"]
        cells = {(at["x"] + dx, at["y"] + dy) for dx in range(at["w"]) for dy in range(at["h"])}
        assert not cells & covered, panel["title"]
        assert max(x for x, _ in cells) < 24, panel["title"]
        covered |= cells
    for panel in panels():
        assert panel["description"].endswith("."), panel["title"]
        assert panel["targets"], panel["title"]
        assert panel["fieldConfig"]["defaults"]["unit"], panel["title"]


def test_rules_have_the_shape_that_prometheus_reads() -> None:
    assert set(RULES) == {"groups"}
    for group in RULES["groups"]:
        assert set(group) == {"name", "rules"}
    for rule in rules():
        assert set(rule) - {"for"} == {"alert", "expr", "labels", "annotations"}, rule
        assert re.fullmatch(r"\d+[smhd]", rule.get("for", "1m"))
        assert re.search(r"(==|>|<) [\d.]+$", rule["expr"].strip()), rule["expr"]
        assert rule["expr"].count("(") == rule["expr"].count(")")
        assert rule["labels"].keys() == {"severity"}
        assert rule["labels"]["severity"] in ("page", "warning")
        assert rule["annotations"].keys() == {"summary", "description"}
        assert all(isinstance(text, str) for text in rule["annotations"].values())


def test_every_alert_is_told_on_the_page() -> None:
    assert re.findall(r"^\| `(Kbwork\w+)` \|", PAGE, re.MULTILINE) == [rule["alert"] for rule in rules()]


def test_both_files_are_served_as_they_were_shipped(world: World) -> None:
    for name in ("grafana-dashboard.json", "alert-rules.yml"):
        assert _get(world, f"/docs/{name}") == (DOCS / name).read_text(encoding="utf-8")
        assert f"(/docs/{name})" in PAGE
