/** From Markdown to HTML that can do nothing but be read: no script, no style, no picture from elsewhere. */
import DOMPurify from "dompurify";
import { Marked, type TokenizerAndRendererExtension, type Tokens } from "marked";
import { isScreen } from "./places.ts";
import { slugOf } from "./slug.ts";

/** What a text stands in. */
export interface Around {
  /** Key of the space: what stands in double brackets leads to a page. */
  readonly space?: string | undefined;
  /** Keys of all spaces, by which texts name pages elsewhere. */
  readonly spaces?: ReadonlySet<string> | undefined;
  /** Keys of projects: what is called as their issues are leads there. */
  readonly projects?: ReadonlySet<string> | undefined;
  /** Numbers of the lines whose boxes can be ticked, the first is 1. Such a text stands below a heading of its own. */
  readonly ticks?: ReadonlySet<number> | undefined;
}

/** That of the text that is read now: a parser has no other way to tell its parts. */
let around: Around = {};

/** Tags that people write into Markdown; of these alone, and without attributes, anything is taken for HTML. */
const PLAIN = /^<\/?(?:b|blockquote|br|code|dd|del|details|dl|dt|em|hr|i|ins|kbd|li|ol|p|pre|s|strong|sub|summary|sup|ul)\s*\/?>$/i;
const PICTURE = /^<img\s[^>]*>$/i;

/** `[[Title]]`, `[[space/slug]]`, and behind a bar other words for it. */
const LINK: TokenizerAndRendererExtension = {
  name: "link-of-pages",
  level: "inline",
  start: (text) => text.indexOf("[["),
  tokenizer(text) {
    const [raw, named] = (around.space && /^\[\[([^[\]\n]{1,600})\]\]/.exec(text)) || [];
    return raw === undefined ? undefined : { type: "link-of-pages", raw, named };
  },
  renderer({ named }) {
    const [target = "", ...shown] = (named as string).split("|");
    return `<a href="${addressOf(target)}">${escaped((shown.join("|") || target).trim())}</a>`;
  },
};
const ISSUE: TokenizerAndRendererExtension = {
  name: "issue",
  level: "inline",
  start: (text) => text.search(/(?<![\w-])[A-Z][A-Z0-9]{1,9}-\d/),
  tokenizer(text) {
    const [raw, project] = /^([A-Z][A-Z0-9]{1,9})-\d{1,9}(?![\w-])/.exec(text) ?? [];
    return raw !== undefined && around.projects?.has(project!) ? { type: "issue", raw } : undefined;
  },
  renderer: ({ raw }) => `<a href="/issues/${raw}">${raw}</a>`,
};
/** A box that can be ticked, which `tasks` left a mark for. */
const TICK: TokenizerAndRendererExtension = {
  name: "tick",
  level: "inline",
  start: (text) => text.indexOf("\ue000"),
  tokenizer(text) {
    const [raw, line, done] = /^\ue000(\d+)([ x])\ue000/.exec(text) ?? [];
    return raw === undefined ? undefined : { type: "tick", raw, line, done: done === "x" };
  },
  renderer: ({ line, done }) => `<span class="tick" data-line="${line}">${done ? "☑" : "☐"}</span>`,
};

const marked = new Marked({
  gfm: true,
  extensions: [LINK, ISSUE, TICK],
  renderer: {
    html: ({ text }) => text.replace(/<!--.*?-->/gs, "").replace(/<[^>]*>?/g, tag),
    heading({ tokens, depth }: Tokens.Heading) {
      const level = around.ticks ? Math.min(6, depth + 1) : depth;
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
  },
});

DOMPurify.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName === "A" && node.getAttribute("href")) {
    node.setAttribute("rel", "noopener noreferrer nofollow");
    const link = node as HTMLAnchorElement;
    if (!isOurs(link.getAttribute("href")!)) link.setAttribute("target", "_blank");
    else if (isScreen(new URL(link.getAttribute("href")!, location.href).pathname)) link.setAttribute("data-in", "");
  }
  if (node.tagName === "IMG" && !isOurs(node.getAttribute("src") ?? "")) {
    const link = document.createElement("a");
    link.href = node.getAttribute("src") ?? "";
    link.rel = "noopener noreferrer nofollow";
    link.target = "_blank";
    link.textContent = node.getAttribute("alt") || link.href;
    node.replaceWith(link);
  }
});

const RULES = { FORBID_TAGS: ["style", "form", "input", "button"], FORBID_ATTR: ["style"] };

export function toHtml(text: string, where: Around = {}): string {
  around = where;
  return DOMPurify.sanitize(parsed(text), RULES);
}

function parsed(text: string): string {
  try {
    return marked.parse(tasks(text), { async: false });
  } catch {
    return `<pre>${escaped(text)}</pre>`; // the parser stumbles over some texts, which are shown as they are
  }
}

/** HTML from elsewhere by the same rules. A line in it ends nothing, but for where lines are kept. */
export function washed(html: string): string {
  // Browsers report what may not be as soon as they read it, and what other programs copy is full of styles.
  const quiet = html.replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/\s(?:style|on[a-z]+)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi, ""));
  const box = document.createElement("div");
  box.append(DOMPurify.sanitize(quiet, { ...RULES, RETURN_DOM_FRAGMENT: true }));
  if (html.includes("data-pm-slice")) return box.innerHTML;
  const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode as Text;
    if (!text.parentElement?.closest("pre")) text.data = text.data.replace(/\s*\n\s*/g, " ");
  }
  return box.innerHTML;
}

/**
 * What is not plain is shown as it was written. The sanitizer would take it out, too; but browsers report a handler to
 * the console as soon as they read it, wherever that is.
 */
function tag(written: string): string {
  if (PLAIN.test(written)) return written;
  if (!PICTURE.test(written)) return escaped(written);
  const of = (name: string): string => new RegExp(`\\s${name}\\s*=\\s*["']([^"'<>]*)`, "i").exec(written)?.[1] ?? "";
  return `<img src="${of("src")}" alt="${of("alt")}">`; // neither has a quote or a bracket
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function isOurs(address: string): boolean {
  return URL.canParse(address, location.href) && new URL(address, location.href).origin === location.origin;
}

/** Where a link between pages leads; what stands behind a sharp is a heading there. */
function addressOf(target: string): string {
  const [page = "", heading] = target.split("#");
  const [, key, slug] = /^\s*([A-Za-z][A-Za-z0-9]{1,19})\/(.*)$/.exec(page) ?? [];
  const at = key !== undefined && around.spaces?.has(key.toUpperCase()) ? `${key.toUpperCase()}/${slugOf(slug!)}` : `${around.space}/${slugOf(page)}`;
  return `/pages/${at}${heading === undefined ? "" : `#${slugOf(heading)}`}`;
}

/** Boxes of task lists as signs: which of them can be ticked is known by their lines. */
function tasks(text: string): string {
  const { ticks } = around;
  return text
    .replaceAll("\ue000", "")
    .split("\n")
    .map((line, at) =>
      line.replace(/^([\s>]*(?:[-*+]|\d+[.)])\s+)\[([ \txX])\](?=\s)/, (_, dash: string, mark: string) => {
        const done = mark.toLowerCase() === "x";
        return dash + (ticks?.has(at + 1) ? `\ue000${at + 1}${done ? "x" : " "}\ue000` : done ? "☑" : "☐");
      }),
    )
    .join("\n");
}
