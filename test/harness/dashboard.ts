import type { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { Problem } from "../../contracts/common/problem.ts";
import { createRequestCollector, type RequestCollector } from "../../src/edge/request-collector.ts";
import { createEdgeServer, type EdgeServerOptions } from "../../src/edge/server.ts";
import { createByteBudget } from "../../src/shared/byte-budget.ts";
import { createLogger, type Logger } from "../../src/shared/logger.ts";
import { type Identity, type IdentityOptions, openIdentity } from "./identity.ts";
import { noHits } from "./no-hits.ts";

export interface DashboardOptions extends IdentityOptions {
  /** HERMOD_BASE_URL. */
  readonly baseUrl?: string;
  readonly trustedProxies?: readonly string[];
  /** Destination of its log; missing: none. */
  readonly log?: Logger;
  /** Called with each answer. */
  readonly onResponse?: EdgeServerOptions["onResponse"];
}

/** The dashboard's API on the areas of people and accounts, without a port. */
export interface Dashboard {
  readonly identity: Identity;
  readonly app: FastifyInstance;
  /** Its answers to API keys, for delivery to the core. */
  readonly requests: RequestCollector;
  /** Sends a request as a page of the dashboard does, and validates the answer against the contract. */
  ask(method: Method, path: string, asked?: Asked): Promise<DashboardAnswer>;
  close(): Promise<void>;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Asked {
  /** The session's token; missing: no session. */
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface DashboardAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asks for
  readonly body: any;
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly cookies: readonly {
    readonly name: string;
    readonly value: string;
    readonly [key: string]: unknown;
  }[];
}

export async function openDashboard({
  baseUrl,
  trustedProxies = [],
  log = createLogger("silent"),
  onResponse = () => undefined,
  ...options
}: DashboardOptions = {}): Promise<Dashboard> {
  const identity = await openIdentity(options);
  const requests = createRequestCollector({
    clock: identity.time.clock,
    send: (batch) => identity.frontEnd.requests.recordRequests(batch),
    onLeftOut: () => undefined,
  });
  const app = createEdgeServer({
    core: identity.frontEnd,
    clock: identity.time.clock,
    log,
    bodyMaxBytes: 1024 * 1024,
    budget: createByteBudget({ maxBytes: 16 * 1024 * 1024 }),
    keyCacheMs: 0,
    trustedProxies,
    baseUrl,
    validateResponses: true,
    requests,
    hits: noHits,
    onResponse,
  });
  return {
    identity,
    app,
    requests,
    ask: async (method, path, { token, body, headers = {} } = {}) => {
      const answer = await app.inject({
        method,
        url: path,
        headers: { host: "dashboard.test", "sec-fetch-site": "same-origin", ...headers },
        ...(token !== undefined && { cookies: { hermod: token } }),
        ...(body !== undefined && { payload: body as object }),
        payloadAsStream: true,
      });
      const type = String(answer.headers["content-type"]);
      const text = await readAnswer(answer.stream(), type.startsWith("text/event-stream"));
      const json = text === "" ? undefined : /\bjson\b/.test(type) ? JSON.parse(text) : text;
      return {
        status: answer.statusCode,
        body: json,
        problem: json as Problem,
        headers: answer.headers,
        cookies: answer.cookies,
      };
    },
    close: async () => {
      await app.close();
      await identity.close();
    },
  };
}

/** @param isEndless only the beginning is read */
async function readAnswer(stream: Readable, isEndless: boolean): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) {
    parts.push(Buffer.from(part));
    if (isEndless) break;
  }
  return Buffer.concat(parts).toString();
}
