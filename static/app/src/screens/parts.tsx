/** The parts of the app that are fetched behind the first screen. */
import { fetchDesks } from "../store/desks.ts";
import { fetchPolicy } from "../store/models.ts";
import { fetchStars } from "../store/stars.ts";
import { Later, styled } from "../ui/later.tsx";

export const Dialogs = new Later(async () => (await import("./dialogs.tsx")).Dialog);
/** What can be done with all that is selected. */
export const Bulk = new Later(async () => (await import("./dialogs.tsx")).Bulk);
export const IssueView = new Later(async () => {
  const { IssueView, style } = await import("../issue/index.tsx");
  return styled("issue", style, IssueView);
});
/** What sets own fields: of an issue that is written, of one that is there, and of all that are selected. */
export const OwnEditor = new Later(async () => (await import("../ownfields/index.tsx")).OwnEditor);
export const OwnEditorOfIssue = new Later(async () => (await import("../ownfields/index.tsx")).OwnEditorOfIssue);
export const OwnOfMany = new Later(async () => (await import("../ownfields/index.tsx")).OwnOfMany);
/** What waits for others to agree on an issue, and asking them. */
export const Approvals = new Later(async () => {
  const { Approvals, style } = await import("../approvals/index.tsx");
  return styled("approvals", style, Approvals);
});
export const AskApproval = new Later(async () => (await import("../approvals/index.tsx")).AskApproval);

/** A change of a flag that others ask for, with what one may say to it. */
export const FlagChange = new Later(async () => {
  const [{ style }, { ChangePage }] = await Promise.all([import("../flags/index.tsx"), import("../flags/change.tsx")]);
  return styled("flags", style, ChangePage);
});

/** What models propose about an issue. */
export const Proposals = new Later(async () => {
  const { Proposals, style } = await import("../ai/index.tsx");
  return styled("ai", style, Proposals);
});
export const AskModel = new Later(async () => {
  const { AskModel, style } = await import("../ai/index.tsx");
  return styled("ai", style, AskModel);
});
export const OwnKey = new Later(async () => (await import("../ai/index.tsx")).OwnKey);
/** What a sprint is for and how far it is, and the dialogs by which it is made, started and completed. */
export const SprintHead = new Later(async () => {
  const { SprintHead, style } = await import("../sprints/index.tsx");
  return styled("sprints", style, SprintHead);
});
/** Tables, calendars and timelines of issues. */
export const Laid = new Later(async () => {
  const { Laid, style } = await import("../layouts/index.tsx");
  return styled("layouts", style, Laid);
});
export const SprintDialog = new Later(async () => (await import("../sprints/index.tsx")).SprintDialog);
/** How a sprint goes day by day, and who can do how much in it. */
export const SprintBurn = new Later(async () => {
  const { SprintBurn, style } = await import("../burn/index.tsx");
  return styled("burn", style, SprintBurn);
});
export const SprintCapacity = new Later(async () => {
  const { SprintCapacity, style } = await import("../burn/index.tsx");
  return styled("burn", style, SprintCapacity);
});

/** Writing a text as it will be read. */
export const Rich = new Later(async () => {
  const { RichText, style } = await import("../rich/index.tsx");
  return styled("rich", style, RichText);
});

/** Making a page from anywhere, and finding one. */
export const PageDialog = new Later(async () => (await import("../pages/index.tsx")).PageDialog);

/** Running any operation by hand. */
export const RunDialog = new Later(async () => (await import("../running/index.tsx")).OperationDialog);

/** What stands around an issue: who else is there, its flags, and the pages that name it. */
export const Present = new Later(async () => {
  const { Present, style } = await import("../around/index.tsx");
  return styled("around", style, Present);
});
export const FlagsOfIssue = new Later(async () => {
  const { Flags, style } = await import("../around/index.tsx");
  return styled("around", style, Flags);
});
export const Mentions = new Later(async () => (await import("../around/index.tsx")).Mentions);

/** Comments on words of a text: beside it, over what was said, and over what is being written. */
export const Remarks = new Later(async () => {
  const { Remarks, style } = await import("../quotes/index.tsx");
  return styled("quotes", style, Remarks);
});
export const Quoted = new Later(async () => {
  const { Quoted, style } = await import("../quotes/index.tsx");
  return styled("quotes", style, Quoted);
});
export const Quoting = new Later(async () => {
  const { Quoting, style } = await import("../quotes/index.tsx");
  return styled("quotes", style, Quoting);
});

/** What one changed lately, with the way back. */
export const UndoHistory = new Later(async () => {
  const { UndoHistory, style } = await import("../undo/index.tsx");
  return styled("undo", style, UndoHistory);
});

export const UndoEntry = new Later(async () => {
  const { UndoEntry, style } = await import("../undo/index.tsx");
  return styled("undo", style, UndoEntry);
});

/** What people want next is there when they want it. */
export async function fetchTheRest(): Promise<void> {
  await Promise.all([Dialogs.fetch(), IssueView.fetch(), fetchDesks(), fetchPolicy(), fetchStars()]);
  performance.mark("whole");
}
