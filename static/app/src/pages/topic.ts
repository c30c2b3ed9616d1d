/** A page as something that people speak about, and change in small ways. */
import type { Page } from "@kbwork/client";
import { remember, undoable } from "../store/changes.ts";
import { away, server } from "../store/server.ts";
import { tables } from "../store/tables.ts";
import type { Topic } from "../talk/topic.ts";
import { say } from "../ui/notes.tsx";
import { t } from "../ui/texts.ts";
import type { Around } from "../ui/wash.ts";
import { again, allows, fetchPage, found, moved, show, spaces } from "./known.ts";
import { words } from "./texts.ts";

export function aroundOf(space: string): Around {
  return { space, spaces: new Set(spaces.value?.map(({ key }) => key)), projects: new Set(tables.project.all().map(({ key }) => key)) };
}

export function topicOf({ id, title, space, my_level }: Page): Topic {
  return {
    subject: `page:${id}`,
    name: title,
    draft: `page.${id}`,
    keeps: allows(my_level, "manage"),
    notes: false,
    around: aroundOf(space),
    refetch: () => again(fetchPage(id)),
  };
}

const TASK = /\[([ \txX])\]/;

/** Tick a line of a page, or take the tick off: shown at once, and as it was where the server refuses. */
export async function tick(id: string, line: number): Promise<void> {
  const whole = found.peek().get(id);
  if (!whole) return;
  const lines = whole.page.body.split("\n");
  const before = lines[line - 1] ?? "";
  const body = lines.with(line - 1, before.replace(TASK, (_, mark: string) => (mark.toLowerCase() === "x" ? "[ ]" : "[x]"))).join("\n");
  show(id, { page: { ...whole.page, body } });
  try {
    const ticked = await undoable(async () => {
      const reply = await server.ask("pages.update", { id, body, version: whole.page.version });
      remember(words.changed(whole.page.title), reply.seq);
      return reply.data;
    });
    if (ticked) show(id, { page: ticked });
  } catch (error) {
    show(id, { page: whole.page });
    say(away(error) ? t.noAnswer : (error as Error).message);
  }
  moved.value++;
}
