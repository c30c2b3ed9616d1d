/** Semantic versions, with missing parts read as 0. Each becomes a text; texts have the order of the versions. */

const NUMBER = "(?:0|[1-9]\\d*)";
const PRE = `(?:${NUMBER}|\\d*[A-Za-z-][\\dA-Za-z-]*)`;
const TEXT = new RegExp(`^(${NUMBER})(?:\\.(${NUMBER})(?:\\.(${NUMBER}))?)?(?:-(${PRE}(?:\\.${PRE})*))?(?:\\+[\\dA-Za-z-]+(?:\\.[\\dA-Za-z-]+)*)?$`);
const DIGITS = /^\d+$/;

/** Undefined for what is no version. */
export function version(value: unknown): string | undefined {
  const found = typeof value === "string" ? TEXT.exec(value) : null;
  if (found === null) return undefined;
  const [, major, minor = "0", patch = "0", pre] = found;
  const numbers = [major!, minor, patch].map(figure).join("");
  // Its parts are numbers (0) or, behind all of these, texts (1); what has none stands behind what has some (2).
  return numbers + (pre === undefined ? "2" : pre.split(".").map(preText).join(""));
}

function preText(part: string): string {
  return `${DIGITS.test(part) ? `0${figure(part)}` : `1${part}`}\0`;
}

/** Without leading zeros the longer is the larger: a number may be larger than any double. */
function figure(digits: string): string {
  return String.fromCharCode(digits.length >> 16, digits.length & 0xffff) + digits;
}
