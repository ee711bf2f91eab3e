import type { CoreClient } from "../core/client.ts";
import { createEdgeServer } from "../edge/server.ts";
import { listenHttp } from "./listen-http.ts";
import type { Process } from "./process.ts";

/** The public HTTP API, listening. */
export async function composeEdge(process: Process, core: CoreClient): Promise<{ readonly port: number }> {
  const { config, clock, log, metrics } = process;
  const { HERMOD_HTTP_HOST: host, HERMOD_HTTP_PORT: port } = config;
  const app = createEdgeServer({
    core,
    clock,
    log,
    bodyMaxBytes: config.HERMOD_HTTP_BODY_MAX_BYTES,
    keyCacheMs: config.HERMOD_KEY_CACHE_MS,
    trustedProxies: config.HERMOD_TRUSTED_PROXIES,
    baseUrl: config.HERMOD_BASE_URL,
    validateResponses: config.HERMOD_VALIDATE_RESPONSES,
    onResponse: (method, route, status, seconds) => {
      metrics.httpRequests.inc({ method, route, status: String(status) });
      metrics.httpDuration.observe({ route }, seconds);
    },
  });
  return listenHttp(process, app, { name: "edge", setting: "HERMOD_HTTP_PORT", host, port });
}
