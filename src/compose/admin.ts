import { createAdminServer, type SendExample } from "../admin/server.ts";
import type { CoreClient } from "../core/client.ts";
import { listenError } from "../shared/startup-error.ts";
import { drainHttp } from "./drain-http.ts";
import type { Process } from "./process.ts";

export interface AdminParts {
  readonly sandbox: CoreClient["sandbox"] | undefined;
  readonly example: SendExample | undefined;
  /** Each thing that this process depends on; rejects while it is away. */
  readonly checks: Readonly<Record<string, () => Promise<void>>>;
}

/** The admin port, listening. */
export async function composeAdmin(process: Process, parts: AdminParts): Promise<{ readonly port: number }> {
  const { config, log, metrics } = process;
  const { HERMOD_ADMIN_HOST: host, HERMOD_ADMIN_PORT: wanted } = config;
  const app = createAdminServer({
    log,
    metrics: metrics.registry,
    sandbox: parts.sandbox,
    example: parts.example,
    readiness: () => readiness(parts.checks),
  });
  drainHttp(process, "admin", app);
  try {
    await app.listen({ host, port: wanted });
  } catch (error) {
    throw listenError("HERMOD_ADMIN_PORT", host, wanted, error);
  }
  const address = app.server.address();
  return { port: typeof address === "object" && address ? address.port : wanted };
}

async function readiness(checks: AdminParts["checks"]) {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]): Promise<[string, string]> => {
      try {
        await check();
        return [name, "ok"];
      } catch (error) {
        return [name, error instanceof Error ? error.message : String(error)];
      }
    }),
  );
  return { ready: results.every(([, state]) => state === "ok"), checks: Object.fromEntries(results) };
}
