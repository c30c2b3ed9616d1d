"""The rim of a door: what goes wrong inside is logged and answered, and nothing of the inside is told."""

import logging
from collections.abc import Awaitable, Callable

from kbwork.api.http.request import Head, RequestTooLong
from kbwork.base.errors import Internal, Problem

WRONG = "Something went wrong here; the log has the request id."


async def error_boundary(
    log: logging.Logger,
    head: Head,
    serve: Callable[[], Awaitable[int]],
    refuse: Callable[[Problem], Awaitable[int]],
    *,
    wrong: str = WRONG,
) -> int:
    """The status of a request: `serve` answers it, `refuse` what it raises; `wrong` is said of what is no Problem."""
    try:
        return await serve()
    except RequestTooLong as gone:
        log.info("a body did not arrive: %s", gone)
        return 408
    except Problem as problem:
        refused = problem
    except Exception as error:  # whatever is no Problem is ours, and is told without its inside
        log.exception("request %s failed", head.request, exc_info=error)
        refused = Internal(wrong)
    if refused.internal:
        log.error("request %s: %s", head.request, refused.internal)
    return await refuse(refused)
