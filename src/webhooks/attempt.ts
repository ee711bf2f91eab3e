import type { Clock } from "../shared/clock.ts";
import { detailFields, type Phrase, phrase } from "../shared/phrase.ts";
import { signaturesOf } from "../shared/webhook-signature.ts";
import {
  answeredPhrase,
  type WebhookDeliveryDocument,
  type WebhookExchange,
  type WebhookTry,
} from "../store/webhook-delivery-documents.ts";
import type { WebhookEndpointDocument } from "../store/webhook-documents.ts";
import { hideOwn, storedHeads } from "./exchange-heads.ts";
import { nextAttemptAt } from "./retry-schedule.ts";
import type { WebhookAnswer, WebhookClient } from "./webhook-client.ts";

/** Result of one attempt. */
export interface Attempted {
  /** `gone`: the endpoint wants no more events. */
  readonly verdict: "taken" | "gone" | "retry";
  readonly tried: WebhookTry;
  /** Headers of the attempt. Missing: no request was prepared. */
  readonly exchange?: WebhookExchange;
  /** Time of the next attempt; missing if there is none. */
  readonly dueAt?: Date;
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
}

/** Characters of an answer that are stored, for people. */
const KEPT_ANSWER = 2_000;
const GONE = 410;

/** Sends a delivery to its endpoint once. */
export type AttemptDelivery = (
  endpoint: WebhookEndpointDocument,
  delivery: Pick<WebhookDeliveryDocument, "eventId" | "attempts">,
  body: string,
) => Promise<Attempted>;

export function createAttemptDelivery(options: AttemptOptions): AttemptDelivery {
  const { client, clock, random, agent, signal } = options;

  function headersOf({ headers, secrets }: WebhookEndpointDocument, id: string, body: string) {
    const at = clock.now();
    const seconds = Math.floor(at.getTime() / 1_000);
    const valid = secrets.filter(({ expiresAt }) => !expiresAt || expiresAt > at);
    return {
      ...Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value])),
      "content-type": "application/json",
      "user-agent": agent,
      "webhook-id": id,
      "webhook-timestamp": String(seconds),
      "webhook-signature": signaturesOf(
        { id, seconds, body },
        valid.map(({ secret }) => secret),
      ),
    };
  }

  function retried(
    { attempts }: Pick<WebhookDeliveryDocument, "attempts">,
    result: Pick<Attempted, "tried" | "exchange">,
    notBefore: Date | undefined,
  ): Attempted {
    const failed = { attempts: attempts + 1, at: clock.now(), notBefore, random: random() };
    const dueAt = nextAttemptAt(failed);
    return { verdict: "retry", ...result, ...(dueAt && { dueAt }) };
  }

  return async (endpoint, delivery, body) => {
    const { url } = endpoint;
    const at = clock.now();
    const beganMs = clock.monotonicMs();
    const headers = headersOf(endpoint, delivery.eventId, body);
    const came = await client.post({ endpointId: endpoint._id, url, headers, body, signal });
    const durationMs = Math.round(clock.monotonicMs() - beganMs);
    const sent = { at, durationMs, url, ...(came.address !== undefined && { address: came.address }) };
    const exchange = came.heads && { exchange: storedHeads(at, came.heads, endpoint.headers) };
    if ("failure" in came) {
      const tried = { ...sent, ...detailFields(came.failure) };
      return retried(delivery, { tried, ...exchange }, undefined);
    }
    const { status } = came;
    const answer = hideOwn(came.body, endpoint.headers).slice(0, KEPT_ANSWER);
    const result = { tried: { ...sent, status, ...resultOf(came), answer }, ...exchange };
    if (status >= 200 && status < 300) return { verdict: "taken", ...result };
    if (status === GONE) return { verdict: "gone", ...result };
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

/** Reads Retry-After (RFC 9110 section 10.2.3): seconds or a date. Any other value is ignored. */
function momentOf(retryAfter: string | undefined, now: Date): Date | undefined {
  if (retryAfter === undefined) return undefined;
  const atMs = /^\d{1,9}$/.test(retryAfter)
    ? now.getTime() + Number(retryAfter) * 1_000
    : Date.parse(retryAfter);
  return Number.isNaN(atMs) ? undefined : new Date(atMs);
}
