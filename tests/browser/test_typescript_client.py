"""The TypeScript client in a page of the server: signed in by its cookie, over the policy that pages have."""

from pathlib import Path

import pytest

import kbwork
from tests.browser.conftest import SignedIn
from tests.conftest import World

pytestmark = pytest.mark.long

_USE = """async (place) => {
  const { kbwork, Problem } = await import(place);
  const kb = kbwork({ name: "tab-1" });
  const ends = new AbortController();
  const heard = [];
  const stream = (async () => {
    for await (const message of kb.stream({ kinds: ["issue.created"], signal: ends.signal })) {
      heard.push([message.kind, message.origin ?? null]);
      if (message.kind === "hello") await kb.issues.create({ project: "WEB", title: "From a page" });
      else ends.abort();
    }
  })();
  await stream;
  const sent = await kb.upload(new File(["twelve bytes"], "a page.txt"), { pieceBytes: 5 });
  const file = await kb.attachments.add({ subject: "issue:WEB-1", name: "a page.txt", data: "", upload: sent.upload });
  const text = await (await kb.download(file.id)).text();
  const refused = await kb.issues.get({ key: "WEB-404" }).catch((error) => error);
  const { handle } = (await kb.auth.me()).member;
  return { heard, text, handle, refused: [refused instanceof Problem, refused.slug] };
}"""


def test_a_page_of_the_server_uses_the_client(world: World, signed_in: SignedIn) -> None:
    if not (Path(kbwork.__file__).parent / "web" / "clients").exists():
        pytest.skip("the client is not built here")
    page = signed_in("cy").context.pages[-1]
    assert page.evaluate(_USE, f"/clients/kbwork-client-{kbwork.__version__}.js") == {
        "heard": [["hello", None], ["issue.created", "tab-1"]],
        "text": "twelve bytes",
        "handle": "cy",
        "refused": [True, "not-found"],
    }
