/** How large a file is, as one says it. */
import { number } from "../../ui/texts.ts";

export function size(bytes: number): string {
  if (bytes < 1024) return `${number(bytes)} B`;
  if (bytes < 1024 * 1024) return `${number(Math.round(bytes / 1024))} kB`;
  return `${number(Math.round(bytes / 1024 / 102.4) / 10)} MB`;
}
