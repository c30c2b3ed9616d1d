"""How the server logs: lines to read, or one JSON object a line. What looks like a secret is cut."""

import json
import logging
import re
import sys

from kbwork.settings import LogSettings

_SECRET = re.compile(r"\b((?:kb|kbs|kbo|kbp|kbi|srv)_)[A-Za-z0-9_-]{8,}")


class _Lines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return _SECRET.sub(r"\1...", super().format(record))


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "at": int(record.created),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            entry["trace"] = self.formatException(record.exc_info)
        return _SECRET.sub(r"\1...", json.dumps(entry, ensure_ascii=False))


def configure(settings: LogSettings) -> None:
    """Send the log to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    if settings.format == "json":
        handler.setFormatter(_Json())
    else:
        handler.setFormatter(_Lines("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings.level.upper())
    logging.getLogger("kbwork.access").setLevel("INFO" if settings.access else "WARNING")
    logging.getLogger("uvicorn").setLevel("WARNING")
    logging.getLogger("mcp").setLevel("WARNING")
