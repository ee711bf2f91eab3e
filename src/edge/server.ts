import type { AppRoute } from "@ts-rest/core";
import { initServer, type RequestValidationError } from "@ts-rest/fastify";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from "fastify";
import { faultCodes } from "../../contracts/common/fault-codes.ts";
import { type Permission, permissionOf } from "../../contracts/common/permission.ts";
import { api } from "../../contracts/index.ts";
import { dashboardDocument, openApi30Document, openApiDocument } from "../../contracts/openapi.ts";
import type { CoreClient } from "../rpc/client.ts";
import { createAcceptanceLog } from "../shared/acceptance-log.ts";
import type { ByteBudget } from "../shared/byte-budget.ts";
import type { Clock } from "../shared/clock.ts";
import { type Fault, fault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import { newTraceId } from "../shared/ids.ts";
import type { Logger } from "../shared/logger.ts";
import type { TlsCertificate } from "../shared/server-tls.ts";
import { boundSilentConnections } from "../shared/silent-connections.ts";
import { STRICT_TRANSPORT_SECURITY } from "../shared/strict-transport-security.ts";
import { createUnreadableRequests } from "../shared/unreadable-requests.ts";
import { createAdmission } from "./admit.ts";
import { alertSources } from "./alert-sources/alert-sources.ts";
import { type AlertParts, alerts } from "./alerts.ts";
import { apiDocs } from "./api-docs.ts";
import { createAuthenticate } from "./authenticate.ts";
import { checkBodyHead, checkHost, expectContinue, leaveBody } from "./check-head.ts";
import { compressAnswers } from "./content-coding.ts";
import { createRequireSession } from "./dashboard/call.ts";
import { dashboard } from "./dashboard/dashboard.ts";
import { readCookies } from "./dashboard/session-cookie.ts";
import { dashboardPages, homePath, mailLinks } from "./dashboard-pages.ts";
import { type EmailParts, emails } from "./emails.ts";
import { fromFramework } from "./framework-faults.ts";
import { createHandshakes } from "./handshakes.ts";
import { heartbeatPings } from "./heartbeat-pings.ts";
import type { HitCollector } from "./hit-collector.ts";
import { boundHttp2Requests, isEventStream } from "./http2-requests.ts";
import { DEFAULT_TIMES, type HttpTimes, secureOptions, setUpSecureServer } from "./https.ts";
import { incidentLinks } from "./incidents.ts";
import { type IntelAreaParts, intel } from "./intel.ts";
import { newFastify } from "./new-fastify.ts";
import { notFound } from "./not-found.ts";
import { problemOf, replyWithProblem } from "./problem-reply.ts";
import { type ProviderNoticesOptions, providerNotices } from "./providers/providers.ts";
import { readJsonBodies } from "./read-json.ts";
import { referenceFrame } from "./reference-frame.ts";
import { reportLinks } from "./reports.ts";
import type { RequestCollector } from "./request-collector.ts";
import { createRequestLog } from "./request-log.ts";
import { senderLinks } from "./senders.ts";
import { trackingLinks } from "./tracking.ts";
import { unsubscribeLinks } from "./unsubscribes.ts";
import { fromContract } from "./validation-faults.ts";

/** The needs of the areas of the public API. */
export type AreaParts = EmailParts & AlertParts & IntelAreaParts;

/** The areas of the public API: a new one is a line here. */
export function areasOf(parts: AreaParts) {
  return { emails: emails(parts), alerts: alerts(parts), intel: intel(parts) };
}

/** All routes of the public API. */
const everyRoute: readonly AppRoute[] = Object.values(api).flatMap((area) => Object.values(area));

export interface EdgeServerOptions {
  readonly core: AreaParts["core"] &
    Pick<
      CoreClient,
      "bounces" | "keys" | "unsubscribes" | "senders" | "incidents" | "heartbeats" | "reports" | "onBehalfOf"
    >;
  readonly clock: Clock;
  readonly log: Logger;
  readonly bodyMaxBytes: number;
  /** For the bytes of bodies that are in memory. */
  readonly budget: ByteBudget;
  /** How long the answer about a key may come from memory. */
  readonly keyCacheMs: number;
  /** Proxies with a trusted X-Forwarded-For: addresses or CIDR ranges. */
  readonly trustedProxies: readonly string[];
  /** Where clients reach the API, for the OpenAPI document; undefined: wherever it was fetched from. */
  readonly baseUrl: string | undefined;
  /** The certificate of HTTPS; undefined: the port speaks plain HTTP. */
  readonly tls?: TlsCertificate | undefined;
  /** Shorter ones, for tests. */
  readonly times?: Partial<HttpTimes>;
  /** Checks answers against the contract: for tests. */
  readonly validateResponses: boolean;
  /** Receives every answered request with an existing key. */
  readonly requests: Pick<RequestCollector, "add">;
  /** How providers of upstream relays are heard; missing: none is. */
  readonly providers?: Omit<ProviderNoticesOptions, "core"> | undefined;
  /** Receives opens and clicks. */
  readonly hits: Pick<HitCollector, "tokens" | "add">;
  /** @param seconds undefined: the answer lasted as long as its reader wanted, and says nothing of Hermod */
  readonly onResponse: (method: string, route: string, status: number, seconds: number | undefined) => void;
}

/** Above the longest token of a tracked link. */
const MAX_PARAM_LENGTH = 3_000;
const NOT_ENCRYPTED = say("port_speaks_https_not_http");

/** The public HTTP API: reads requests, calls the core, writes answers. Holds no state. */
export function createEdgeServer(options: EdgeServerOptions): FastifyInstance {
  const { core, clock, log, tls } = options;
  const times = { ...DEFAULT_TIMES, ...options.times };
  const unreadable = createUnreadableRequests({
    clock,
    problemOf: (failed, traceId) => problemOf(failed, { instance: "", traceId }),
    onAnswer: ({ code, public: reason }, traceId) => {
      const status = faultCodes[code].http;
      options.onResponse("unknown", "unknown", status, 0);
      log.info({ status, code, traceId, reason }, "request refused");
    },
  });
  const handshakes = createHandshakes({
    refusePlain: (socket) => unreadable.refuse(socket, fault("request.malformed", { public: NOT_ENCRYPTED })),
    log,
  });
  const app = newFastify(tls && secureOptions(tls, times), times, {
    logger: false,
    clientErrorHandler: (error, socket) => {
      if (!handshakes.onError(error, socket)) unreadable.answer(error, socket);
    },
    bodyLimit: options.bodyMaxBytes,
    connectionTimeout: times.silenceMs,
    keepAliveTimeout: times.keepAliveMs,
    requestTimeout: times.requestMs,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    genReqId: () => newTraceId(clock.now()),
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    return503OnClosing: false,
    forceCloseConnections: "idle",
    // A path that cannot be decoded reaches no handler of ours.
    frameworkErrors: (_error, request, reply) => {
      const failed = fault("request.not_found", { public: say("path_cannot_decoded") });
      setCommonHeaders(request as FastifyRequest, reply as FastifyReply);
      requestLog.refused(request as FastifyRequest, failed);
      leaveBody(request as FastifyRequest, reply as FastifyReply);
      replyWithProblem(request as FastifyRequest, reply as FastifyReply, failed, request.id);
    },
  });
  const requestLog = createRequestLog(log, options.requests);
  app.decorateRequest("submitted", null);
  app.decorateRequest("bodyBytes", 0);
  readJsonBodies(app);
  boundSilentConnections(app.server, {
    waitMs: times.handshakeMs + times.headersMs + times.checkMs,
  });
  if (tls) {
    setUpSecureServer(app, { times, handshakes, log });
    boundHttp2Requests(app, times.requestMs);
  }
  unreadable.watch(app);
  app.addHook("preParsing", checkBodyHead);
  expectContinue(app);
  app.addHook("onRequest", (request, reply, done) => done(checkHost(request, reply)));

  // The body of a request for an unknown path is not read.
  app.addHook("onRequest", (request, reply, done) =>
    done(request.is404 ? notFound(request, reply) : undefined),
  );
  app.addHook("onSend", (request, reply, payload, done) => {
    setCommonHeaders(request, reply);
    done(null, payload);
  });
  app.addHook("onResponse", (request, reply, done) => {
    // Node.js emits `finish` for an HTTP/2 response without a waiting client.
    if (!reply.raw.headersSent) return done();
    const route = request.routeOptions.url ?? "unknown";
    const seconds = isEventStream(reply) ? undefined : reply.elapsedTime / 1000;
    options.onResponse(request.method, route, reply.statusCode, seconds);
    requestLog.answered(request, reply);
    done();
  });

  app.setErrorHandler(async (thrown: FastifyError, request, reply) => {
    const failed = fromFramework(thrown);
    await answer(request, reply, failed);
    return reply;
  });
  app.setNotFoundHandler(async (request, reply) => {
    throw notFound(request, reply);
  });

  function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
    reply.header("x-content-type-options", "nosniff");
    if (!reply.hasHeader("cache-control")) reply.header("cache-control", "no-store");
    // A trusted proxy says what its client speaks.
    const isHttps = tls !== undefined || request.protocol === "https";
    if (isHttps) reply.header("strict-transport-security", STRICT_TRANSPORT_SECURITY);
  }

  async function answer(request: FastifyRequest, reply: FastifyReply, thrown: Fault): Promise<void> {
    const failed = publicly(thrown);
    if (failed.code === "internal.error") {
      log.error({ err: failed.cause ?? failed, traceId: request.id }, "unexpected fault");
    }
    requestLog.refused(request, failed);
    leaveBody(request, reply);
    replyWithProblem(request, reply, failed, request.id);
  }

  async function refuseInvalid(
    invalid: RequestValidationError,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    await answer(request, reply, fromContract(invalid));
    return reply;
  }

  /** A wrong token of this process is a problem for the operator. Clients learn only that they must wait. */
  function publicly(thrown: Fault): Fault {
    if (thrown.code !== "auth.caller_invalid" && thrown.code !== "auth.caller_forbidden") return thrown;
    log.error({ code: thrown.code }, "the core does not accept this process's token for front ends");
    return fault("core.unavailable", { cause: thrown });
  }

  const authenticate = createAuthenticate({ core, cacheMs: options.keyCacheMs });
  app.register(async (scope) => {
    const s = initServer();
    const admission = createAdmission({
      authenticate,
      budget: options.budget,
      bodyMaxBytes: options.bodyMaxBytes,
      clock,
    });
    const permissions = new Map<string, Permission>(
      everyRoute.map((route) => [`${route.method} ${route.path}`, permissionOf(route)]),
    );
    admission.prepare(scope);
    compressAnswers(scope);
    scope.addHook("onRequest", async (request, reply) => {
      // Fastify answers HEAD where there is GET.
      const method = request.method === "HEAD" ? "GET" : request.method;
      const permission = permissions.get(`${method} ${request.routeOptions.url}`);
      if (!permission) throw fault("internal.error", { internal: `${request.url} declares no permission` });
      await admission.admit(request, reply, permission);
      // It has done its part, and is no parameter of any operation.
      delete (request.query as { api_key?: unknown }).api_key;
    });
    scope.addHook("preParsing", (request, _reply, payload, done) =>
      done(null, admission.counted(request, payload) as RequestPayload),
    );
    const onAccepted = createAcceptanceLog(log);
    const areas = areasOf({ core, holding: admission.holding, onAccepted });
    scope.register(s.plugin(s.router(api, areas)), {
      logInitialization: false,
      responseValidation: options.validateResponses,
      requestValidationErrorHandler: refuseInvalid,
    });
  });
  app.register(dashboard, {
    core,
    baseUrl: options.baseUrl,
    keyBodyMaxBytes: options.bodyMaxBytes,
    budget: options.budget,
    clock,
    validateResponses: options.validateResponses,
    onInvalid: refuseInvalid,
  });
  app.register(dashboardPages, { baseUrl: options.baseUrl });
  app.register(referenceFrame);
  app.register(alertSources, { core, authenticate, budget: options.budget, clock });
  app.register(heartbeatPings, { core, authenticate });
  app.register(mailLinks);
  app.register(incidentLinks, { core, validateResponses: options.validateResponses });
  app.register(reportLinks, { core, validateResponses: options.validateResponses });
  app.register(senderLinks, { core, validateResponses: options.validateResponses });
  if (options.providers) app.register(providerNotices, { core, ...options.providers });
  app.register(trackingLinks, { hits: options.hits });
  app.register(unsubscribeLinks, { core, validateResponses: options.validateResponses });
  app.register(async (scope) => {
    const serverUrl = options.baseUrl ?? "/";
    await readCookies(scope);
    await apiDocs(scope, {
      documentAt: (now) => openApiDocument({ serverUrl, now }),
      openApi30At: (now) => openApi30Document({ serverUrl, now }),
      dashboardDocument: () => dashboardDocument({ serverUrl }),
      requireSession: createRequireSession(core, options.baseUrl),
      clock,
      homePath: homePath(),
    });
  });
  return app;
}
