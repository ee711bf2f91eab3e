import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { MESSAGE_BYTES, RECIPIENT_DOMAIN } from "./message.js";

const FROM = "hello@example.com";

/**
 * @typedef {object} CrashLoad
 * @property {ReadonlySet<string>} acknowledged recipients of messages that were answered with 250
 * @property {ReadonlySet<string>} unanswered recipients of messages that were sent but never answered
 * @property {() => number} refused
 * @property {Promise<unknown>} ended the server is gone
 */

/**
 * Sends one message after the other over so many sessions, each to an address of its own, until the server is gone.
 * @param {{ port: number, sessions: number }} options
 * @returns {CrashLoad}
 */
export function startCrashLoad({ port, sessions }) {
  /** @type {Set<string>} */
  const acknowledged = new Set();
  /** @type {Set<string>} */
  const unanswered = new Set();
  let refused = 0;
  let sent = 0;

  async function session() {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    const closed = once(socket, "close").catch(() => undefined);
    const lines = createInterface({ input: socket })[Symbol.asyncIterator]();

    /** The last line of the answer to what was sent; undefined: the server is gone. */
    async function answer(/** @type {string} */ text) {
      if (text) socket.write(text);
      for (;;) {
        // The end of a connection comes as an error or not: it is the same here.
        const { done, value } = await lines.next().catch(() => ({ done: true, value: "" }));
        if (done) return undefined;
        if (value[3] !== "-") return value;
      }
    }

    await answer("");
    await answer("EHLO load.test\r\n");
    for (;;) {
      const address = `m${++sent}@${RECIPIENT_DOMAIN}`;
      await answer(`MAIL FROM:<${FROM}>\r\n`);
      await answer(`RCPT TO:<${address}>\r\n`);
      if ((await answer("DATA\r\n")) === undefined) break;
      unanswered.add(address);
      const reply = await answer(messageTo(address));
      if (reply === undefined) break;
      unanswered.delete(address);
      if (reply.startsWith("250")) acknowledged.add(address);
      else refused++;
    }
    socket.destroy();
    await closed;
  }

  const ended = Promise.all(Array.from({ length: sessions }, session));
  return { acknowledged, unanswered, refused: () => refused, ended };
}

/** @param {string} address */
function messageTo(address) {
  const head = `From: ${FROM}\r\nTo: ${address}\r\nMessage-ID: <${address}>\r\nSubject: Load\r\n\r\n`;
  const line = `${"x".repeat(70)}\r\n`;
  return `${head}${line.repeat(Math.ceil((MESSAGE_BYTES - head.length) / line.length))}.\r\n`;
}
