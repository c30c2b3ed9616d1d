"""The pages of the site: plain HTML that works without scripts.

Each file here is one place of the site; `docs` is the manual.
"""
