/** Files on an issue, and those on their way there. */
import type { ComponentChildren } from "preact";
import type { Attachment } from "@kbwork/client";
import { away, server } from "../store/server.ts";
import { tables } from "../store/tables.ts";
import { attach, PICTURE, sending, WIDTH } from "../talk/attach.ts";
import { Coming } from "../talk/coming.tsx";
import { Icon } from "../ui/icons.tsx";
import { say } from "../ui/notes.tsx";
import { bytes, exactly, t } from "../ui/texts.ts";
import { act } from "./act.ts";
import { type About, details, show, topicOf } from "./details.ts";
import { words } from "./texts.ts";

const SMALL = 160;

export function Files({ issue, files, canAdd }: { issue: About; files: readonly Attachment[]; canAdd: boolean }) {
  const isComing = sending.value.some((one) => one.subject === topicOf(issue).subject);
  if (!files.length && !isComing) return null;
  return (
    <section aria-label={words.files}>
      <h2 class="bar">
        {words.files}
        <span class="grow" />
        {canAdd && <Choose issue={issue}><Icon of="plus" /></Choose>}
      </h2>
      <ul class="files">
        {files.map((file) => <Line key={file.id} issue={issue} file={file} canDelete={canAdd} />)}
        <Coming subject={topicOf(issue).subject} />
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
          void attach(topicOf(issue), chosen);
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
