import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from "fastify";
import type { Registry } from "prom-client";
import type { CoreClient } from "../rpc/client.ts";
import { systemClock } from "../shared/clock.ts";
import { newTraceId } from "../shared/ids.ts";
import type { Logger } from "../shared/logger.ts";
import { boundSilentConnections } from "../shared/silent-connections.ts";
import { createUnreadableRequests } from "../shared/unreadable-requests.ts";
import { adminCss } from "./pages/admin-css.ts";
import { indexHtml } from "./pages/index-html.ts";
import { problemReply, unreadableProblem } from "./problem-reply.ts";
import { refusal } from "./refusal.ts";
import { createTrustsHost } from "./request-origin.ts";
import { type Readiness, ready } from "./routes/ready.ts";
import { sandboxInbox } from "./routes/sandbox-inbox.ts";
import { sandboxMessages } from "./routes/sandbox-messages.ts";
import { sandboxParts } from "./routes/sandbox-parts.ts";
import { PAGE_CSP, setCommonHeaders } from "./security-headers.ts";

/** Values of the `curl` line in the empty inbox. */
export interface SendExample {
  /** Base of the public HTTP API. */
  readonly baseUrl: string;
  /** An address from which the account may send. */
  readonly sender: string;
}

export interface AdminServerOptions {
  readonly log: Logger;
  readonly version: string;
  /** `unknown` if the program was built without git. */
  readonly commit: string;
  readonly metrics: Pick<Registry, "contentType"> & { metrics(): Promise<string> };
  /** Names under which the port is served, in addition to localhost and IP addresses. */
  readonly hosts?: readonly string[] | undefined;
  /** Readiness of this process, with the result of each dependency check. */
  readonly readiness: () => Promise<Readiness>;
  /** Missing: no inbox, and no routes under /sandbox. */
  readonly sandbox?: CoreClient["sandbox"] | undefined;
  readonly example?: SendExample | undefined;
}

/** A request is refused when its head takes longer. */
const HEADERS_MS = 10_000;
const CHECK_MS = 5_000;

const EXAMPLE: SendExample = { baseUrl: "http://127.0.0.1:8080", sender: "hello@example.com" };

/**
 * The admin server: health, metrics and the sandbox inbox. It has no authentication, so it must listen on loopback
 * or on an address that only operators can reach. The returned server does not listen yet.
 */
export function createAdminServer(options: AdminServerOptions): FastifyInstance {
  const { log, sandbox, hosts = [] } = options;
  const trustsHost = createTrustsHost(hosts);
  const unreadable = createUnreadableRequests({
    clock: systemClock,
    problemOf: unreadableProblem,
    onAnswer: ({ code }, traceId) => log.debug({ code, sx_trace_id: traceId }, "admin request refused"),
  });
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    // The inbox polls, so a log line per request would hide all others.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newTraceId(new Date()),
    bodyLimit: 1024,
    requestTimeout: 30_000,
    http: {
      // Node's own response to a request without Host has no body.
      requireHostHeader: false,
      headersTimeout: HEADERS_MS,
      connectionsCheckingInterval: CHECK_MS,
    },
    clientErrorHandler: unreadable.answer,
    frameworkErrors: (error, request, reply) => problemReply(error, request, reply),
  });

  boundSilentConnections(app.server, {
    waitMs: HEADERS_MS + CHECK_MS,
  });
  unreadable.watch(app);
  app.addHook("onRequest", async (request, reply) => {
    setCommonHeaders(reply);
    if (!trustsHost(request.headers.host)) throw refusal("admin.host_refused");
  });
  app.setErrorHandler(problemReply);
  app.setNotFoundHandler(() => {
    throw refusal("admin.not_found");
  });

  app.register(indexPage({ hasSandbox: sandbox !== undefined }));
  app.register(health(options));
  app.register(ready(options.readiness));
  app.register(metricsText(options.metrics));
  if (sandbox) {
    app.register(sandboxInbox(options.example ?? EXAMPLE));
    app.register(sandboxMessages(sandbox));
    app.register(sandboxParts(sandbox));
  }
  return app;
}

/** GET /healthz: the process is alive. It does not check dependencies. */
function health({ version, commit }: Pick<AdminServerOptions, "version" | "commit">) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get("/healthz", async () => ({ status: "ok", version, commit }));
  };
}

/** GET /: index of this port; GET /admin.css: style of all pages. */
function indexPage({ hasSandbox }: { readonly hasSandbox: boolean }) {
  const page = indexHtml(hasSandbox);
  return async (app: FastifyInstance): Promise<void> => {
    app.get("/", async (_request, reply) =>
      reply.header("content-security-policy", PAGE_CSP).type("text/html; charset=utf-8").send(page),
    );
    app.get("/admin.css", async (_request, reply) => reply.type("text/css; charset=utf-8").send(adminCss));
  };
}

/** GET /metrics: the Prometheus text format. */
function metricsText(metrics: AdminServerOptions["metrics"]) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get("/metrics", async (_request, reply) =>
      reply.header("content-type", metrics.contentType).send(await metrics.metrics()),
    );
  };
}
