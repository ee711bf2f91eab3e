import path from "node:path";
import { databaseName, startHermod } from "./hermod.js";
import { routeToSink } from "./route-to-sink.js";

/** Plain SMTP, as the others speak it here. */
const SETTINGS = { HERMOD_SMTP_INSECURE_LOOPBACK: "true" };

/**
 * A Hermod with every role and a default policy that delivers to the sink.
 * @param {{
 *   directory: string,
 *   sinkPort: number,
 *   checkout?: string | undefined,
 *   profile?: string | undefined,
 *   cleanUp: import("./clean-up.js").CleanUp,
 * }} options checkout: a folder with another build of it; profile: a folder for CPU profiles of all its threads
 * @returns {Promise<import("./relay-subjects.js").Relay & {
 *   kill: () => Promise<void>,
 *   again: () => Promise<import("./hermod.js").Hermod>,
 * }>} again: starts it once more, on the same data
 */
export async function startRelayingHermod({ directory, sinkPort, checkout, profile, cleanUp }) {
  const options = {
    directory: path.join(directory, "data"),
    database: databaseName(),
    settings: SETTINGS,
    checkout,
    cleanUp,
  };
  const first = await startHermod({ ...options, roles: "edge,core" });
  await routeToSink({ hermod: first, port: sinkPort });
  await first.stop();
  const again = () => startHermod({ ...options, roles: "all", profile });
  const hermod = await again();
  return { port: hermod.smtpPort, pids: () => [hermod.pid], stop: hermod.stop, kill: hermod.kill, again };
}
