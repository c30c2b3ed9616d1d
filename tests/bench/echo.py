"""The measure: a bare Starlette route that answers the JSON it gets, under the same uvicorn."""

import sys
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route


async def echo(request: Request) -> JSONResponse:
    return JSONResponse(await request.json())


if __name__ == "__main__":
    app: Any = Starlette(routes=[Route("/echo", echo, methods=["POST"])])
    uvicorn.run(
        app, port=int(sys.argv[1]), log_level="error", http="httptools", loop="uvloop", access_log=False
    )
