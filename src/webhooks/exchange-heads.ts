// The headers of an attempt as text: one line for each, in the order of the wire.

import type { ClientRequest, IncomingMessage } from "node:http";
import type { WebhookExchange } from "../store/webhook-delivery-documents.ts";

type Header = readonly [name: string, value: string];

/** Headers of a request and of its answer. */
export interface Heads {
  readonly request: readonly Header[];
  /** Undefined: no complete headers arrived. */
  readonly response: readonly Header[] | undefined;
}

const MAX_HEADERS = 50;
const MAX_HEAD = 4_096;
/** A shorter value of a header may occur by chance. */
const MIN_SECRET = 6;
const HIDDEN = "[hidden]";

/** The headers of a request, as Node.js writes them. */
export function requestHead(request: Pick<ClientRequest, "getRawHeaderNames" | "getHeader">): Header[] {
  return request.getRawHeaderNames().map((name) => [name, String(request.getHeader(name))]);
}

export function responseHead({ rawHeaders }: Pick<IncomingMessage, "rawHeaders">): Header[] {
  return rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ""] as const] : [],
  );
}

/**
 * Headers of an attempt in stored form. Values of the endpoint's own headers are secret: they are left out, also where
 * the answer repeats them.
 */
export function storedHeads(at: Date, { request, response }: Heads, own: readonly Own[]): WebhookExchange {
  const secret = new Set(own.map(({ name }) => name.toLowerCase()));
  const lines = request.map(([name, value]) => (secret.has(name.toLowerCase()) ? name : `${name}: ${value}`));
  const head = { at, request: lines.join("\n") };
  if (!response) return head;
  const kept: string[] = [];
  let size = 0;
  for (const [name, value] of response) {
    const line = `${name}: ${hideOwn(value, own).replace(/[\r\n]+/g, " ")}`;
    size += line.length + 1;
    if (kept.length === MAX_HEADERS || size > MAX_HEAD) break;
    kept.push(line);
  }
  const isCut = kept.length < response.length;
  return { ...head, response: kept.join("\n"), ...(isCut && { isCut: true as const }) };
}

interface Own {
  readonly name: string;
  readonly value: string;
}

/** Replaces values of an endpoint's own headers in a part of its answer. */
export function hideOwn(text: string, own: readonly Own[]): string {
  return own
    .filter(({ value }) => value.length >= MIN_SECRET)
    .reduce((shown, { value }) => shown.replaceAll(value, HIDDEN), text);
}
