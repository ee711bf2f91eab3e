import type { AppRoute } from "@ts-rest/core";
import { initServer, type RequestValidationError } from "@ts-rest/fastify";
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from "fastify";
import { type SessionAccess, sessionRouteOf } from "../../../contracts/common/session-access.ts";
import { dashboard as contract } from "../../../contracts/index.ts";
import type { ByteBudget } from "../../shared/byte-budget.ts";
import type { Clock } from "../../shared/clock.ts";
import { Fault, fault } from "../../shared/fault.ts";
import { createAdmission } from "../admit.ts";
import { readApiKey } from "../read-api-key.ts";
import { accounts } from "./accounts.ts";
import { audits } from "./audits.ts";
import { createCoreFor, type DashboardParts, inRequestNames } from "./call.ts";
import { checks } from "./checks.ts";
import { counters } from "./counters.ts";
import { deliveries } from "./deliveries.ts";
import { domains } from "./domains.ts";
import { erasures } from "./erasures.ts";
import { createEventStreams } from "./event-streams.ts";
import { factors } from "./factors.ts";
import { FileBody } from "./file-download.ts";
import { heartbeats } from "./heartbeats.ts";
import { incidents } from "./incidents.ts";
import { insights } from "./insights.ts";
import { installation } from "./installation.ts";
import { invitations } from "./invitations.ts";
import { jobs } from "./jobs.ts";
import { keys } from "./keys.ts";
import { labels } from "./labels.ts";
import { type LiveParts, live } from "./live.ts";
import { createMailReader, type MailParts } from "./mail-reader.ts";
import { members } from "./members.ts";
import { messages } from "./messages.ts";
import { oncalls } from "./oncalls.ts";
import { policies } from "./policies.ts";
import { reports } from "./reports.ts";
import { requests } from "./requests.ts";
import { rules } from "./rules.ts";
import { checkSameOrigin } from "./same-origin.ts";
import { sandbox } from "./sandbox.ts";
import { schedules } from "./schedules.ts";
import { senders } from "./senders.ts";
import { createSessionCookie, readCookies } from "./session-cookie.ts";
import { sessions } from "./sessions.ts";
import { silences } from "./silences.ts";
import { suppressions } from "./suppressions.ts";
import { targets } from "./targets.ts";
import { templates } from "./templates.ts";
import { users } from "./users.ts";
import { watches } from "./watches.ts";
import { webhooks } from "./webhooks.ts";
import { workspaces } from "./workspaces.ts";

/** The areas of the dashboard's API: a new one is a line here. */
export function areasOf(parts: LiveParts & MailParts) {
  return {
    sessions: sessions(parts),
    users: users(parts),
    factors: factors(parts),
    accounts: accounts(parts),
    members: members(parts),
    invitations: invitations(parts),
    keys: keys(parts),
    audits: audits(parts),
    counters: counters(parts),
    requests: requests(parts),
    jobs: jobs(parts),
    senders: senders(parts),
    domains: domains(parts),
    messages: messages(parts),
    live: live(parts),
    policies: policies(parts),
    templates: templates(parts),
    suppressions: suppressions(parts),
    erasures: erasures(parts),
    sandbox: sandbox(parts),
    webhooks: webhooks(parts),
    deliveries: deliveries(parts),
    rules: rules(parts),
    reports: reports(parts),
    labels: labels(parts),
    checks: checks(parts),
    schedules: schedules(parts),
    silences: silences(parts),
    oncalls: oncalls(parts),
    targets: targets(parts),
    heartbeats: heartbeats(parts),
    incidents: incidents(parts),
    workspaces: workspaces(parts),
    watches: watches(parts),
    insights: insights(parts),
    installation: installation(parts),
  };
}

/** All routes of the dashboard's API. */
const dashboardRoutes: readonly AppRoute[] = Object.values(contract).flatMap((area) => Object.values(area));

