"""Types of input fields that name a thing which many modules speak of, each with the sentence that describes it."""

from typing import Annotated

from pydantic import Field

from kbwork.base.model import Text

IssueRef = Annotated[Text, Field(description="The issue: its key, a former key or `issue:<n>`.")]
ProjectRef = Annotated[Text, Field(description="Key of the project, or a former one.")]
