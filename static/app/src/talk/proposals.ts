/** What could stand where somebody writes: people behind `@`, issues behind `#`, pages behind `[[`, forms behind a slash at a line's beginning. */
import { tables } from "../store/tables.ts";
import { changeOf } from "../ui/change.ts";
import { rankBy } from "../ui/match.ts";
import { compare } from "../ui/texts.ts";
import { words } from "./texts.ts";
import type { Topic } from "./topic.ts";

export interface Proposal {
  readonly title: string;
  readonly hint: string;
  /** So many signs before the cursor it takes the place of. */
  readonly length: number;
  readonly insert: string;
  /** Where the cursor stands behind it, in what was inserted; left out: at its end. */
  readonly caret?: number;
  /** What stands there in its place, as soon as the server said it. */
  readonly comes?: () => Promise<string>;
}

const MOST = 8;

const FORMS: readonly (Omit<Proposal, "length"> & { readonly word: string })[] = [
  { word: "heading", title: words.forms.heading, hint: "##", insert: "## " },
  { word: "list bullets", title: words.forms.list, hint: "-", insert: "- " },
  { word: "numbers list", title: words.forms.numbers, hint: "1.", insert: "1. " },
  { word: "task todo check", title: words.forms.tasks, hint: "- [ ]", insert: "- [ ] " },
  { word: "quote", title: words.forms.quote, hint: ">", insert: "> " },
  { word: "code", title: words.forms.code, hint: "```", insert: "```\n\n```\n", caret: 4 },
  { word: "table", title: words.forms.table, hint: "| |", insert: "| | |\n| --- | --- |\n| | |\n", caret: 2 },
  { word: "divider line", title: words.forms.divider, hint: "---", insert: "---\n" },
  { word: "details fold", title: words.forms.folded, hint: "<details>", insert: "<details>\n<summary></summary>\n\n</details>\n", caret: 19 },
];

/** For what stands before the cursor. */
export function proposals(before: string, { titles, offers }: Topic): Proposal[] {
  const page = titles && /\[\[([^[\]\n]{0,80})$/.exec(before)?.[1];
  if (page !== undefined) return pages(page, titles!());
  const who = /(?:^|[\s(])@([\p{L}\p{N}._-]*)$/u.exec(before)?.[1];
  if (who !== undefined) return people(who);
  const issue = /(?:^|[\s(])#([\p{L}\p{N}-]{1,40})$/u.exec(before)?.[1];
  if (issue !== undefined) return issues(issue);
  const form = /(?:^|\n)\/([\p{L}\p{N}_-]*)$/u.exec(before)?.[1];
  return form === undefined ? [] : [...(offers?.(form) ?? []).slice(0, MOST), ...forms(form)];
}

/** Another text, of which the cursor stays where it was. */
export function adopt(box: HTMLTextAreaElement, next: string): void {
  const { from, to, text } = changeOf(box.value, next);
  box.setRangeText(text, from, to, "preserve");
}

function people(text: string): Proposal[] {
  const found = tables.member.all().filter((member) => member.state === "active");
  found.sort((one, other) => compare(one.name, other.name));
  const fits = text ? rankBy(text, found, (member) => `${member.handle} ${member.name}`) : found;
  return fits.slice(0, MOST).map(({ name, handle }) => ({
    title: name, hint: `@${handle}`, length: text.length + 1, insert: `@${handle} `,
  }));
}

function pages(text: string, titles: readonly string[]): Proposal[] {
  const fits = text ? rankBy(text, titles, (title) => title) : titles;
  return fits.slice(0, MOST).map((title) => ({ title, hint: "[[ ]]", length: text.length + 2, insert: `[[${title}]]` }));
}

function issues(text: string): Proposal[] {
  return rankBy(text, tables.issue.all(), (issue) => `${issue.key} ${issue.title}`)
    .slice(0, MOST)
    .map(({ key, title }) => ({ title, hint: key, length: text.length + 1, insert: `${key} ` }));
}

function forms(text: string): Proposal[] {
  return FORMS.filter(({ word }) => word.split(" ").some((one) => one.startsWith(text.toLowerCase()))).map((form) => ({
    ...form,
    length: text.length + 1,
  }));
}
