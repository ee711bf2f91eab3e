import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { SMTPServer } from "smtp-server";

/** Delay of each answer, so that some messages are always in flight when Hermod is killed. */
const ANSWER_AFTER_MS = 20;

/**
 * @typedef {object} CrashSink an SMTP server that knows what it has taken
 * @property {number} port
 * @property {ReadonlyMap<string, number>} arrived how many messages came, by recipient
 * @property {() => number} lastArrivalMs on the clock of `performance.now()`
 */

/**
 * @param {import("./clean-up.js").CleanUp} cleanUp
 * @returns {Promise<CrashSink>}
 */
export async function startCrashSink(cleanUp) {
  /** @type {Map<string, number>} */
  const arrived = new Map();
  let lastArrivalMs = 0;
  const sink = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    onData: (stream, session, done) => {
      stream.resume();
      stream.once("end", () => {
        lastArrivalMs = performance.now();
        for (const { address } of session.envelope.rcptTo)
          arrived.set(address, (arrived.get(address) ?? 0) + 1);
        void sleep(ANSWER_AFTER_MS).then(() => done());
      });
    },
  });
  sink.on("error", () => undefined);
  sink.listen(0, "127.0.0.1");
  await once(sink.server, "listening");
  cleanUp.defer(() => new Promise((resolve) => sink.close(() => resolve(undefined))));
  const { port } = /** @type {import("node:net").AddressInfo} */ (sink.server.address());
  return { port, arrived, lastArrivalMs: () => lastArrivalMs };
}
