/** What a call does once, however often it is sent. */
import { away, random } from "./server.ts";

/** Names one thing that is wanted: sent twice, it is done once; what is mended after a refusal is another. */
export class Wish {
  private name = random();

  get idempotencyKey(): string {
    return this.name;
  }

  refused(error: unknown): void {
    if (!away(error)) this.name = random();
  }
}
