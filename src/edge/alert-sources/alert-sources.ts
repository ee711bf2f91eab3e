import { createHash } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from "fastify";
import type { CoreClient } from "../../rpc/client.ts";
import type { Clock } from "../../shared/clock.ts";
import { Fault, fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { scanJson } from "../../shared/scan-json.ts";
import { type AdmissionOptions, createAdmission } from "../admit.ts";
import type { Authenticate } from "../authenticate.ts";
import { webhookOf } from "./alertmanager.ts";
import { readPagerDutyEvent } from "./pagerduty.ts";
import { readSentryHook } from "./sentry.ts";
import { readSeverities } from "./severities.ts";
import { type AlertInit, objectOf, type ReadSource } from "./source-alert.ts";

export interface AlertSourcesOptions extends Pick<AdmissionOptions<unknown>, "budget"> {
  readonly core: Pick<CoreClient, "alerts">;
  readonly authenticate: Authenticate;
  readonly clock: Pick<Clock, "now" | "monotonicMs">;
}

interface Call {
  readonly Params: { readonly format: string; readonly token?: string };
  readonly Querystring: Readonly<Record<string, unknown>>;
}

const readers = new Map<string, ReadSource>([
  ["alertmanager", webhookOf("alertmanager")],
  ["grafana", webhookOf("grafana")],
  ["pagerduty", readPagerDutyEvent],
  ["sentry", readSentryHook],
]);

/** A group of some thousand alerts, with all their labels. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;
const BODY_LIMITS = { maxDepth: 64, maxValues: 400_000 };
/** In one call. */
const AT_ONCE = 500;
/** The same words within this time are said again because their answer was lost. */
const RETRY_MS = 10 * 60_000;
const RETRY_AFTER_SECONDS = 5;
export const alertSourcePaths = [
  "/inbound/alerts/:format",
  "/inbound/alerts/:format/:token",
  // Path that PagerDuty clients append to the configured URL.
  "/inbound/alerts/:format/:token/v2/enqueue",
];

/**
 * Where monitors send what they cannot send as Hermod's own alerts. It is no part of the public contract: its bodies are theirs. The key is in
 * the path, where they cannot send header fields. An answer of 202 holds for all alerts of a request; else nothing is lost that a
 * retry does not bring.
 */
export async function alertSources(
  app: FastifyInstance,
  { core, authenticate, budget, clock }: AlertSourcesOptions,
): Promise<void> {
  const admission = createAdmission({
    authenticate: (request: FastifyRequest, demand: Parameters<Authenticate>[1]) => {
      const { query, params } = request as FastifyRequest<Call>;
      const given = [params.token ?? [], query.api_key ?? []].flat();
      return authenticate({ raw: request.raw, ip: request.ip, query: { api_key: given } }, demand);
    },
    budget,
    clock,
    bodyMaxBytes: MAX_BODY_BYTES,
  });

  admission.prepare(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: MAX_BODY_BYTES }, (_request, bytes, done) =>
    done(null, bytes),
  );
  app.addHook("onRequest", async (request, reply) => {
    if (!readers.has((request as FastifyRequest<Call>).params.format)) throw fault("request.not_found");
    await admission.admit(request, reply, { key: "account", scope: "alerts.ingest" });
  });
  app.addHook("preParsing", (request, _reply, payload, done) =>
    done(null, admission.counted(request, payload) as RequestPayload),
  );
  app.setErrorHandler((thrown) => {
    throw retried(thrown);
  });

  const take = admission.holding(async (input: { request: FastifyRequest<Call>; reply: FastifyReply }) => {
    const { request, reply } = input;
    const { format } = request.params;
    const alerts = readAlerts(request);
    // Duplicates within a request would conflict with each other.
    const keyed = [...new Map(alerts.map((alert) => [keyOf(format, alert, clock), alert]))];
    for (let from = 0; from < keyed.length; from += AT_ONCE) {
      const some = keyed.slice(from, from + AT_ONCE);
      await core.alerts.ingestAlerts({
        apiKey: request.caller?.apiKey ?? "",
        traceId: request.id,
        clientAddress: request.caller?.clientAddress ?? "",
        alerts: some.map(([idempotencyKey, alert]) => ({
          alert: { ...alert, dedupScope: scopeIn(format, alert) },
          idempotencyKey,
        })),
      });
    }
    reply.code(202);
    return answerOf(format, alerts);
  });
  for (const path of alertSourcePaths)
    app.post(path, (request: FastifyRequest<Call>, reply) => take({ request, reply }));
}

