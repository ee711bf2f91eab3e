import { createEdgeServer } from "../edge/server.ts";
import type { CoreClient } from "../rpc/client.ts";
import { composeByteBudget, hasRoom, maxBytesInFlight } from "./byte-budget.ts";
import { listenHttp } from "./listen-http.ts";
import type { Process } from "./process.ts";
import { watchAnswers } from "./watch-answers.ts";

export interface RunningEdge {
  readonly port: number;
  /** For /readyz: each rejects while submissions fare badly here. */
  readonly checks: {
    /** Small ones are turned away for want of room. */
    readonly room: () => Promise<void>;
    /** The core does not answer them in time. */
    readonly answers: () => Promise<void>;
  };
}

/** The public HTTP API, listening. */
export async function composeEdge(process: Process, core: CoreClient): Promise<RunningEdge> {
  const { config, clock, log, metrics } = process;
  const { host, port } = config.http;
  const budget = composeByteBudget(process, "edge");
  const answers = watchAnswers(core, clock);
  const app = createEdgeServer({
    core: { ...core, sendEmail: answers.sendEmail },
    clock,
    log,
    bodyMaxBytes: bodyMaxBytes(process),
    budget,
    keyCacheMs: config.cacheMs,
    trustedProxies: config.http.trustedProxies,
    baseUrl: config.http.baseUrl,
    validateResponses: config.http.validateResponses,
    onResponse: (method, route, status, seconds) => {
      metrics.httpRequests.inc({ method, route, status: String(status) });
      metrics.httpDuration.observe({ route }, seconds);
    },
  });
  const listening = await listenHttp(process, app, { name: "edge", setting: "HERMOD_HTTP_PORT", host, port });
  return { ...listening, checks: { room: hasRoom(budget), answers: answers.inTime } };
}

/** A body that does not fit into the memory there is would never find room: its sender is told that it is too large. */
function bodyMaxBytes({ config, log }: Process): number {
  const { bodyMaxBytes: wanted } = config.http;
  const fitting = maxBytesInFlight(config);
  if (fitting >= wanted) return wanted;
  log.warn(
    { bytes: fitting },
    "HERMOD_HTTP_BODY_MAX_BYTES does not fit into this process's memory: larger bodies than this are refused",
  );
  return fitting;
}
