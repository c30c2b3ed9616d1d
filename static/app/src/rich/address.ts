/** Where a link leads, from what somebody writes into its dialog: people leave out what stands in front. */

/** `example.com`, also with a port and what stands behind it. */
const HOST = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,63}(?::\d{1,5})?(?=[/?#]|$)/u;
/** Most of these have no certificate. */
const MACHINE = /^(?:localhost|(?:\d{1,3}\.){3}\d{1,3})(?::\d{1,5})?(?=[/?#]|$)/i;
const MAIL = /^[^\s@/:?#]+@(?:[\p{L}\p{N}-]+\.)+\p{L}{2,63}(?=\?|$)/u;
/** A file beside the text, such as `guide.md`, is named like a host. */
const FILE = /^[^/?#]+\.(?:md|markdown|html?|txt|pdf|csv|docx?|xlsx?|odt|zip|svg|png|gif|jpe?g|webp)(?:[?#]|$)/i;

export function addressOf(written: string): string {
  const said = written.trim();
  if (/\s/.test(said)) return said;
  if (MAIL.test(said)) return `mailto:${said}`;
  if (MACHINE.test(said)) return `http://${said}`;
  return HOST.test(said) && !FILE.test(said) ? `https://${said}` : said;
}
