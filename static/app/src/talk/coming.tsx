/** Files that are on their way, each with how far it is. */
import { sending } from "./attach.ts";
import { words } from "./texts.ts";

export function Coming({ subject }: { subject: string }) {
  return (
    <>
      {sending.value.filter((one) => one.subject === subject).map(({ id, name, percent, stop }) => (
        <li key={id} class="bar" role="status">
          <progress max={100} value={percent} aria-label={name} />
          <span class="cut grow">{words.sending(name, percent)}</span>
          <button type="button" class="plain" onClick={stop}>{words.stop}</button>
        </li>
      ))}
    </>
  );
}
