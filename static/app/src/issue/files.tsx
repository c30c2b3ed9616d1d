/** Files on an issue, and those on their way there. */
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Attachment } from "@kbwork/client";
import { remember } from "../store/changes.ts";
import { away, random, server } from "../store/server.ts";
import { tables } from "../store/tables.ts";
import { Icon } from "../ui/icons.tsx";
import { say } from "../ui/notes.tsx";
import { bytes, exactly, t } from "../ui/texts.ts";
import { act } from "./act.ts";
import { type About, details, show } from "./details.ts";
import { words } from "./texts.ts";

interface Sending {
  readonly id: string;
  readonly issue: number;
  readonly name: string;
  readonly percent: number;
  readonly stop: () => void;
}

const sending = signal<readonly Sending[]>([]);
/** Larger pictures come in this width. */
const WIDTH = 1280;
const SMALL = 160;
const PICTURE = /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/;

/** Send files, one behind the other, and hang them on the issue. Answers those that arrived. */
export async function attach(issue: About, files: readonly File[]): Promise<Attachment[]> {
  const found: Attachment[] = [];
  for (const file of files) {
    const made = await attachOne(issue, file);
    if (made) found.push(made);
  }
  return found;
}

async function attachOne(issue: About, file: File): Promise<Attachment | undefined> {
  const id = random();
  const stopper = new AbortController();
  const name = file.name || "picture.png";
  const stop = (): void => stopper.abort();
  sending.value = [...sending.value, { id, issue: issue.id, name, percent: 0, stop }];
  const progress = (sent: number, size: number): void => {
    const percent = size ? Math.floor((100 * sent) / size) : 100;
    sending.value = sending.value.map((one) => (one.id === id ? { ...one, percent } : one));
  };
  try {
    const onProgress = ({ sent, size }: { sent: number; size: number }): void => progress(sent, size);
    const { upload } = await server.upload(file, { name, signal: stopper.signal, onProgress });
    const reply = await server.ask("attachments.add", { subject: `issue:${issue.key}`, data: "", upload, name }, { idempotencyKey: id });
    remember(words.attached(name), reply.seq);
    const files = details.value.get(issue.id)?.files ?? [];
    const made = reply.data;
    if (made && !files.some((one) => one.id === made.id)) show(issue.id, { files: [...files, made] });
    return made;
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

export function Files({ issue, files, canAdd }: { issue: About; files: readonly Attachment[]; canAdd: boolean }) {
  const coming = sending.value.filter((one) => one.issue === issue.id);
  if (!files.length && !coming.length) return null;
  return (
    <section aria-label={words.files}>
      <h2 class="bar">
        {words.files}
        <span class="grow" />
        {canAdd && <Choose issue={issue}><Icon of="plus" /></Choose>}
      </h2>
      <ul class="files">
        {files.map((file) => <Line key={file.id} issue={issue} file={file} canDelete={canAdd} />)}
        {coming.map(({ id, name, percent, stop }) => (
          <li key={id} class="bar" role="status">
            <progress max={100} value={percent} aria-label={name} />
            <span class="cut grow">{words.sending(name, percent)}</span>
            <button type="button" class="plain" onClick={stop}>{words.stop}</button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What looks like a button asks for files. */
export function Choose({ issue, chip, children }: { issue: About; chip?: boolean; children: ComponentChildren }) {
  return (
    <label class={chip ? "chip file-choice" : "mini file-choice"} title={`${words.attach}. ${words.attachWhat}`}>
      {children}
      <input
        type="file"
        multiple
        class="hidden"
        aria-label={words.attach}
        onChange={(event) => {
          const chosen = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = "";
          void attach(issue, chosen);
        }}
      />
    </label>
  );
}

function Line({ issue, file, canDelete }: { issue: About; file: Attachment; canDelete: boolean }) {
  const who = tables.member.watch(file.created_by)?.name ?? file.created_by;
  const picture = PICTURE.test(file.content_type);
  const save = async (): Promise<void> => {
    try {
      const { url } = await server.attachments.get({ id: file.id, as_url: true });
      if (url) location.assign(url); // the server says that it is to be saved
    } catch (error) {
      say(away(error) ? t.noAnswer : (error as Error).message);
    }
  };
  const remove = async (): Promise<void> => {
    if (!(await act(words.detach(file.name), "attachments.delete", { id: file.id }))) return;
    const left = (details.value.get(issue.id)?.files ?? []).filter((one) => one.id !== file.id);
    show(issue.id, { files: left });
    say(words.detach(file.name));
  };
  return (
    <li class="bar">
      {picture ? (
        <a href={`/files/${file.id}?w=${WIDTH}`} target="_blank" rel="noopener" aria-label={file.name}>
          <img src={`/files/${file.id}?w=${SMALL}`} alt="" loading="lazy" />
        </a>
      ) : (
        <Icon of="clip" />
      )}
      <button type="button" class="plain cut" title={file.name} onClick={() => void save()}>{file.name}</button>
      <span class="meta grow" title={`${who}, ${exactly(file.created_at)}`}>{bytes(file.size)}</span>
      {canDelete && (
        <button type="button" class="mini" aria-label={words.detach(file.name)} title={words.detach(file.name)} onClick={() => void remove()}>
          <Icon of="close" />
        </button>
      )}
    </li>
  );
}
