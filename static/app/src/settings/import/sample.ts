/** The first rows of a table, as they stand in the file that somebody chose: beside them one sees what a column holds. */
import { draftOf, keepDraft } from "../../store/drafts.ts";

const READ_BYTES = 64 * 1024;
const MOST_ROWS = 4;
const MOST_CELL = 120;
const SIGNS = [",", ";", "\t", "|"];

export type Sample = Readonly<Record<string, readonly string[]>>;

const nameOf = (id: number): string => `settings.import.${id}.sample`;

export async function keepSample(id: number, file: File): Promise<void> {
  const [header = [], ...rows] = table(await file.slice(0, READ_BYTES).text());
  const sample: Record<string, string[]> = {};
  header.forEach((name, at) => {
    sample[name.trim() || `column ${at + 1}`] ??= rows.slice(0, MOST_ROWS).map((row) => (row[at] ?? "").trim().slice(0, MOST_CELL));
  });
  keepDraft(nameOf(id), JSON.stringify(sample));
}

export function sampleOf(id: number): Sample {
  return JSON.parse(draftOf(nameOf(id)) || "{}") as Sample;
}

function table(text: string): string[][] {
  const plain = text.replace(/^\uFEFF/, "");
  const [first = ""] = plain.split("\n", 1);
  const sign = SIGNS.reduce((best, one) => (first.split(one).length > first.split(best).length ? one : best));
  const rows: string[][] = [[]];
  let cell = "";
  let quoted = false;
  const end = (): void => {
    rows.at(-1)!.push(cell);
    cell = "";
  };
  for (let at = 0; at < plain.length && rows.length <= MOST_ROWS + 1; at++) {
    const letter = plain[at]!;
    if (quoted) {
      if (letter !== '"') cell += letter;
      else if (plain[at + 1] === '"') cell += plain[++at];
      else quoted = false;
    } else if (letter === '"' && cell === "") quoted = true;
    else if (letter === sign) end();
    else if (letter === "\n") {
      end();
      rows.push([]);
    } else if (letter !== "\r") cell += letter;
  }
  end();
  return rows.filter((row) => row.length > 1 || row[0] !== "");
}
