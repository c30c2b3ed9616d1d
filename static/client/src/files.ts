/** Files: up in pieces by tus 1.0, each from where the server has it; down as they come. */
import type * as told from "../types/index.d.ts";
import type { Core } from "./core.ts";
import { backoffMs, sleep } from "./exchange.ts";
import { Problem, Unreachable } from "./problem.ts";

const PIECE_BYTES = 2 * 1024 * 1024;
const PLACE = "/files/upload";
const TUS = { "Tus-Resumable": "1.0.0" };
/** Beside faults of the network: somebody else adds to the file, too many come in, or the server starts anew. */
const PASSING = [409, 429, 500, 502, 503, 504];

type Asked = { method: string; headers?: Record<string, string>; body?: Blob };

export async function upload(
  core: Core,
  file: Blob | BufferSource | string,
  options: told.UploadOptions = {},
): Promise<told.Uploaded> {
  const blob = file instanceof Blob ? file : new Blob([file]);
  const { signal, timeoutMs, retries = 4, pieceBytes = PIECE_BYTES } = options;
  const size = blob.size;
  const name = options.name ?? (blob as Partial<File>).name ?? "file";
  const ask = <T>(
    path: string,
    { headers, ...init }: Asked,
    take: (answer: Response) => T,
    tries?: number,
  ): Promise<T> =>
    core._exchange(
      PLACE + path,
      { ...init, headers: { ...TUS, ...headers } },
      { signal, timeoutMs, retries: tries },
      take,
    );

  const announced = { "Upload-Length": String(size), "Upload-Metadata": `filename ${base64(name)}` };
  const id = options.upload ?? (await ask("", { method: "POST", headers: announced }, idOf));
  const whereIs = (): Promise<number> => ask(`/${id}`, { method: "HEAD" }, offsetOf);
  let sent = options.upload ? await whereIs() : 0;
  for (let tries = 0; ; ) {
    options.onProgress?.({ upload: id, size, sent });
    if (sent >= size) return { upload: id, size };
    const before = sent;
    try {
      const headers = { "Upload-Offset": String(sent), "Content-Type": "application/offset+octet-stream" };
      const body = blob.slice(sent, sent + pieceBytes);
      sent = await ask(`/${id}`, { method: "PATCH", headers, body }, offsetOf, 0);
    } catch (error) {
      const passing = error instanceof Unreachable || (error instanceof Problem && PASSING.includes(error.status));
      if (!passing || tries >= retries) throw error;
      await sleep(Math.max(((error as told.Problem).retryAfter ?? 0) * 1000, backoffMs(tries)), signal);
      sent = await whereIs();
    }
    tries = sent > before ? 0 : tries + 1;
  }
}

export async function download(core: Core, file: string, options: told.DownloadOptions = {}): Promise<Response> {
  const { signal, width } = options;
  // The key goes to this server alone: an address elsewhere is taken for an id that nothing has.
  let path = file.startsWith(`${core.url}/`) ? file.slice(core.url.length) : file;
  if (!path.startsWith("/")) {
    if (width) path = `/files/${encodeURIComponent(path)}`;
    else {
      const asked = { id: path, as_url: true };
      path = ((await core.call("attachments.get", asked, { signal })) as told.AttachmentContent).url!;
    }
  }
  const headers: Record<string, string> = {};
  if (options.from) {
    headers["Range"] = `bytes=${options.from}-`;
    if (options.etag) headers["If-Range"] = options.etag;
  }
  return core._exchange(width ? `${path}?w=${width}` : path, { headers }, options, (answer) => answer);
}

const idOf = (answer: Response): string => answer.headers.get("Location")!.split("/").pop()!;

const offsetOf = (answer: Response): number => Number(answer.headers.get("Upload-Offset"));

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
