"""What a file may take of whoever looks into it."""


def bound(*, cpu_s: int, memory: int) -> None:
    """Let the system end this process before it takes more of the processor, or more bytes, where the system can."""
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:
        return
    for what, most in ((resource.RLIMIT_CPU, cpu_s), (resource.RLIMIT_AS, memory)):
        resource.setrlimit(what, (most, most))