export interface DashboardOptions extends Pick<DashboardParts, "core"> {
  /** Where browsers reach this installation; undefined: under whatever host they name. */
  readonly baseUrl: string | undefined;
  /** Largest body of a request with an API key; sessions have a limit of their own. */
  readonly keyBodyMaxBytes: number;
  readonly budget: ByteBudget;
  readonly clock: Clock;
  readonly validateResponses: boolean;
  readonly onInvalid: (
    invalid: RequestValidationError,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<unknown>;
}

/** Templates are the largest that anybody sends here. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** Maximum body of an unauthenticated request. */
const MAX_UNAUTHENTICATED_BODY_BYTES = 16 * 1024;

/**
 * The dashboard's API: what a session opens. Before anything is read of a body, the request must come from this
 * installation's own pages and its session must be one.
 */
export async function dashboard(app: FastifyInstance, options: DashboardOptions): Promise<void> {
  const { core, budget, clock } = options;
  const cookie = createSessionCookie(options.baseUrl);
  const oidcCookie = createSessionCookie(options.baseUrl, "hermod-oidc");
  const home = options.baseUrl === undefined ? undefined : new URL(options.baseUrl).origin;
  const coreFor = createCoreFor({ core, cookie });
  const accessOf = new Map<string, SessionAccess>(
    dashboardRoutes.map((route) => [`${route.method} ${route.path}`, sessionRouteOf(route).access]),
  );
  const eventStreams = createEventStreams({ clock });
  const admission = createAdmission<SessionAccess>({
    authenticate: async (request, access) => {
      const { sessionId, accountId } = await coreFor(request).sessions.checkSession(checkOf(access));
      return { apiKey: "", keyId: sessionId, accountId, clientAddress: request.ip };
    },
    budget,
    bodyMaxBytes: MAX_BODY_BYTES,
    clock,
  });

  await readCookies(app);
  admission.prepare(app);
  // They have no end of their own to wait for.
  app.addHook("preClose", async () => eventStreams.endAll());
  app.addHook("onRoute", (route) => {
    const [method] = [route.method].flat();
    const isUnauthenticated = accessOf.get(`${method} ${route.url}`) === "anyone";
    route.bodyLimit = isUnauthenticated ? MAX_UNAUTHENTICATED_BODY_BYTES : MAX_BODY_BYTES;
  });
  app.addHook("onRequest", async (request, reply) => {
    // Fastify answers HEAD where there is GET.
    const method = request.method === "HEAD" ? "GET" : request.method;
    const access = accessOf.get(`${method} ${request.routeOptions.url}`);
    if (!access) throw fault("internal.error", { internal: `${request.url} declares no access` });
    refuseKeys(request);
    const hasSession = cookie.read(request) !== "";
    const isStream = request.routeOptions.url === contract.live.watchEvents.path;
    checkSameOrigin(request, { home, hasSession, isStream });
    if (access === "anyone") return;
    if (!hasSession) throw fault("auth.session_missing");
    // A request without a body is checked with the call itself.
    if (method !== "GET") await admission.admit(request, reply, access);
  });
  app.addHook("preParsing", (request, _reply, payload, done) =>
    done(null, admission.counted(request, payload) as RequestPayload),
  );
  app.addHook("onSend", (_request, reply, payload, done) => {
    if (payload instanceof FileBody) reply.header("content-type", payload.mediaType);
    done(null, payload);
  });
  app.setErrorHandler(async (thrown, request, reply) => {
    if (!(thrown instanceof Fault)) throw thrown;
    if (thrown.code === "auth.session_invalid") cookie.clear(request, reply);
    // The server around it answers.
    throw inRequestNames(thrown, request.method === "GET" || request.method === "HEAD");
  });
  const s = initServer();
  const mails = createMailReader({ core, cookie });
  const bodyLimits = { keyBytes: options.keyBodyMaxBytes, sessionBytes: MAX_BODY_BYTES };
  const parts = { core, cookie, oidcCookie, clock, bodyLimits, eventStreams, mails };
  app.register(s.plugin(s.router(contract, areasOf(parts))), {
    logInitialization: false,
    responseValidation: options.validateResponses,
    requestValidationErrorHandler: options.onInvalid,
  });
}

/** Check of the session by the core before the body of a request is read. */
function checkOf(access: SessionAccess) {
  const isHalf = access === "half_signed_in";
  const beforeSecondFactor = isHalf || access === "before_second_factor";
  const beforePasswordChange = isHalf || access === "before_password_change";
  const needsPermission = !beforeSecondFactor && !beforePasswordChange && access !== "signed_in";
  return { permission: needsPermission ? access : "", beforeSecondFactor, beforePasswordChange };
}

/** @throws Fault auth.key_not_accepted */
function refuseKeys(request: FastifyRequest): void {
  if (readApiKey(request) !== "") throw fault("auth.key_not_accepted");
}
