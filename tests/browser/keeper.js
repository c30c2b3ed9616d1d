// A client that keeps issues, by `fetch`, `EventSource` and IndexedDB alone, and as the manual's "Keep a copy in a
// client" tells it to. Whichever tab of a browser holds the lock has the stream; the others read the same store.
globalThis.keeper = (() => {
  const NAME = "kept";
  const CLIENT = `tab-${Math.random().toString(36).slice(2)}`;
  const SCOPES = { closed_days: 30 };
  const tabs = new BroadcastChannel(NAME);
  const news = new EventTarget();
  const noted = { streams: 0, bye: null, origins: [], resets: 0 };

  async function call(op, input = {}) {
    const answer = await fetch(`/api/v1/${op}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-KB-Client": CLIENT },
      body: JSON.stringify(input),
    });
    const body = await answer.json();
    if (!answer.ok) throw new Error(`${op}: ${body.detail}`);
    return body;
  }

  const done = (request) => new Promise((well, ill) => {
    request.onsuccess = () => well(request.result);
    request.onerror = () => ill(request.error);
  });
  const opening = indexedDB.open(NAME, 1);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore("thing", { keyPath: ["kind", "id"] });
    opening.result.createObjectStore("place");
  };
  const opened = done(opening);

  // What `work` writes is there as a whole or not at all.
  async function write(work) {
    const tx = (await opened).transaction(["thing", "place"], "readwrite");
    const ended = new Promise((well, ill) => {
      tx.oncomplete = well;
      tx.onabort = () => ill(tx.error);
    });
    work(tx.objectStore("thing"), tx.objectStore("place"));
    await ended;
    tabs.postMessage("moved");
    news.dispatchEvent(new Event("moved"));
  }

  // `now`: how far it is, with `seq` and `access`; `parts`: the etag and the ids of each that came whole.
  async function place(name) {
    return done((await opened).transaction("place").objectStore("place").get(name));
  }

  async function kept(kind) {
    const all = IDBKeyRange.bound([kind], [kind, []]);
    const found = await done((await opened).transaction("thing").objectStore("thing").getAll(all));
    return Object.fromEntries(found.map((one) => [one.id, one.row]));
  }

  async function one(kind, id) {
    return (await done((await opened).transaction("thing").objectStore("thing").get([kind, id])))?.row;
  }

  const thing = (kind, columns, row) => (
    { kind, id: row[0], row: Object.fromEntries(columns.map((name, at) => [name, row[at]])) }
  );
  const turned = (values) => values[0].map((_, at) => values.map((column) => column[at]));

  async function take() {
    const before = (await place("parts")) ?? [];
    const etags = before.map((part) => part.etag);
    const pages = [];
    let cursor;
    do {
      pages.push(await call("sync.snapshot", { scopes: SCOPES, etags, ...(cursor && { cursor }) }));
      cursor = pages.at(-1).next;
    } while (cursor);
    const parts = pages.flatMap((page) => page.parts);
    const { seq, access } = pages[0];
    const had = new Map(before.map((part) => [part.etag, part.ids]));
    const now = parts.map(({ kind, etag, unchanged, values }) => (
      { kind, etag, ids: unchanged ? had.get(etag) : values[0] }
    ));
    const stay = new Set(now.flatMap(({ kind, ids }) => ids.map((id) => `${kind} ${id}`)));
    const gone = (await done((await opened).transaction("thing").objectStore("thing").getAllKeys()))
      .filter(([kind, id]) => !stay.has(`${kind} ${id}`));
    await write((things, places) => {
      for (const key of gone) things.delete(key);
      for (const { kind, columns, values, unchanged } of parts) {
        if (!unchanged) for (const row of turned(values)) things.put(thing(kind, columns, row));
      }
      places.put({ seq, access }, "now");
      places.put(now, "parts");
    });
  }

  async function put(delta) {
    const { seq, access, upserts } = delta;
    if (seq < (await place("now")).seq) return;
    const parts = upserts.some((told) => told.whole) && (await place("parts"));
    await write((things, places) => {
      for (const { kind, columns, rows, whole, etag } of upserts) {
        for (const row of rows) things.put(thing(kind, columns, row));
        if (!whole) continue;
        const ids = rows.map((row) => row[0]);
        const old = parts.find((part) => part.kind === kind);
        for (const id of old.ids) if (!ids.includes(id)) things.delete([kind, id]);
        Object.assign(old, { etag, ids });
      }
      for (const { kind, ids } of delta.gone) for (const id of ids) things.delete([kind, id]);
      places.put({ seq, access }, "now");
      if (parts) places.put(parts, "parts");
    });
  }

  async function wipe(reason) {
    await write((things, places) => {
      things.clear();
      places.clear();
    });
    noted.bye = reason;
    tabs.postMessage({ bye: reason });
  }

  async function listen() {
    if (!(await place("now"))) await take();
    const { seq, access } = await place("now");
    const asked = new URLSearchParams({ rows: 1, plain: 1, since: seq, access, ...SCOPES });
    const stream = new EventSource(`/api/v1/stream?${asked}`);
    noted.streams += 1;
    let before = Promise.resolve();
    const ended = new Promise((end, fail) => {
      stream.onmessage = ({ data }) => {
        const told = JSON.parse(data);
        const next = async () => {
          if (told.kind === "bye") {
            stream.close();
            await wipe(told.reason);
            end(false);
          } else if (told.kind === "rows" && told.reset) {
            noted.resets += 1;
            stream.close();
            await take();
            end(true);
          } else if (told.kind === "rows") {
            await put(told);
          }
        };
        before = before.then(next).catch(fail);
      };
    });
    return ended;
  }

  // Ends only when the tab does, or with the rights.
  const follow = () => {
    navigator.locks.request(NAME, async () => {
      while (await listen());
    });
  };

  // When, in milliseconds of the clock, `check` came to hold of what `find` finds.
  const until = (find, check, patience = 20_000) => new Promise((well, ill) => {
    setTimeout(() => ill(new Error(`this never came to hold: ${check}`)), patience);
    const look = async () => {
      const held = await find();
      const at = performance.timeOrigin + performance.now();
      if (!check(held)) return;
      news.removeEventListener("moved", look);
      well(at);
    };
    news.addEventListener("moved", look);
    look().catch(ill);
  });

  tabs.onmessage = ({ data }) => {
    if (data.bye) noted.bye = data.bye;
    news.dispatchEvent(new Event("moved"));
  };
  return { call, follow, kept, noted, one, until };
})();
