import { createExposition, type ThreadMetrics } from "../admin/metrics.ts";
import { createAdminServer, type SendExample } from "../admin/server.ts";
import { commit, version } from "../config.ts";
import type { CoreClient } from "../rpc/client.ts";
import { listenHttp } from "./listen-http.ts";
import type { Process } from "./process.ts";
import { type Checks, readiness } from "./readiness.ts";

export interface AdminParts {
  readonly sandbox: CoreClient["sandbox"] | undefined;
  readonly example: SendExample | undefined;
  readonly checks: Checks;
  /** Metrics of the other threads. */
  readonly otherMetrics: () => Promise<readonly ThreadMetrics[]>;
}

/** Opens the admin port. */
export async function composeAdmin(process: Process, parts: AdminParts): Promise<{ readonly port: number }> {
  const { config, log, metrics } = process;
  const { host, hosts, port } = config.admin;
  const threads = async () => {
    // They come first, because the metrics of this thread include the silent threads.
    const others = await parts.otherMetrics();
    return [await metrics.registry.getMetricsAsJSON(), ...others];
  };
  const app = createAdminServer({
    log,
    version,
    commit,
    metrics: createExposition(threads),
    hosts: [host, ...hosts],
    sandbox: parts.sandbox,
    example: parts.example,
    readiness: () => readiness(parts.checks),
  });
  return listenHttp(process, app, { name: "admin", setting: "HERMOD_ADMIN_PORT", host, port });
}
