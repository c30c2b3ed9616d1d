/** A server between client and server that does harm: each request meets the next fault of a list, or none. */
import { createServer, request } from "node:http";

/**
 * A fault is `{ status, headers, body }` as an answer, or where the connection is cut: "before" anything was done,
 * "after" it was done, `{ answer: n }` behind n bytes of the answer, `{ sent: n }` behind n bytes of the body.
 */
export async function hostile(target, faults) {
  const seen = [];
  const server = createServer((asked, answer) => {
    const fault = faults.shift();
    seen.push({ method: asked.method, url: asked.url, headers: asked.headers, fault });
    if (fault === "before") return asked.socket.destroy();
    if (fault?.status) {
      asked.resume();
      return answer.writeHead(fault.status, fault.headers).end(fault.body);
    }
    const headers = { ...asked.headers, host: new URL(target).host };
    const through = request(target + asked.url, { method: asked.method, headers });
    const end = () => {
      through.destroy();
      asked.socket.destroy();
    };
    // What was passed on arrives before the connection ends.
    const endSoon = () => setTimeout(end, 50);
    through.on("error", end);
    pass(asked, through, fault?.sent, endSoon);
    through.on("response", (found) => {
      if (fault === "after") return found.resume().on("end", end);
      answer.writeHead(found.statusCode, found.headers);
      pass(found, answer, fault?.answer, endSoon);
    });
    answer.on("close", () => through.destroy());
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    seen,
    close: () => (server.closeAllConnections(), server.close()),
  };
}

/** Hand on what comes, up to so many bytes. */
function pass(from, to, most, cut) {
  let passed = 0;
  from.on("data", (piece) => {
    const part = most === undefined ? piece : piece.subarray(0, most - passed);
    passed += part.length;
    to.write(part);
    if (passed < most || most === undefined) return;
    from.removeAllListeners("data").removeAllListeners("end").resume();
    cut();
  });
  from.on("end", () => to.end());
}
