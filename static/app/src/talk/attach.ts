/** Files on their way to what they are to hang on. */
import { signal } from "@preact/signals";
import type { Attachment } from "@kbwork/client";
import { remember } from "../store/changes.ts";
import { away, random, server } from "../store/server.ts";
import { say } from "../ui/notes.tsx";
import { t } from "../ui/texts.ts";
import { words } from "./texts.ts";
import type { Topic } from "./topic.ts";

interface Sending {
  readonly id: string;
  /** What it is to hang on. */
  readonly subject: string;
  readonly name: string;
  readonly percent: number;
  readonly stop: () => void;
}

export const sending = signal<readonly Sending[]>([]);
/** Larger pictures come in this width. */
export const WIDTH = 1280;
export const PICTURE = /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/;

/** Send files, one behind the other, and hang them on something. Answers those that arrived. */
export async function attach(topic: Topic, files: readonly File[]): Promise<Attachment[]> {
  const found: Attachment[] = [];
  for (const file of files) {
    const made = await attachOne(topic, file);
    if (made) found.push(made);
  }
  return found;
}

async function attachOne({ subject, onAttached }: Topic, file: File): Promise<Attachment | undefined> {
  const id = random();
  const stopper = new AbortController();
  const name = file.name || "picture.png";
  const stop = (): void => stopper.abort();
  sending.value = [...sending.value, { id, subject, name, percent: 0, stop }];
  const progress = (sent: number, size: number): void => {
    const percent = size ? Math.floor((100 * sent) / size) : 100;
    sending.value = sending.value.map((one) => (one.id === id ? { ...one, percent } : one));
  };
  try {
    const onProgress = ({ sent, size }: { sent: number; size: number }): void => progress(sent, size);
    const { upload } = await server.upload(file, { name, signal: stopper.signal, onProgress });
    const reply = await server.ask("attachments.add", { subject, data: "", upload, name }, { idempotencyKey: id });
    remember(words.attached(name), reply.seq);
    if (reply.data) onAttached?.(reply.data);
    return reply.data;
  } catch (error) {
    if (!stopper.signal.aborted) say(`${name}: ${away(error) ? t.noAnswer : (error as Error).message}`);
    return undefined;
  } finally {
    sending.value = sending.value.filter((one) => one.id !== id);
  }
}

/** What a text says of a file: pictures are shown, of other files the name is said. */
export function mention({ id, name, content_type: type }: Attachment): string {
  const said = name.replace(/[[\]\\]/g, "\\$&");
  return PICTURE.test(type) ? `![${said}](/files/${id}?w=${WIDTH})` : `*${said}*`;
}
