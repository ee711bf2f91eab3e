import http from "node:http";
import { serveParent } from "../lib/serve-parent.js";

/**
 * Receives webhooks: at `/taken/…` it answers 204, at `/refused/…` 500, at `/hanging/…` nothing. Asked, it says where it is
 * and what has come since it was asked last.
 */

const server = http.createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const [, kind = ""] = request.url?.split("/") ?? [];
  request.resume().on("end", () => {
    const now = performance.now();
    heard.firstMs ??= now;
    if (kind === "taken") {
      heard.taken++;
      heard.lastMs = now;
    } else heard.others++;
    if (kind !== "hanging") response.writeHead(kind === "taken" ? 204 : 500).end();
  });
});

const none = { taken: 0, others: 0, firstMs: /** @type {number | undefined} */ (undefined), lastMs: 0 };
let heard = { ...none };
const listening = new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));

serveParent(async ({ reset }) => {
  await listening;
  const address = server.address();
  const { port } = /** @type {import("node:net").AddressInfo} */ (address);
  const answer = { url: `http://127.0.0.1:${port}`, ...heard };
  if (reset) heard = { ...none };
  return answer;
});
