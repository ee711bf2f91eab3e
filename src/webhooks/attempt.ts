import type { Clock } from "../shared/clock.ts";
import { detailFields, type Phrase, phrase } from "../shared/phrase.ts";
import { signaturesOf } from "../shared/webhook-signature.ts";
import {
  answeredPhrase,
  type WebhookDeliveryDocument,
  type WebhookExchange,
  type WebhookTry,
} from "../store/webhook-delivery-documents.ts";
import { hideOwn, storedHeads } from "./exchange-heads.ts";
import type { QueueEndpoint } from "./queue-endpoint.ts";
import { type NextAttemptAt, nextAttemptAt } from "./retry-schedule.ts";
import type { WebhookAnswer, WebhookClient } from "./webhook-client.ts";

/** Result of one attempt. */
export interface Attempted {
  /** `gone`: the endpoint wants no more events; `retry` without `dueAt`: the last attempt has failed. */
  readonly verdict: "taken" | "gone" | "retry";
  readonly tried: WebhookTry;
  /** Headers of the attempt. Missing: no request was prepared. */
  readonly exchange?: WebhookExchange;
  /** Time of the next attempt; missing if there is none. */
  readonly dueAt?: Date;
  /** The receiver wants no other delivery before this time; missing: it did not say so. */
  readonly heldUntil?: Date;
}

/** Rules for the answers of receivers of one kind. */
export interface ReceiverRules {
  readonly nextAttemptAt: NextAttemptAt;
  /** Meaning of a failed attempt's status: `gone` ends all deliveries to the receiver, `refused` only this one. */
  readonly meaningOf: (endpoint: QueueEndpoint, status: number) => "retry" | "gone" | "refused";
  /** A requested delay applies to all deliveries to the receiver. */
  readonly isDelayForAll: boolean;
  /** The URL is a secret. Results have only its origin, also where an answer repeats the URL. */
  readonly isUrlSecret: boolean;
}

export interface AttemptOptions {
  readonly client: Pick<WebhookClient, "post">;
  readonly clock: Clock;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  /** User-Agent, such as `Hermod/1.0`. */
  readonly agent: string;
  /** Aborting it ends the attempts in progress. */
  readonly signal: AbortSignal;
  /** Default: those of endpoints for events. */
  readonly rules?: ReceiverRules;
}

/** Characters of an answer that are stored, for people. */
const KEPT_ANSWER = 2_000;
const GONE = 410;

const endpointRules: ReceiverRules = {
  nextAttemptAt,
  meaningOf: (_, status) => (status === GONE ? "gone" : "retry"),
  isDelayForAll: false,
  isUrlSecret: false,
};

/** Sends a delivery to its endpoint once. */
export type AttemptDelivery = (
  endpoint: QueueEndpoint,
  delivery: Pick<WebhookDeliveryDocument, "eventId" | "attempts">,
  body: string,
) => Promise<Attempted>;

