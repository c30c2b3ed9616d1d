"""Files that were named on something before they came: they hang there by themselves when they are here."""
