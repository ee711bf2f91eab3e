import type { Problem } from "../../contracts/common/problem.ts";
import { eventually, type Hermod } from "./start-hermod.ts";

export interface Accepted {
  readonly message_id: string;
  readonly sx_trace_id: string;
  readonly status: string;
  readonly created_at: string;
  readonly recipient: string;
  readonly not_delivered: string[];
  readonly scheduled_at?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body of a 202. */
  readonly accepted: Accepted;
  /** The body of any other answer. */
  readonly problem: Problem;
}

export interface PostOptions {
  readonly path?: string;
  /** null: no key. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Posts a string or bytes unchanged, other bodies as JSON. */
export async function post(hermod: Hermod, body: unknown, options: PostOptions = {}): Promise<Answer> {
  const { path = "/v1/email/send", key = hermod.firstRun.api_key, headers = {} } = options;
  const response = await fetch(hermod.firstRun.base_url + path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(key === null ? {} : { "x-api-key": key }),
      ...headers,
    },
    body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
  });
  const json = await response.json();
  return {
    status: response.status,
    headers: response.headers,
    accepted: json as Accepted,
    problem: json as Problem,
  };
}

/**
 * Posts with an idempotency key as clients do: a short outage of the store is answered with 503, and the same
 * request is sent again.
 */
export function postUntilStored(hermod: Hermod, body: unknown, idempotencyKey: string): Promise<Answer> {
  return eventually(async () => {
    const answer = await post(hermod, body, { headers: { "idempotency-key": idempotencyKey } });
    return answer.status === 503 ? undefined : answer;
  });
}

/** Repeats a request for a report until it is complete: a slow report becomes a job with 202. */
export function untilReported<A extends { readonly status: number }>(
  request: () => Promise<A>,
  timeoutMs?: number,
): Promise<A> {
  return eventually(async () => {
    const answer = await request();
    return answer.status === 202 ? undefined : answer;
  }, timeoutMs);
}

/** The smallest valid body, with these changes. */
export function email(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    from: "hello@example.com",
    to: "ada@example.org",
    subject: "Hello",
    text: "Hello, Ada.",
    ...changes,
  };
}

/** Number of stored messages. */
export async function storedMessages(hermod: Hermod): Promise<number> {
  return (await hermod.core.messages.listMessages({ pageSize: 1000 })).messages.length;
}

/** The captured message from the sandbox. */
export async function capturedSource(hermod: Hermod, messageId: string): Promise<Buffer | undefined> {
  const response = await fetch(`${hermod.adminUrl}/sandbox/messages/${messageId}/source`);
  return response.ok ? Buffer.from(await response.arrayBuffer()) : undefined;
}
