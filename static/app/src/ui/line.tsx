/** A line that keeps what is written in it until it is left, whatever is drawn anew meanwhile. */
import { useState } from "preact/hooks";

interface LineProps {
  readonly type?: "text" | "time" | "number";
  readonly "aria-label"?: string;
  readonly disabled?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly value: string;
  /** It was left, or taken by Enter, with another text. */
  readonly onDone: (text: string) => void;
}

export function Line({ type = "text", value, onDone, ...more }: LineProps) {
  const [written, setWritten] = useState<string>();
  return (
    <input
      {...(more as object)}
      type={type as "text"}
      value={written ?? value}
      onInput={(event) => setWritten(event.currentTarget.value)}
      onChange={(event) => {
        setWritten(undefined);
        onDone(event.currentTarget.value);
      }}
      onBlur={() => setWritten(undefined)}
    />
  );
}