export function createAttemptDelivery(options: AttemptOptions): AttemptDelivery {
  const { client, clock, random, agent, signal, rules = endpointRules } = options;

  function headersOf({ headers, secrets }: QueueEndpoint, id: string, body: string) {
    const at = clock.now();
    const seconds = Math.floor(at.getTime() / 1_000);
    const valid = secrets.filter(({ expiresAt }) => !expiresAt || expiresAt > at);
    return {
      ...Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value])),
      "content-type": "application/json",
      "user-agent": agent,
      "webhook-id": id,
      "webhook-timestamp": String(seconds),
      // Chat services verify no signatures: their targets have no secrets.
      ...(valid.length > 0 && {
        "webhook-signature": signaturesOf(
          { id, seconds, body },
          valid.map(({ secret }) => secret),
        ),
      }),
    };
  }

  function retried(
    { attempts }: Pick<WebhookDeliveryDocument, "attempts">,
    result: Pick<Attempted, "tried" | "exchange">,
    notBefore: Date | undefined,
  ): Attempted {
    const failed = { attempts: attempts + 1, at: clock.now(), notBefore, random: random() };
    const dueAt = rules.nextAttemptAt(failed);
    const isDelayed = rules.isDelayForAll && notBefore !== undefined && notBefore > failed.at;
    const heldUntil = isDelayed ? rules.nextAttemptAt({ ...failed, attempts: 1 }) : undefined;
    return { verdict: "retry", ...result, ...(dueAt && { dueAt }), ...(heldUntil && { heldUntil }) };
  }

  return async (endpoint, delivery, body) => {
    const url = rules.isUrlSecret ? new URL(endpoint.url).origin : endpoint.url;
    const own = rules.isUrlSecret ? [...endpoint.headers, ...partsOf(endpoint.url)] : endpoint.headers;
    const at = clock.now();
    const beganMs = clock.monotonicMs();
    const headers = headersOf(endpoint, delivery.eventId, body);
    const came = await client.post({ endpointId: endpoint._id, url: endpoint.url, headers, body, signal });
    const durationMs = Math.round(clock.monotonicMs() - beganMs);
    const sent = { at, durationMs, url, ...(came.address !== undefined && { address: came.address }) };
    const exchange = came.heads && { exchange: storedHeads(at, came.heads, own) };
    if ("failure" in came) {
      const tried = { ...sent, ...detailFields(came.failure) };
      return retried(delivery, { tried, ...exchange }, undefined);
    }
    const { status } = came;
    const answer = hideOwn(came.body, own).slice(0, KEPT_ANSWER);
    const result = { tried: { ...sent, status, ...resultOf(came), answer }, ...exchange };
    if (status >= 200 && status < 300) return { verdict: "taken", ...result };
    const meaning = rules.meaningOf(endpoint, status);
    if (meaning === "gone") return { verdict: "gone", ...result };
    if (meaning === "refused") return { verdict: "retry", ...result };
    return retried(delivery, result, momentOf(came.retryAfter, clock.now()));
  };
}

/** The parts of a complete answer are not stored: they follow from its status. */
function resultOf({ status, error }: WebhookAnswer): Pick<WebhookTry, "detail" | "detailParts"> {
  const answered = answeredPhrase(status);
  const isRedirect = status >= 300 && status < 400;
  return isRedirect || !error ? { detail: answered.text } : detailFields(answeredInPart(status, error));
}

/** The cause is the code of the reason, or that of an error of the system. */
function answeredInPart(status: number, { text, parts: [part] }: Phrase): Phrase {
  const wording = { status, detail: text, cause: part?.params?.cause ?? part?.code ?? "" };
  const whole = phrase("webhook.answered_in_part", wording);
  return part ? whole : { text: whole.text, parts: [] };
}

/** A shorter part of a path is a word, such as `services`. */
const MIN_TOKEN = 12;

/** The secret parts of a URL, longest first, as values that no stored text contains. */
function partsOf(url: string) {
  const { pathname, search, searchParams } = new URL(url);
  const tokens = pathname.split("/").filter((part) => part.length >= MIN_TOKEN);
  const parts = [url, `${pathname}${search}`, pathname, search, ...tokens, ...searchParams.values()];
  // Some servers write `/` as `\/` in JSON.
  const forms = parts.flatMap((part) => [part, part.replaceAll("/", "\\/"), decoded(part)]);
  return [...new Set(forms)].sort((a, b) => b.length - a.length).map((value) => ({ name: "", value }));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Reads Retry-After (RFC 9110 section 10.2.3): seconds or a date. Any other value is ignored. */
function momentOf(retryAfter: string | undefined, now: Date): Date | undefined {
  if (retryAfter === undefined) return undefined;
  const atMs = /^\d{1,9}$/.test(retryAfter)
    ? now.getTime() + Number(retryAfter) * 1_000
    : Date.parse(retryAfter);
  return Number.isNaN(atMs) ? undefined : new Date(atMs);
}
