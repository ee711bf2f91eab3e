import { once } from "node:events";
import { connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A port that nothing listens on just now. */
export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  server.close();
  await once(server, "close");
  return port;
}

/**
 * Until a server on loopback takes connections.
 * @param {number} port
 * @param {number} [timeoutMs]
 */
export async function untilListening(port, timeoutMs = 20_000) {
  const deadline = Date.now() + timeoutMs;
  while (!(await accepts(port))) {
    if (Date.now() > deadline) throw new Error(`Nothing listens on port ${port}.`);
    await sleep(50);
  }
}

/**
 * Until an SMTP server on loopback says 220: some listen before they can serve.
 * @param {number} port
 * @param {number} [timeoutMs]
 */
export async function untilGreeting(port, timeoutMs = 60_000) {
  const deadline = Date.now() + timeoutMs;
  while (!(await greets(port))) {
    if (Date.now() > deadline) throw new Error(`Nothing serves SMTP on port ${port}.`);
    await sleep(100);
  }
}

/** @param {number} port */
function greets(port) {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("data", (data) => {
      socket.end("QUIT\r\n");
      resolve(data.toString("latin1").startsWith("220"));
    });
    socket.once("error", () => resolve(false));
    socket.once("close", () => resolve(false));
  });
}

/** @param {number} port */
function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
