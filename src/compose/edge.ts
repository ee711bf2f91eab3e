import type { CoreClient } from "../core/client.ts";
import { createEdgeServer } from "../edge/server.ts";
import { listenError } from "../shared/startup-error.ts";
import type { Process } from "./process.ts";

/** The public HTTP API, listening. */
export async function composeEdge(process: Process, core: CoreClient): Promise<{ readonly port: number }> {
  const { config, clock, log, lifecycle, metrics } = process;
  const { HERMOD_HTTP_HOST: host, HERMOD_HTTP_PORT: wanted } = config;
  const app = createEdgeServer({
    core,
    clock,
    log,
    bodyMaxBytes: config.HERMOD_HTTP_BODY_MAX_BYTES,
    trustedProxies: config.HERMOD_TRUSTED_PROXIES,
    baseUrl: config.HERMOD_BASE_URL,
    validateResponses: config.HERMOD_VALIDATE_RESPONSES,
    onResponse: (method, route, status, seconds) => {
      metrics.httpRequests.inc({ method, route, status: String(status) });
      metrics.httpDuration.observe({ route }, seconds);
    },
  });
  try {
    await app.listen({ host, port: wanted });
  } catch (error) {
    throw listenError("HERMOD_HTTP_PORT", host, wanted, error);
  }
  lifecycle.defer("edge", async () => {
    // A client that never finishes its request must not hold the process for longer than anything else may.
    const force = setTimeout(() => app.server.closeAllConnections(), config.HERMOD_DRAIN_MS);
    await app.close();
    clearTimeout(force);
  });
  const address = app.server.address();
  return { port: typeof address === "object" && address ? address.port : wanted };
}
