/** What of service desks stands on an issue that is a request, fetched when one is shown. */
import { Later, styled } from "../ui/later.tsx";

/** Whose request it is, with what waits to go out. */
export const RequestCard = new Later(async () => {
  const { RequestCard, style } = await import("../desk/index.tsx");
  return styled("desk", style, RequestCard);
});
/** What there is for who answers. */
export const ReplyTools = new Later(async () => {
  const { ReplyTools, style } = await import("../desk/index.tsx");
  return styled("desk", style, ReplyTools);
});
