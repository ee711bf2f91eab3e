import { connectCoreClient } from "../../dist/src/rpc/client.js";
import { startChild } from "./children.js";

const CORE_DEADLINE_MS = 20_000;

/** With this a program posts to a receiver on this machine. */
export const WITH_RECEIVER = { HERMOD_ALLOW_PRIVATE_DESTINATIONS: "true" };

/**
 * Creates an endpoint that subscribes to all events, at a receiver that accepts them all.
 * @param {import("./hermod.js").Hermod} hermod
 * @param {import("./clean-up.js").CleanUp} cleanUp
 */
export async function addEndpoint(hermod, cleanUp) {
  const { url } = await startChild("webhook-receiver", cleanUp).ask({});
  const core = connectCoreClient({ ...hermod.grpc, deadlineMs: CORE_DEADLINE_MS });
  await core.webhooks.createWebhook({ settings: { url: `${url}/taken/all` } });
  core.close();
}
