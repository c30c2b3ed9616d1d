/** What people speak about and hang files on: an issue, or a page. */
import type { Attachment } from "@kbwork/client";
import type { Around } from "../ui/wash.ts";
import type { Proposal } from "./proposals.ts";

export interface Topic {
  /** As the server names it, such as `issue:WEB-1`. */
  readonly subject: string;
  /** As people do: the key of an issue, the title of a page. */
  readonly name: string;
  /** By what that is kept which is written on it and not sent. */
  readonly draft: string;
  /** Whether one takes away what others said on it. */
  readonly keeps: boolean;
  /** Whether notes stand on it that the team alone sees. */
  readonly notes: boolean;
  /** What its texts stand in. */
  readonly around?: Around;
  /** Titles of pages that its texts may lead to. */
  readonly titles?: () => readonly string[];
  /** What else is proposed behind a slash. */
  readonly offers?: (text: string) => Proposal[];
  /** Show it as it is behind something that was done. */
  readonly refetch: () => Promise<void>;
  /** A file hangs on it now. */
  readonly onAttached?: (file: Attachment) => void;
}
