/** Markdown as it is read. What makes it is fetched with the first text, and nothing of a text gets by it unwashed. */
import { useEffect, useState } from "preact/hooks";

type Render = (text: string) => string;
let render: Render | undefined;
let coming: Promise<Render> | undefined;

function renderer(): Promise<Render> {
  coming ??= import("./wash.ts").then((made) => (render = made.toHtml));
  return coming;
}

export function Markdown({ text }: { text: string }) {
  const [ready, setReady] = useState(render !== undefined);
  useEffect(() => {
    let late = false;
    if (!ready) void renderer().then(() => late || setReady(true));
    return () => {
      late = true;
    };
  }, [ready]);
  if (!render) return <div class="prose plain-text" dir="auto">{text}</div>;
  return <div class="prose" dir="auto" dangerouslySetInnerHTML={{ __html: render(text) }} />;
}
