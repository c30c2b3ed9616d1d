/** The pages of a space as they stand below each other: gone through, opened and moved by keys or by dragging. */
import type { TargetedDragEvent, TargetedKeyboardEvent } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { askPage } from "../issues/asked.ts";
import { away } from "../store/server.ts";
import { Icon } from "../ui/icons.tsx";
import { go } from "../ui/router.ts";
import { type Branch, fetchBelow, flat, type Goal, goalOf, moveTo, opened, pathTo, turn } from "./branches.ts";
import { Emblem } from "./marks.tsx";
import { trees } from "./known.ts";
import { words } from "./texts.ts";

interface TreeProps {
  readonly space: string;
  /** Id of the page that is shown. */
  readonly at: string | undefined;
  readonly canEdit: boolean;
}

interface Drop extends Goal {
  /** On which line it would be dropped, and where there. */
  readonly on: string;
  readonly where: "before" | "into" | "behind";
}

export function Tree({ space, at, canEdit }: TreeProps) {
  const nodes = trees.value.get(space) ?? [];
  const open = opened.value;
  const shown = useMemo(() => flat(nodes, (id) => open.has(id)), [nodes, open]);
  const [focus, setFocus] = useState<string>();
  const [drag, setDrag] = useState<string>();
  const [drop, setDrop] = useState<Drop>();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // What leads to the page that is shown is open.
    const above = at === undefined ? [] : pathTo(nodes, at).slice(0, -1);
    for (const { id } of above) if (!opened.peek().has(id)) turn(id, true);
  }, [at, nodes]);
  /** The line with the focus: a line that is moved loses it, which is no wish of whoever moved it. */
  const held = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (held.current !== undefined && document.activeElement === document.body) goTo(held.current);
  }, [shown]);
  const current = shown.find(({ node }) => node.id === (focus ?? at))?.node.id ?? shown[0]?.node.id;
  const goTo = (id: string | undefined): void => {
    if (id === undefined) return;
    setFocus(id);
    list.current?.querySelector<HTMLElement>(`[data-id="${id}"]`)?.focus();
  };
  const unfold = (branch: Branch, on: boolean): void => {
    const { id, children, nodes: below } = branch.node;
    turn(id, on);
    if (on && children > 0 && !below?.length) fetchBelow(space, id).catch((error: unknown) => away(error) || reportError(error));
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLUListElement>): void => {
    const index = shown.findIndex(({ node }) => node.id === (event.target as HTMLElement).dataset["id"]);
    const branch = shown[index];
    if (!branch || event.metaKey || event.ctrlKey || event.shiftKey) return;
    if (event.altKey) {
      const goal = canEdit ? goalOf(nodes, branch, event.key) : undefined;
      if (!goal) return;
      void moveTo(space, branch.node.id, goal);
    } else if (!step(event.key, branch, index)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  /** Answers whether the key means something here. */
  const step = (key: string, branch: Branch, index: number): boolean => {
    const isOpen = open.has(branch.node.id) && branch.node.children > 0;
    if (key === "ArrowDown") goTo(shown[index + 1]?.node.id);
    else if (key === "ArrowUp") goTo(shown[index - 1]?.node.id);
    else if (key === "Home") goTo(shown[0]?.node.id);
    else if (key === "End") goTo(shown.at(-1)?.node.id);
    else if (key === "ArrowRight" && isOpen) goTo(shown[index + 1]?.node.id);
    else if (key === "ArrowRight") unfold(branch, branch.node.children > 0);
    else if (key === "ArrowLeft" && isOpen) unfold(branch, false);
    else if (key === "ArrowLeft") goTo(branch.parent ?? undefined);
    else if (key === "Enter" || key === " ") go(`/pages/${branch.node.id}`);
    else return false;
    return true;
  };
  const onDragOver = (branch: Branch) => (event: TargetedDragEvent<HTMLElement>): void => {
    if (!drag || branch.node.id === drag || pathTo(nodes, branch.node.id).some(({ id }) => id === drag)) return setDrop(undefined);
    event.preventDefault();
    const { top, height } = event.currentTarget.getBoundingClientRect();
    const part = (event.clientY - top) / height;
    const where = part < 0.3 ? "before" : part > 0.7 && !(open.has(branch.node.id) && branch.node.children > 0) ? "behind" : "into";
    const beside = shown.filter((one) => one.parent === branch.parent && one.node.id !== drag);
    const before = beside[beside.findIndex((one) => one.node.id === branch.node.id) - 1];
    if (where === "into") setDrop({ on: branch.node.id, where, parent: branch.node.id, after: branch.node.nodes?.at(-1)?.id ?? null });
    else setDrop({ on: branch.node.id, where, parent: branch.parent, after: where === "behind" ? branch.node.id : (before?.node.id ?? null) });
  };
  const onDrop = (event: TargetedDragEvent<HTMLElement>): void => {
    event.preventDefault();
    if (drag && drop) void moveTo(space, drag, drop);
    setDrag(undefined);
    setDrop(undefined);
  };
  if (!shown.length) return <p class="meta pad">{words.noPages}</p>;
  return (
    <ul class="tree" role="tree" aria-label={words.tree} ref={list} onKeyDown={onKeyDown}>
      {shown.map((branch) => {
        const { node, level } = branch;
        const isOpen = node.children > 0 ? open.has(node.id) : undefined;
        return (
          <li
            key={node.id}
            role="treeitem"
            data-id={node.id}
            aria-level={level}
            aria-expanded={isOpen}
            aria-selected={node.id === at}
            aria-posinset={branch.at + 1}
            aria-setsize={branch.of}
            aria-label={node.title}
            tabIndex={node.id === current ? 0 : -1}
            class={`branch${node.id === at ? " on" : ""}${drop?.on === node.id ? ` drop-${drop.where}` : ""}`}
            style={{ "--level": level }}
            draggable={canEdit}
            onFocus={() => {
              held.current = node.id;
              setFocus(node.id);
            }}
            onBlur={(event) => {
              if (event.relatedTarget) held.current = undefined;
            }}
            onDragStart={() => setDrag(node.id)}
            onDragEnd={() => (setDrag(undefined), setDrop(undefined))}
            onDragOver={onDragOver(branch)}
            onDrop={onDrop}
          >
            <button type="button" class="mini fold" tabIndex={-1} aria-hidden="true" disabled={isOpen === undefined} onClick={() => unfold(branch, !isOpen)}>
              {isOpen !== undefined && <Icon of={isOpen ? "less" : "next"} />}
            </button>
            <a class="grow" data-in tabIndex={-1} href={`/pages/${node.id}`} draggable={false} title={node.title}>
              <Emblem of={node.icon} />
              <span class="cut" dir="auto">{node.title}</span>
            </a>
            {canEdit && (
              <button
                type="button"
                class="mini add"
                tabIndex={-1}
                aria-label={words.below(node.title)}
                title={words.below(node.title)}
                onClick={() => askPage({ what: "make", space, parent: node.id })}
              >
                <Icon of="plus" />
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
