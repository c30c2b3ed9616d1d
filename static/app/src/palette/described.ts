/** What the description of a server says of its operations: what each does and takes. */
export type Kind = "text" | "long" | "number" | "yes" | "choice" | "list" | "json";

export interface Input {
  readonly name: string;
  readonly kind: Kind;
  readonly required: boolean;
  readonly about: string;
  readonly choices: readonly string[];
}

export interface Operation {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly class: "read" | "write" | "destructive";
  readonly inputs: readonly Input[];
  readonly example: Readonly<Record<string, unknown>>;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly description?: string;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly "x-kb-class"?: Operation["class"];
  readonly "x-kb-scopes"?: readonly string[];
  readonly "x-kb-events"?: readonly string[];
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly schema: Schema; readonly example?: object } } };
}

export interface Description {
  readonly paths: Readonly<Record<string, { readonly post?: Described }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** A text that may be longer than this is written on several lines. */
const LINE = 2_000;
const MARKDOWN = /Markdown|each line/i;

/** Those of a class, as they are described. */
export function described({ paths }: Description): readonly Described[] {
  return Object.values(paths).flatMap(({ post }) => (post?.["x-kb-class"] ? [post] : []));
}

/** Those whose scopes somebody has, ready to be asked for. */
export function offered(all: Description, may: (scope: string) => boolean): readonly Operation[] {
  const found = described(all).filter((post) => (post["x-kb-scopes"] ?? []).every(may));
  return found.map((post) => read(post, all.components.schemas));
}

function read(post: Described, schemas: Description["components"]["schemas"]): Operation {
  const body = post.requestBody?.content["application/json"];
  const schema = resolved(body?.schema ?? {}, schemas);
  const required = new Set(schema.required);
  const inputs = Object.entries(schema.properties ?? {}).map(([name, property]) => inputOf(name, property, required.has(name), schemas));
  return {
    id: post.operationId,
    title: post.summary,
    about: post.description,
    class: post["x-kb-class"]!,
    inputs: inputs.sort((one, other) => Number(other.required) - Number(one.required)),
    example: (body?.example ?? {}) as Record<string, unknown>,
  };
}

function inputOf(name: string, property: Schema, required: boolean, schemas: Description["components"]["schemas"]): Input {
  const schema = resolved(property, schemas);
  const choices = (schema.enum ?? []).filter((one): one is string => typeof one === "string" && one !== "");
  return { name, kind: kindOf(schema, choices), required, about: property.description ?? schema.description ?? "", choices };
}

/** Behind its name, and without the null that stands for "left out". */
function resolved(schema: Schema, schemas: Description["components"]["schemas"]): Schema {
  if (schema.$ref) return resolved(schemas[schema.$ref.split("/").pop()!] ?? {}, schemas);
  const some = (schema.anyOf ?? []).filter((one) => one.type !== "null");
  if (some.length === 1) return { ...schema, ...resolved(some[0]!, schemas) };
  return schema;
}

function kindOf(schema: Schema, choices: readonly string[]): Kind {
  const types = [schema.type].flat();
  if (choices.length) return "choice";
  if (types.includes("boolean")) return "yes";
  if (types.includes("integer") || types.includes("number")) return "number";
  if (types.includes("array") && !schema.items?.$ref && schema.items?.type === "string") return "list";
  if (types.includes("string")) return (schema.maxLength ?? 0) > LINE || MARKDOWN.test(schema.description ?? "") ? "long" : "text";
  return "json";
}

/** What somebody wrote, as the operation takes it; undefined: it is left out. Throws SyntaxError where JSON is asked for. */
export function valueOf({ kind }: Input, said: string): unknown {
  if (said === "") return undefined;
  if (kind === "number") return Number.isNaN(Number(said)) ? said : Number(said);
  if (kind === "yes") return said === "true";
  if (kind === "list") return said.split(/[\n,]/).map((one) => one.trim()).filter(Boolean);
  if (kind === "json") return JSON.parse(said) as unknown;
  return said;
}
