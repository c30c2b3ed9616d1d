"""Where a service listens, as its command line says it."""

import click

HOST = click.option("--host", help="Address to listen on; 127.0.0.1 unless given.")
PORT = click.option(
    "--port", type=click.IntRange(0, 65535), help="Port to listen on; 8080 unless given, 0 takes a free one."
)
