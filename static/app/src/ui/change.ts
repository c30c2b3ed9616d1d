/** Where two texts differ. */

export interface Change {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** From their first to their last difference. No sign of two halves is torn. */
export function changeOf(base: string, next: string): Change {
  let from = 0;
  const shorter = Math.min(base.length, next.length);
  while (from < shorter && base[from] === next[from]) from++;
  if (isFirstHalf(base, from - 1)) from--;
  let behind = 0;
  while (behind < shorter - from && base[base.length - 1 - behind] === next[next.length - 1 - behind]) behind++;
  if (isFirstHalf(base, base.length - behind - 1) && behind) behind--;
  return { from, to: base.length - behind, text: next.slice(from, next.length - behind) };
}

function isFirstHalf(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code < 0xdc00;
}
