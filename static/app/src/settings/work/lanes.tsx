/** The lanes, in the order in which work moves: they are made, named, limited and moved up and down. */
import type { Lane, LanesSave } from "@kbwork/client";
import { server } from "../../store/server.ts";
import { tables } from "../../store/tables.ts";
import { LaneIcon } from "../../ui/icons.tsx";
import { number } from "../../ui/texts.ts";
import { act, attempt } from "../parts/act.ts";
import { Dialog } from "../parts/dialog.tsx";
import type { FormField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { onlyAdmins } from "../parts/page.tsx";
import { Things } from "../parts/things.tsx";
import { s } from "../texts.ts";
import { keyOf, Remove } from "./thing.tsx";

const [TITLE, WHAT] = s.places.lanes;
const w = s.lanes;

export function Page() {
  const shut = onlyAdmins();
  return (
    <Things
      title={TITLE}
      what={WHAT}
      shut={shut}
      make={w.new}
      empty={w.none}
      ask={() => server.lanes.list()}
      on={[tables.lane.moved.value]}
      idOf={(lane) => lane.key}
      wordsOf={(lane) => `${lane.name} ${lane.key}`}
      mark={(lane) => <LaneIcon lane={lane} />}
      columns={(all) => [
        { title: w.category, of: (lane) => w.categories[lane.category] + (lane.outcome && lane.outcome !== "completed" ? ` · ${w.outcomes[lane.outcome]}` : "") },
        { title: w.limit, of: ({ wip }) => wip ?? "", kind: "number" },
        { title: w.issues, of: ({ issues }) => number(issues), kind: "number" },
        { title: s.acts, kind: "acts", of: (lane) => !shut && <Order lane={lane} all={all} /> },
      ]}
      dialog={({ thing, all, onClose }) => <LaneDialog lane={thing} all={all} shut={shut} onClose={onClose} />}
    />
  );
}

function Order({ lane, all }: { lane: Lane; all: readonly Lane[] }) {
  const at = all.indexOf(lane);
  const move = (by: -1 | 1): void => {
    const keys = all.map(({ key }) => key);
    keys.splice(at + by, 0, ...keys.splice(at, 1));
    void attempt("lanes.reorder", { keys }, { said: w.moved(lane.name), undo: true });
  };
  return (
    <span class="bar">
      <button type="button" class="mini" aria-label={w.up(lane.name)} title={w.up(lane.name)} disabled={at === 0} onClick={() => move(-1)}>↑</button>
      <button type="button" class="mini" aria-label={w.down(lane.name)} title={w.down(lane.name)} disabled={at === all.length - 1} onClick={() => move(1)}>↓</button>
    </span>
  );
}

interface LaneProps {
  readonly lane: Lane | undefined;
  readonly all: readonly Lane[];
  readonly shut: string | undefined;
  readonly onClose: () => void;
}

function LaneDialog({ lane, all, shut, onClose }: LaneProps) {
  const fields: FormField[] = [
    { name: "name", label: s.name, required: true, max: 500 },
    { name: "category", label: w.category, kind: "choice", choices: Object.entries(w.categories).map(([value, title]) => ({ value, title })) },
    { name: "outcome", label: w.outcome, kind: "choice", choices: Object.entries(w.outcomes).map(([value, title]) => ({ value, title })), when: (all) => all["category"] === "done" },
    { name: "wip", label: w.limit, kind: "number", hint: w.limitWhat },
    { name: "color", label: s.color, kind: "color" },
    { name: "description", label: s.description, kind: "area" },
  ];
  const value = { name: lane?.name ?? "", category: lane?.category ?? "todo", outcome: lane?.outcome ?? "completed", wip: lane?.wip ?? null, color: lane?.color ?? "#6b7280", description: lane?.description ?? "" };
  return (
    <Dialog title={lane?.name ?? w.new} onClose={onClose}>
      <Form
        name={`settings.lanes.${lane?.key ?? "new"}`}
        fields={fields}
        value={value}
        submit={lane ? s.save : s.make}
        shut={shut}
        onSave={async ({ outcome, ...changes }, { name, category }) => {
          const input = { ...changes, name, category, key: lane?.key ?? keyOf(String(name), "_"), ...(outcome !== undefined && category === "done" && { outcome }) };
          await act("lanes.save", input as LanesSave, { said: lane ? w.changed(String(name)) : w.made(String(name)), undo: true });
          onClose();
        }}
      >
        {lane && !shut && (
          <Remove
            title={s.delete}
            what={w.deleteWhat}
            heirs={all.filter((one) => one.key !== lane.key).map(({ key, name }) => ({ value: key, title: name }))}
            onRemove={(move_to) => void attempt("lanes.delete", { key: lane.key, ...(move_to && { move_to }) }, { said: w.deleted(lane.name), undo: true }).then((done) => done && onClose())}
          />
        )}
      </Form>
      {!lane && <p class="meta what">{w.newWhat}</p>}
    </Dialog>
  );
}
