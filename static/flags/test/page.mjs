/** A page of React, as a server has rendered it; bundled by `bundle.mjs`. */
import { FlagsProvider, useFlag } from "@kbwork/flags/react";
import { createClient } from "@kbwork/flags/browser";
import { createElement, StrictMode, version } from "react";
import { hydrateRoot } from "react-dom/client";

let drawn = 0;

function Checkout() {
  drawn++;
  return createElement("p", null, useFlag("checkout", true) ? "the new one" : "the old one");
}

/** The context is written anew each time, as components do. */
const app = (client, key) =>
  createElement(StrictMode, null, createElement(FlagsProvider, { client, context: { key } }, createElement(Checkout)));

globalThis.begin = async (options) => {
  const client = createClient({ context: { key: "ana" }, ...options });
  await client.ready();
  const root = hydrateRoot(document.getElementById("root"), app(client, "ana"));
  globalThis.page = {
    version,
    client,
    shows: (key) => root.render(app(client, key)),
    leave: () => root.unmount(),
    drawn: () => drawn,
  };
};
