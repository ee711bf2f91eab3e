import { connectCoreClient } from "../../dist/src/rpc/client.js";

/** Deliveries to one server at once: Postfix's default, so that both may do the same. */
const CONNECTIONS_TO_SINK = 20;
const CORE_DEADLINE_MS = 20_000;

/** Policy of the measurements. */
export const SINK_POLICY = `default policy: smtp, tls none, max_connections ${CONNECTIONS_TO_SINK}`;

/**
 * Makes a policy that leads to a sink the default one.
 * @param {{ hermod: import("./hermod.js").Hermod, port: number, signs?: boolean }} options
 *   signs: with the two DKIM keys that `hermod domain add` makes
 */
export async function routeToSink({ hermod, port, signs = false }) {
  const core = connectCoreClient({ ...hermod.grpc, deadlineMs: CORE_DEADLINE_MS });
  const smtp = { servers: [{ host: "127.0.0.1", port }], tls: "none", maxConnections: CONNECTIONS_TO_SINK };
  const transports = [{ kind: { case: /** @type {const} */ ("smtp"), value: smtp } }];
  await core.policies.putPolicy({ policy: { name: "to-sink", default: true, transports } });
  if (signs) await core.domains.addDomain({ domain: hermod.sender.split("@")[1] ?? "" });
  core.close();
}
