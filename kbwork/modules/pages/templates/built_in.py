"""Templates that every org has. Their numbers are below those of rows, and stay."""

from kbwork.base.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BuiltInTemplate:
    """One of them."""

    id: int
    name: str
    icon: str
    body: str


_MEETING = """**When:** {{date}}
**Notes by:** {{author}}
**Here:**

## What we want from it

-

## What was said

-

## What we decided

-

## To do

- [ ] What, by whom as `@handle`, by when as `due:2026-12-01`
"""
_DECISION = """**State:** proposed
**By:** {{author}}, {{date}}
**Decided by:**

## The question

What has to be decided, and why now?

## What we do

One sentence that somebody can follow, then the details.

## What else we looked at

| Way | For it | Against it |
|---|---|---|
| | | |

## What it costs

What gets harder by this, and how we would notice that it was wrong.
"""
_RUNBOOK = """**Kept by:** {{author}}
**Tried last:** {{date}}

## When to use this

What somebody sees: an alarm, a message, a complaint.

## Before you begin

- [ ] You have the rights that this needs.
- [ ] Somebody else knows that you are at it.

## Steps

1. Look:
2. Act:
3. Check:

## How to go back

1.

## Whom to call

| Who | When | How |
|---|---|---|
| | | |
"""
_RETROSPECTIVE = """**When:** {{date}}
**Led by:** {{author}}
**About:**

## What went well

-

## What did not

-

## What surprised us

-

## What we try next

- [ ] One thing, by one person as `@handle`, by a day as `due:2026-12-01`

## What became of the last ones

-
"""
_REQUIREMENTS = """**Owner:** {{author}}
**Begun:** {{date}}
**State:** draft

## The trouble

Who has it, how often, and what do they do today?

## What is to be better

How we would see in numbers that it worked.

## What it does

| Number | Somebody can | How we check it | Needed |
|---|---|---|---|
| 1 | | | must |

## What it does not

-

## Open questions

- [ ] What we do not know, and who finds out as `@handle`

## Plan

| Step | By when |
|---|---|
| | |
"""
_HOW_TO = """In a sentence: what you have when you are done, and how long it takes.

## What you need

-

## Steps

1.
2.
3.

## How you know that it worked

What you see then.

## When it does not work

| What you see | Why | What to do |
|---|---|---|
| | | |

Written by {{author}} for {{space}}, {{date}}.
"""
BUILT_IN = (
    BuiltInTemplate(1, "Meeting notes", "users", _MEETING),
    BuiltInTemplate(2, "Decision", "scale", _DECISION),
    BuiltInTemplate(3, "Runbook", "life-buoy", _RUNBOOK),
    BuiltInTemplate(4, "Retrospective", "rotate-ccw", _RETROSPECTIVE),
    BuiltInTemplate(5, "Product requirements", "clipboard-list", _REQUIREMENTS),
    BuiltInTemplate(6, "How-to", "list-ordered", _HOW_TO),
)
