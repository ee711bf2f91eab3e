import { mkdirSync } from "node:fs";
import path from "node:path";
import { installHaraka, startHaraka } from "../peers/haraka.js";
import { requirePostfix, startPostfix } from "../peers/postfix.js";
import { installZoneMta, startZoneMta } from "../peers/zonemta.js";
import { startRelayingHermod } from "./hermod-relay.js";
import { SINK_POLICY } from "./route-to-sink.js";
import { makeRunDirectory } from "./run-directory.js";

/**
 * @typedef {object} Relay a server that takes mail on loopback without TLS or a password, and sends it on to the sink
 * @property {number} port
 * @property {() => readonly number[]} pids
 * @property {() => Promise<void>} stop
 *
 * @typedef {object} RelaySubject
 * @property {string} name
 * @property {string} settings what it runs with
 * @property {() => Promise<Relay>} starts again, with an empty store
 */

/**
 * Hermod, and those of the peers that can be had.
 * @param {{
 *   peers: readonly string[],
 *   parent: string | undefined,
 *   sinkPort: number,
 *   against: string | undefined,
 *   profile: string | undefined,
 *   mongodb: string | undefined,
 *   cleanUp: import("./clean-up.js").CleanUp,
 * }} options parent: where data may lie; against: a folder with another build of Hermod; profile: a folder for CPU profiles of Hermod; mongodb: for ZoneMTA
 * @returns {RelaySubject[]}
 */
export function relaySubjects({ peers, parent, sinkPort, against, profile, mongodb, cleanUp }) {
  // A folder each time; not inside another one, which would be closed to the users that Postfix runs under.
  const anew = () => ({ directory: makeRunDirectory(parent, cleanUp), sinkPort, cleanUp });
  const packages = (/** @type {string} */ name) => {
    const directory = path.join(makeRunDirectory(parent, cleanUp), name);
    mkdirSync(directory);
    return directory;
  };

  /** @type {Readonly<Record<string, () => RelaySubject>>} */
  const preparations = {
    postfix: () => {
      requirePostfix();
      const settings = "Debian's defaults, relayhost: the sink";
      return { name: "Postfix", settings, start: () => startPostfix({ ...anew(), signs: false }) };
    },
    haraka: () => {
      const haraka = installHaraka(packages("haraka"));
      const settings = "its defaults; one plugin: relay all to the sink";
      return { name: "Haraka", settings, start: () => startHaraka({ haraka, ...anew() }) };
    },
    zonemta: () => {
      const zoneMta = installZoneMta(packages("zone-mta"), mongodb);
      const settings =
        "20 connections, its limit for each domain lifted; without its MongoDB's CPU and memory";
      return { name: "ZoneMTA", settings, start: () => startZoneMta({ ...zoneMta, ...anew() }) };
    },
  };

  /** @type {RelaySubject[]} */
  const subjects = [
    { name: "Hermod", settings: SINK_POLICY, start: () => startRelayingHermod({ ...anew(), profile }) },
  ];
  if (against) {
    const start = () => startRelayingHermod({ ...anew(), checkout: against });
    subjects.push({ name: `Hermod of ${against}`, settings: SINK_POLICY, start });
  }
  for (const peer of peers.filter((name) => name !== "none")) {
    const prepare = preparations[peer];
    if (!prepare) throw new Error(`--peers: there is no "${peer}".`);
    try {
      subjects.push(prepare());
    } catch (error) {
      console.error(`without ${peer}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return subjects;
}
