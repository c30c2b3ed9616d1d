"""The words every room shares: inputs, errors, events, callers, time and chance."""
