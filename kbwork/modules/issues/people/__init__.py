"""The people of an issue: assignees, watchers and voters."""
