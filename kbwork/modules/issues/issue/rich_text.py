"""The rich form of a text: a ProseMirror document beside its Markdown, checked before it is kept."""

import json
from typing import Any

from kbwork.base.errors import InvalidInput

NODES = frozenset(
    {
        "blockquote",
        "bullet_list",
        "code_block",
        "doc",
        "hard_break",
        "heading",
        "horizontal_rule",
        "image",
        "list_item",
        "mention",
        "ordered_list",
        "paragraph",
        "table",
        "table_cell",
        "table_header",
        "table_row",
        "task_item",
        "task_list",
        "text",
    }
)
"""The nodes of a document; `bulletList` is taken for `bullet_list`, and so on."""
_TAKEN = NODES | {"".join(w.title() if n else w for n, w in enumerate(name.split("_"))) for name in NODES}


def document(body: str | None, body_doc: str | None) -> str | None:
    """The document as it is stored; none counts for nothing. Raises InvalidInput.

    It needs its Markdown in `body`, which counts for everything but display.
    """
    if not body_doc:
        return None
    if body is None or not body.strip():
        raise InvalidInput("`body_doc` needs the same text as Markdown in `body`.", field="body")
    try:
        found: Any = json.loads(body_doc)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or found.get("type") != "doc":
        raise InvalidInput(
            'A document is ProseMirror JSON: {"type": "doc", "content": [...]}.', field="body_doc"
        )
    _require_known(found)
    return body_doc


def _require_known(document: dict[str, Any]) -> None:
    """Raises InvalidInput naming the first node that is none of ours."""
    waiting: list[Any] = [document]
    while waiting:
        node = waiting.pop()
        name = node.get("type") if isinstance(node, dict) else node
        if not isinstance(node, dict) or not isinstance(name, str) or name not in _TAKEN:
            raise InvalidInput(
                f"A document has no node {str(name)[:100]!r}.", field="body_doc", allowed=sorted(NODES)
            )
        content = node.get("content", [])
        if not isinstance(content, list):
            raise InvalidInput("The `content` of a node is a list of nodes.", field="body_doc")
        waiting.extend(content)
