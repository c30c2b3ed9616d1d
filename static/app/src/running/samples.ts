/** One call as each client makes it, to be copied. */
import { words } from "./words.ts";

type Given = Readonly<Record<string, unknown>>;

const WIDE = 60;
const PYTHON_WORDS = new Set(
  ("False None True and as assert async await break class continue def del elif else except finally for from global if import in is " +
    "lambda nonlocal not or pass raise return try while with yield").split(" "),
);

export function samples(op: string, given: Given, destructive: boolean): Record<string, string> {
  return {
    [words.curl]: curl(op, given),
    [words.python]: python(op, given),
    [words.typescript]: typescript(op, given),
    [words.commandLine]: command(op, given),
    [words.mcp]: mcp(op, given, destructive),
  };
}

function curl(op: string, given: Given): string {
  return [
    `curl "$KBWORK_URL/api/v1/${op}"`,
    '-H "Authorization: Bearer $KBWORK_KEY"',
    '-H "Content-Type: application/json"',
    `-d ${quoted(JSON.stringify(given))}`,
  ].join(" \\\n  ");
}

function python(op: string, given: Given): string {
  const [module, verb = ""] = op.split(".");
  const named = (name: string): string => (PYTHON_WORDS.has(name) ? `${name}_` : name);
  const values = Object.entries(given).map(([name, value]) => `${named(name)}=${pythonValue(value)}`);
  const call = `Kbwork().${module}.${named(verb)}`;
  const line = `${call}(${values.join(", ")})`;
  const text = line.length > WIDE && values.length ? `${call}(\n    ${values.join(",\n    ")},\n)` : line;
  return `from kbwork import Kbwork\n\n${text}`;
}

function pythonValue(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(", ")}]`;
  if (typeof value === "object") {
    return `{${Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${pythonValue(one)}`).join(", ")}}`;
  }
  return JSON.stringify(value);
}

function typescript(op: string, given: Given): string {
  const fields = Object.entries(given).map(([name, value]) => `${/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const line = `{ ${fields.join(", ")} }`;
  const object = !fields.length ? "" : line.length <= WIDE ? line : `{\n  ${fields.join(",\n  ")},\n}`;
  return `import { kbwork } from "@kbwork/client";\n\nconst kb = kbwork({ url, key });\nconst answer = await kb.${op}(${object});`;
}

function command(op: string, given: Given): string {
  const values = Object.entries(given).map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `--${name.replaceAll("_", "-")} ${quoted(text)}`;
  });
  const parts = [`kbwork ${op.replace(".", " ")}`, ...values];
  const line = parts.join(" ");
  return line.length <= WIDE ? line : parts.join(" \\\n  ");
}

function mcp(op: string, given: Given, destructive: boolean): string {
  return JSON.stringify({ name: op.replace(".", "_"), arguments: destructive ? { ...given, confirm: true } : given }, null, 2);
}

/** For a shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`;
}
