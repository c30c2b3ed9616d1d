/** What all dialogs over a list of words have: a form, and a way to take the thing away that says who takes its place. */
import { useState } from "preact/hooks";
import { Sure } from "../parts/page.tsx";
import type { Choice } from "../parts/field.tsx";
import { s } from "../texts.ts";

interface RemoveProps {
  readonly title: string;
  readonly what: string;
  /** What may take its place, where something must. */
  readonly heirs?: readonly Choice[];
  readonly onRemove: (heir: string | undefined) => void;
}

export function Remove({ title, what, heirs, onRemove }: RemoveProps) {
  const [heir, setHeir] = useState("");
  return (
    <div class="bar filters remove">
      {heirs && (
        <select aria-label={s.heir} value={heir} onChange={(event) => setHeir(event.currentTarget.value)}>
          <option value="">{s.noHeir}</option>
          {heirs.map((one) => <option key={one.value} value={one.value}>{s.toHeir(one.title)}</option>)}
        </select>
      )}
      <Sure title={title} what={what} yes={title} onYes={() => onRemove(heir || undefined)} />
    </div>
  );
}

/** A key as it may be, read off a name. */
export function keyOf(name: string, between: "_" | "-"): string {
  return name
    .normalize("NFD")
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[^a-z0-9]+/g, between)
    .replace(/^[^a-z]+|[_-]+$/g, "")
    .slice(0, 40);
}

export function Swatch({ color }: { color: string }) {
  return (
    <span
      class="swatch"
      ref={(node) => {
        if (node) node.style.background = color;
      }}
    />
  );
}
