"""AI: providers of models, what they may read and use, and answers that become proposals."""

from kbwork.modules.ai.proposal.fate import AISuggestion, propose

USES = ("search",)
TABLES = ("ai_call", "ai_policy", "ai_profile", "ai_proposal", "ai_provider", "ai_run", "ai_usage")
__all__ = ["TABLES", "USES", "AISuggestion", "propose"]
