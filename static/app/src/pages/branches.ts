/** The tree of a space as lines: which of it is open, and where a page goes that is moved. */
import { signal } from "@preact/signals";
import type { TreeNode } from "@kbwork/client";
import { act } from "../issue/act.ts";
import { server } from "../store/server.ts";
import { changeTree, moved, trees } from "./known.ts";
import { words } from "./texts.ts";

export interface Branch {
  readonly node: TreeNode;
  /** The first is 1. */
  readonly level: number;
  readonly parent: string | null;
  /** Its place among those beside it, from 0 on, and how many these are. */
  readonly at: number;
  readonly of: number;
}

/** Where a page goes: below which, and behind which of those there; null: at the top, or before all. */
export interface Goal {
  readonly parent: string | null;
  readonly after: string | null;
}

const NAME = "kbwork.pages.open";

/** Ids of pages whose children are shown. */
export const opened = signal<ReadonlySet<string>>(kept());

function kept(): ReadonlySet<string> {
  try {
    return new Set(JSON.parse(sessionStorage.getItem(NAME) ?? "[]") as string[]);
  } catch {
    return new Set(); // somebody else wrote there
  }
}

export function turn(id: string, on: boolean): void {
  const next = new Set(opened.peek());
  if (on) next.add(id);
  else next.delete(id);
  opened.value = next;
  sessionStorage.setItem(NAME, JSON.stringify([...next]));
}

/** All of a tree, each right behind what it stands below. */
export function flat(nodes: readonly TreeNode[], isOpen: (id: string) => boolean = () => true, level = 1, parent: string | null = null): Branch[] {
  return nodes.flatMap((node, at) => [
    { node, level, parent, at, of: nodes.length },
    ...(isOpen(node.id) ? flat(node.nodes ?? [], isOpen, level + 1, node.id) : []),
  ]);
}

/** From the top to a page, itself last; empty: it is not there. */
export function pathTo(nodes: readonly TreeNode[], id: string): readonly TreeNode[] {
  for (const node of nodes) {
    if (node.id === id) return [node];
    const below = pathTo(node.nodes ?? [], id);
    if (below.length) return [node, ...below];
  }
  return [];
}

/** Those right below a page, or at the top. */
function beside(nodes: readonly TreeNode[], parent: string | null): readonly TreeNode[] {
  return parent === null ? nodes : (pathTo(nodes, parent).at(-1)?.nodes ?? []);
}

/** Put a page elsewhere in its space: shown at once, and as it was where the server refuses. */
export async function moveTo(key: string, id: string, { parent, after }: Goal): Promise<void> {
  const nodes = trees.peek().get(key) ?? [];
  const [node] = pathTo(nodes, id).slice(-1);
  if (!node || parent === id || after === id || pathTo(node.nodes ?? [], parent ?? "").length) return;
  const others = beside(nodes, parent).filter((one) => one.id !== id);
  if (parent !== null) turn(parent, true);
  const to = parent === null ? { top: true } : { parent };
  const first = others[0];
  await changeTree(key, placed(without(nodes, id), node, { parent, after }), async () => {
    // Before all others it comes by two steps: behind the first one, and the first one behind it.
    const went = await act(words.moved(node.title), "pages.move", { ids: [id], ...to, ...((after ?? first?.id) && { after: after ?? first!.id }) });
    if (went && after === null && first) await act(words.moved(node.title), "pages.move", { ids: [first.id], ...to, after: id });
  });
  moved.value++;
}

function without(nodes: readonly TreeNode[], id: string): TreeNode[] {
  return nodes.flatMap((node) => {
    if (node.id === id) return [];
    if (!node.nodes) return [node];
    const left = without(node.nodes, id);
    return [{ ...node, nodes: left, children: node.children - (node.nodes.length - left.length) }];
  });
}

function placed(nodes: readonly TreeNode[], node: TreeNode, { parent, after }: Goal): TreeNode[] {
  if (parent !== null) {
    return nodes.map((one) => {
      if (one.id === parent) return { ...one, children: one.children + 1, nodes: placed(one.nodes ?? [], node, { parent: null, after }) };
      return one.nodes ? { ...one, nodes: placed(one.nodes, node, { parent, after }) } : one;
    });
  }
  const at = after === null ? 0 : nodes.findIndex((one) => one.id === after) + 1;
  return [...nodes.slice(0, at), node, ...nodes.slice(at)];
}

/** Where a page goes by a key: up and down among those beside it, out of what it stands below, or below the one before. */
export function goalOf(nodes: readonly TreeNode[], { parent, at }: Branch, key: string): Goal | undefined {
  const there = beside(nodes, parent);
  if (key === "ArrowUp" && at > 0) return { parent, after: there[at - 2]?.id ?? null };
  if (key === "ArrowDown" && at < there.length - 1) return { parent, after: there[at + 1]!.id };
  if (key === "ArrowLeft" && parent !== null) return { parent: pathTo(nodes, parent).at(-2)?.id ?? null, after: parent };
  const before = there[at - 1];
  if (key === "ArrowRight" && before) return { parent: before.id, after: before.nodes?.at(-1)?.id ?? null };
  return undefined;
}

/** What stands deeper than a tree is fetched. */
export async function fetchBelow(key: string, id: string): Promise<void> {
  const below = await server.spaces.tree({ key, parent: id, depth: 20 });
  const fill = (nodes: readonly TreeNode[]): TreeNode[] =>
    nodes.map((node) => (node.id === id ? { ...node, nodes: below } : node.nodes ? { ...node, nodes: fill(node.nodes) } : node));
  trees.value = new Map(trees.peek()).set(key, fill(trees.peek().get(key) ?? []));
}
