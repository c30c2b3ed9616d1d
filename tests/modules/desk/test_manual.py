"""What the manual shows is taken; its commands are run with those of all pages."""

import json
import re
from pathlib import Path

import kbwork
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.desk.helpdesk import open_desk
from tests.modules.desk.test_inbound import path_of, post

PAGE = (Path(kbwork.__file__).parent / "docs" / "howto-desk.md").read_text(encoding="utf-8")


def example(kind: str, having: str) -> str:
    found: list[str] = re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    return next(text for text in found if having in text)


def test_the_form_of_the_manual_is_taken(world: World) -> None:
    open_desk(world)
    kinds = call(world, "ana", "desk.request_type_save", **json.loads(example("json", "show_if")))
    assert [one["field"] for one in kinds[-1]["fields"]] == ["priority", "due_date", "description"]


def test_the_mail_of_the_manual_is_taken(world: World) -> None:
    open_desk(world)
    body = example("json", "message_id").encode()
    assert post(world, path_of(world), body, "application/json")[1]["result"] == "created"
