import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { SendEmailResponse } from "../../gen/hermod/email/v1/email_service_pb.ts";
import { createEdgeServer, type EdgeServerOptions } from "../../src/edge/server.ts";
import { listenHttp } from "../../src/roles/listen-http.ts";
import type { Process } from "../../src/roles/process.ts";
import { type ByteBudget, createByteBudget } from "../../src/shared/byte-budget.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { type IssuedCertificate, issueCertificate } from "../../src/shared/issue-certificate.ts";
import { createLifecycle } from "../../src/shared/lifecycle.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { newSecret } from "../../src/shared/secrets.ts";
import { noHits } from "./no-hits.ts";
import { createSignal, type Signal } from "./signal.ts";

export interface TestEdgeOptions extends Partial<Pick<EdgeServerOptions, "times" | "trustedProxies">> {
  readonly isSecure?: boolean;
  readonly maxBytes?: number;
  readonly bodyMaxBytes?: number;
  /** Checks keys; missing: every key is valid. */
  readonly checkKey?: (apiKey: string) => Promise<{ readonly accountId: string }>;
  /** Submissions wait until the test releases them with `atWork`. */
  readonly holds?: boolean;
}

interface Submission {
  readonly clientAddress?: string;
  readonly idempotencyKey?: string;
}

/** The public HTTP API in this process, on a core that accepts everything and stores nothing. */
export interface TestEdge {
  readonly app: FastifyInstance;
  readonly port: number;
  readonly url: string;
  /** PEM certificate of the trusted authority. */
  readonly ca: string;
  /** A well-formed key. */
  readonly key: string;
  readonly budget: ByteBudget;
  /** Client addresses of key checks by the core. */
  readonly judged: Signal<string>;
  /** Submissions that arrived at the core. */
  readonly begun: Signal<Submission>;
  /** Functions that release waiting submissions. */
  readonly atWork: (() => void)[];
  /** Method, route and status of each answer. */
  readonly answered: Signal<string>;
  /** Incoming connections, below TLS. */
  readonly connections: Signal<Socket>;
  /** Shuts down like a process with this time for pending work. */
  drain(drainMs: number): Promise<void>;
  close(): Promise<void>;
}

const MB = 1024 * 1024;

export function certificateFor(subject: string): IssuedCertificate {
  return issueCertificate({ subject, names: ["localhost"], addresses: ["127.0.0.1"] });
}

export async function startTestEdge(options: TestEdgeOptions = {}): Promise<TestEdge> {
  const { isSecure = true, maxBytes = 4 * MB, bodyMaxBytes = 3 * MB, holds = false } = options;
  const { checkKey = async () => ({ accountId: "acme" }) } = options;
  const certificate = certificateFor("edge.test");
  const budget = createByteBudget({ maxBytes });
  const begun: TestEdge["begun"] = createSignal();
  const judged: Signal<string> = createSignal();
  const answered: Signal<string> = createSignal();
  const connections: Signal<Socket> = createSignal();
  const atWork: (() => void)[] = [];
  const core = {
    keys: {
      checkKey: async ({ apiKey = "", clientAddress = "" }) => {
        judged.tell(clientAddress);
        return { keyId: apiKey, ...(await checkKey(apiKey)) };
      },
    },
    sendEmail: (submission: Submission) =>
      new Promise<SendEmailResponse>((resolve) => {
        const answer = { messageId: "msg", traceId: "sx", status: "queued", recipient: "", notDelivered: [] };
        atWork.push(() => resolve({ ...answer, rateLimits: [] } as unknown as SendEmailResponse));
        begun.tell(submission);
        if (!holds) atWork.shift()?.();
      }),
  } as unknown as EdgeServerOptions["core"];
  const app = createEdgeServer({
    core,
    clock: systemClock,
    log: createLogger("silent"),
    bodyMaxBytes,
    budget,
    keyCacheMs: 0,
    trustedProxies: options.trustedProxies ?? [],
    baseUrl: undefined,
    tls: isSecure ? { cert: Buffer.from(certificate.pem), key: Buffer.from(certificate.keyPem) } : undefined,
    ...(options.times && { times: options.times }),
    validateResponses: false,
    requests: { add: () => undefined },
    hits: noHits,
    onResponse: (method, route, status) => answered.tell(`${method} ${route} ${status}`),
  });
  app.server.on("connection", connections.tell);
  const lifecycle = createLifecycle(createLogger("silent"));
  const at = { name: "edge", setting: "HERMOD_HTTP_PORT", host: "127.0.0.1", port: 0 };
  const { port } = await listenHttp({ lifecycle } as Process, app, at);
  return {
    app,
    port,
    url: `${isSecure ? "https" : "http"}://127.0.0.1:${port}`,
    ca: certificate.pem,
    key: newSecret("live"),
    budget,
    judged,
    begun,
    atWork,
    answered,
    connections,
    drain: (drainMs) => lifecycle.close(drainMs),
    close: async () => {
      for (const answer of atWork) answer();
      await lifecycle.close(0);
    },
  };
}
