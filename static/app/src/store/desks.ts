/** The service desks that one sees: few, and none for most people, so that they are asked for apart from the tables. */
import { computed, signal } from "@preact/signals";
import type { Desk } from "@kbwork/client";
import { works } from "./rights.ts";
import { away, server } from "./server.ts";
import { me } from "./session.ts";

export const desks = signal<readonly Desk[]>([]);

/** Those that one works at. */
export const atWork = computed(() => desks.value.filter(({ project }) => works(project)));

/** None for guests, and where the module is off. Answers whether the server did. */
export async function fetchDesks(): Promise<boolean> {
  try {
    if (me.peek()?.member.role !== "guest") desks.value = await server.desk.list();
  } catch (error) {
    return !away(error);
  }
  return true;
}
