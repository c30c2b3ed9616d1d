"""Rollouts by a plan: step after step, each held for a while, as long as the checks of the plan hold."""
