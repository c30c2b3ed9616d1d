"""The values of own fields: parsed, written, shown, computed and widened."""