/** Deduplication keys belong to their endpoint, and to an integration where the source has several. */
function scopeIn(format: string, { dedupScope = "" }: AlertInit): string {
  return dedupScope === "" ? format : `${format}/${dedupScope}`;
}

/** @throws Fault request.malformed_json, request.validation_failed */
function readAlerts(request: FastifyRequest<Call>): AlertInit[] {
  const { params, query, headers, body } = request;
  const unknown = Object.keys(query).find((name) => name !== "severity" && name !== "api_key");
  if (unknown !== undefined) {
    const message = say("severity_only_parameter");
    throw validationFault([{ pointer: `/${unknown}`, code: "field.unknown", message }]);
  }
  const read = readers.get(params.format);
  if (!read) throw fault("request.not_found");
  return read(readBody(body), readSeverities(query.severity), headers);
}

function readBody(bytes: unknown): JsonObject {
  if (!Buffer.isBuffer(bytes)) throw fault("request.malformed_json", { public: say("body_empty") });
  const { excess } = scanJson(bytes, BODY_LIMITS);
  if (excess) {
    const message = say("too_many_values_or_levels");
    throw validationFault([{ pointer: excess.pointer, code: "field.too_many", message }]);
  }
  const text = bytes.toString("utf8");
  try {
    return objectOf(JSON.parse(text, text.includes(ESCAPED_NUL) ? withoutNul : undefined));
  } catch (error) {
    throw fault("request.malformed_json", { cause: error });
  }
}

/** JSON has no other NUL. */
const ESCAPED_NUL = "\\u0000";

/** Names that no store has are left out. */
function withoutNul(name: string, value: unknown): unknown {
  if (name.includes("\0")) return undefined;
  return typeof value === "string" ? value.replaceAll("\0", "\ufffd") : value;
}

/** Programs that give up at once when they hear 409 or 429 try again when they hear 503. */
function retried(thrown: unknown): unknown {
  if (!(thrown instanceof Fault) || !isPassing(thrown)) return thrown;
  return fault("service.busy", {
    public: say("alerts_stored", { detail: thrown.public }),
    retryAfterSeconds: thrown.retryAfterSeconds ?? RETRY_AFTER_SECONDS,
    cause: thrown,
  });
}

function isPassing({ code }: Fault): boolean {
  return code === "rate.limited" || code === "rate.bytes_in_flight" || code === "idempotency.in_flight";
}

/**
 * Key from the content of the alert and its approximate time, so that a repeated request does not store alerts twice. A
 * much later repetition is a new update: the alert is still active. PagerDuty clients send their own keys.
 */
function keyOf(format: string, alert: AlertInit, clock: Pick<Clock, "now">): string {
  if (format === "pagerduty") return "";
  const text = JSON.stringify(alert, (_name, value) => (typeof value === "bigint" ? String(value) : value));
  const digest = createHash("sha256").update(text).digest("base64url");
  return `${format}-${digest}-${Math.floor(clock.now().getTime() / RETRY_MS)}`;
}

function answerOf(format: string, alerts: readonly AlertInit[]) {
  if (format !== "pagerduty") return { alerts: alerts.length };
  return { status: "success", message: "Event processed", dedup_key: alerts[0]?.dedupKey };
}
