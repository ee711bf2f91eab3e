import { createAdminServer, type SendExample } from "../admin/server.ts";
import type { CoreClient } from "../rpc/client.ts";
import { listenHttp } from "./listen-http.ts";
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
  const { host, hosts, port } = config.admin;
  const app = createAdminServer({
    log,
    metrics: metrics.registry,
    hosts: [host, ...hosts],
    sandbox: parts.sandbox,
    example: parts.example,
    readiness: () => readiness(parts.checks),
  });
  return listenHttp(process, app, { name: "admin", setting: "HERMOD_ADMIN_PORT", host, port });
}

/** A probe that waits longer than its patience learns nothing. */
const CHECK_TIMEOUT_MS = 2_000;

async function readiness(checks: AdminParts["checks"]) {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]): Promise<[string, string]> => {
      try {
        await withinTime(check());
        return [name, "ok"];
      } catch (error) {
        return [name, error instanceof Error ? error.message : String(error)];
      }
    }),
  );
  return { ready: results.every(([, state]) => state === "ok"), checks: Object.fromEntries(results) };
}

/** @throws Error when there is no answer in time */
async function withinTime(check: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS);
  });
  await Promise.race([check, late]).finally(() => clearTimeout(timer));
}
