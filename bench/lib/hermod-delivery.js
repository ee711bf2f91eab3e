import path from "node:path";
import { databaseName, startHermod } from "./hermod.js";
import { messageBodies } from "./message.js";
import { routeToSink } from "./route-to-sink.js";
import { watchDelivery } from "./watch-delivery.js";

const LOAD_CONNECTIONS = 32;

/**
 * @typedef {import("./watch-delivery.js").Delivery} Delivery
 *
 * @typedef {object} HermodDelivery
 * @property {(connections: number, messages: number) => Promise<Delivery>} endToEnd
 * @property {(messages: number, skip: number) => Promise<Delivery>} drain
 * @property {() => Promise<void>} start every role, warmed up
 * @property {() => Promise<void>} stop
 * @property {import("./hermod.js").Hermod["readStore"]} readStore once it has stopped
 */

/**
 * A Hermod with a default policy that delivers to the sink.
 * @param {{
 *   directory: string,
 *   sink: import("./sink.js").Sink,
 *   signs: boolean,
 *   checkout?: string | undefined,
 *   load: import("./children.js").Child,
 *   warmUp?: number,
 *   quietWithinMs?: number,
 *   cleanUp: import("./clean-up.js").CleanUp,
 * }} options warmUp: messages before the first measurement; signs: with the two DKIM keys that `hermod domain add` makes; checkout: a folder with another build of it
 * @returns {Promise<HermodDelivery>}
 */
export async function prepareHermod({
  directory,
  sink,
  signs,
  checkout,
  load,
  warmUp = 1_000,
  quietWithinMs,
  cleanUp,
}) {
  const database = databaseName();
  const open = (/** @type {string} */ roles) =>
    startHermod({ roles, directory: path.join(directory, "data"), database, checkout, cleanUp });

  let hermod = await open("edge,core");
  await routeToSink({ hermod, port: sink.port, signs });
  await hermod.stop();

  const submit = async (/** @type {number} */ connections, /** @type {number} */ requests) => {
    const { sendUrl: url, apiKey, sender } = hermod;
    const demand = { url, apiKey, bodies: messageBodies(sender), connections, requests };
    const { failed, failures } = await load.ask(demand);
    if (failed > 0) throw new Error(`Hermod did not accept all: ${JSON.stringify(failures)}`);
  };
  const pids = () => [hermod.pid];
  const quiet = quietWithinMs === undefined ? {} : { quietWithinMs };

  async function endToEnd(/** @type {number} */ connections, /** @type {number} */ messages) {
    return watchDelivery({ sink, messages, pids, ...quiet, begin: () => submit(connections, messages) });
  }

  return {
    endToEnd,
    start: async () => {
      hermod = await open("all");
      await endToEnd(LOAD_CONNECTIONS, warmUp);
    },
    drain: async (messages, skip) => {
      hermod = await open("edge,core");
      await submit(LOAD_CONNECTIONS, messages);
      await hermod.stop();
      const begin = async () => {
        hermod = await open("all");
      };
      // The process that has ended counts for nothing, the new one from when the first messages have passed.
      return watchDelivery({ sink, messages, skip, pids, ...quiet, begin });
    },
    stop: () => hermod.stop(),
    readStore: (read) => hermod.readStore(read),
  };
}
