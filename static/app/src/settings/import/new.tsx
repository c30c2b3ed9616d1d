/** Beginning an import: the file is sent, or the repository is named. */
import { useRef, useState } from "preact/hooks";
import { keepDraft } from "../../store/drafts.ts";
import { server } from "../../store/server.ts";
import { go } from "../../ui/router.ts";
import { act } from "../parts/act.ts";
import { wordsOf } from "../parts/asked.ts";
import type { FormField } from "../parts/field.tsx";
import { Form, type Values } from "../parts/form.tsx";
import { Page } from "../parts/page.tsx";
import { size } from "../parts/size.ts";
import { s } from "../texts.ts";
import { keepSample } from "./sample.ts";
import type { Source } from "./sources.ts";

const UP = { href: "/settings/import", title: s.places.import[0] };
const w = s.import;

export function NewImport({ source }: { source: Source }) {
  const { title, what } = w.sources[source.id];
  return (
    <Page title={title} what={what} up={UP}>
      {source.accept ? <FromFile source={source} accept={source.accept} /> : <FromRepository source={source} />}
      <p class="meta what">{w.more} <a href="/docs/howto-import">{w.manual}</a></p>
    </Page>
  );
}

const PROJECT: FormField = { name: "project", label: w.project, hint: w.projectWhat, placeholder: "WEB", max: 10 };

function FromRepository({ source }: { source: Source }) {
  const lab = source.source === "gitlab";
  const fields: FormField[] = [
    { name: "repository", label: lab ? w.labRepository : w.repository, placeholder: lab ? "acme/web/shop" : "acme/shop", required: true },
    { ...PROJECT, hint: w.projectOf },
    { name: "token", label: w.token, kind: "secret", hint: lab ? w.labTokenWhat : w.tokenWhat },
    { name: "base_url", label: w.address, placeholder: lab ? "https://gitlab.com" : "https://api.github.com", hint: lab ? w.labAddressWhat : w.addressWhat },
  ];
  const begin = async (_: Values, all: Values): Promise<void> => {
    const text = (name: string): string => String(all[name] ?? "").trim();
    const made = await act("imports.open", {
      source: source.source,
      repository: text("repository"),
      project: text("project").toUpperCase() || null,
      token: text("token") || null,
      base_url: text("base_url") || null,
    });
    go(`/settings/import/${made.id}`);
  };
  return <Form name={`settings.import.${source.id}`} fields={fields} value={{}} submit={w.fetch} isNew onSave={begin} />;
}

function FromFile({ source, accept }: { source: Source; accept: string }) {
  const [file, setFile] = useState<File>();
  const [sent, setSent] = useState<number>();
  const [wrong, setWrong] = useState<string>();
  const upload = useRef<{ of: File; id: string } | undefined>(undefined);
  const stop = useRef<AbortController | undefined>(undefined);
  const begin = async (_: Values, all: Values): Promise<void> => {
    if (!file) return setWrong(w.chooseFirst);
    setWrong(undefined);
    try {
      const before = upload.current?.of === file ? { upload: upload.current.id } : {};
      stop.current = new AbortController();
      setSent(0);
      const { upload: id } = await server.upload(file, {
        ...before,
        signal: stop.current.signal,
        onProgress: (progress) => {
          upload.current = { of: file, id: progress.upload };
          setSent(progress.sent);
        },
      });
      const project = String(all["project"] ?? "").trim().toUpperCase();
      const made = await act("imports.open", { source: source.source, file: id, project: project || null });
      if (source.id === "csv") await keepSample(made.id, file);
      keepDraft(`settings.import.${source.id}`, "");
      go(`/settings/import/${made.id}`);
    } catch (error) {
      if (stop.current?.signal.aborted) setWrong(w.stoppedSending);
      else throw error;
    } finally {
      setSent(undefined);
    }
  };
  return (
    <>
      <FileField accept={accept} file={file} onFile={setFile} onWrong={setWrong} />
      {wrong && <p class="wrong" role="alert">{wrong}</p>}
      {sent !== undefined && file && (
        <div class="running">
          <progress max={Math.max(1, file.size)} value={sent} aria-label={w.sending(file.name)} />
          <div class="bar">
            <span class="grow meta">{w.sending(file.name)} {size(sent)} / {size(file.size)}</span>
            <button type="button" onClick={() => stop.current?.abort()}>{w.stop}</button>
          </div>
        </div>
      )}
      <Form name={`settings.import.${source.id}`} fields={[{ ...PROJECT, hint: source.id === "kbz" ? w.projectOfKbz : w.projectWhat }]} value={{}} submit={w.send} isNew onSave={begin} />
    </>
  );
}

interface FileFieldProps {
  readonly accept: string;
  readonly file: File | undefined;
  readonly onFile: (file: File) => void;
  readonly onWrong: (why: string | undefined) => void;
}

function FileField({ accept, file, onFile, onWrong }: FileFieldProps) {
  const [over, setOver] = useState(false);
  const take = (files: FileList | null | undefined): void => {
    const [one] = files ?? [];
    if (!one) return;
    try {
      onFile(one);
      onWrong(undefined);
    } catch (error) {
      onWrong(wordsOf(error));
    }
  };
  return (
    <label
      class={`drop${over ? " over" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      <input type="file" accept={accept} aria-label={w.chooseFile} onChange={(event) => take(event.currentTarget.files)} />
      {file ? <><strong dir="auto">{file.name}</strong> <span class="meta">{size(file.size)}</span></> : <strong>{w.chooseFile}</strong>}
      <br />
      <span class="meta">{file ? w.chooseOther : accept.replaceAll(",", " ")}</span>
    </label>
  );
}
