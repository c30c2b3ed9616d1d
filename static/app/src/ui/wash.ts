/** From Markdown to HTML that can do nothing but be read: no script, no style, no picture from elsewhere. */
import DOMPurify from "dompurify";
import { Marked } from "marked";

/** Tags that people write into Markdown; of these alone, and without attributes, anything is taken for HTML. */
const PLAIN = /^<\/?(?:b|blockquote|br|code|dd|del|details|dl|dt|em|hr|i|ins|kbd|li|ol|p|pre|s|strong|sub|summary|sup|ul)\s*\/?>$/i;
const PICTURE = /^<img\s[^>]*>$/i;

const marked = new Marked({
  gfm: true,
  renderer: { html: ({ text }) => text.replace(/<!--.*?-->/gs, "").replace(/<[^>]*>?/g, tag) },
});

DOMPurify.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName === "A" && node.getAttribute("href")) {
    node.setAttribute("rel", "noopener noreferrer nofollow");
    if (!isOurs(node.getAttribute("href")!)) node.setAttribute("target", "_blank");
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

export function toHtml(text: string): string {
  const html = marked.parse(tasks(text), { async: false });
  return DOMPurify.sanitize(html, { FORBID_TAGS: ["style", "form", "input", "button"], FORBID_ATTR: ["style"] });
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

/** Boxes of task lists as signs: a box in a text that one reads cannot be ticked. */
function tasks(text: string): string {
  return text.replace(/^(\s*[-*+] )\[([ xX])\] /gm, (_, dash: string, mark: string) => `${dash}${mark === " " ? "☐" : "☑"} `);
}
