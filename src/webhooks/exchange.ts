// The status line alone decides whether a delivery was accepted: the endpoint has processed the event when it answers,
// and another delivery would be a duplicate.

import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import type { LookupFunction, Socket } from "node:net";
import { failurePhrase, type Phrase, phrase } from "../shared/phrase.ts";
import { type Heads, requestHead, responseHead } from "./exchange-heads.ts";

export interface Exchange {
  readonly url: URL;
  readonly agent: http.Agent;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly lookup: LookupFunction;
  /** Called with each new connection. */
  readonly onConnection: (socket: Socket) => void;
  readonly signal: AbortSignal;
  /** Maximum time from the name lookup to the end of the TLS handshake. */
  readonly connectMs: number;
  /** Maximum time from writing the request to the status line. */
  readonly answerMs: number;
  /** Maximum time from the status line to the end of the body. Later data is not read. */
  readonly restMs: number;
}

/** Result of one request. */
export interface Exchanged {
  /** Address of the connection; undefined if there was none. */
  readonly address: string | undefined;
  /** Status line of the final answer; undefined if none arrived. */
  readonly status: number | undefined;
  /** Value of `Retry-After`. */
  readonly retryAfter: string | undefined;
  /** Headers of the request and of the answer. */
  readonly heads: Heads;
  /** Beginning of the body. */
  readonly body: string;
  /** Reason why the exchange ended early; undefined if the answer is complete. */
  readonly error: Phrase | undefined;
  /** The server closed a reused connection before it answered. */
  readonly isStale: boolean;
}

const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
/** Number of bytes that are searched for the status line. After them only the parser can find it. */
const MAX_START = 4 * 1024;
/** A server that sends more interim answers than this is treated as one that does not answer. */
const MAX_INTERIM = 10;
const NO_CONTENT = 204;

/** Interim answer, which precedes the final one. RFC 9110 section 15.2 requires clients to read any number of them. */
const INTERIM = /^HTTP\/1\.[01] 1\d\d[^\r\n]*\r?\n(?:[^\r\n]+\r?\n)*\r?\n/;
const STATUS_LINE = /^HTTP\/1\.[01] ([2-9]\d\d)(?: [^\r\n]*)?\r?\n/;

/**
 * Sends one POST and reads the answer. The status line decides about a delivery, so it is read separately from the parser: a
 * truncated, malformed or endless header or body does not change the status.
 * @returns the result of any behavior of the server
 * @throws the signal's reason
 */
export function exchange(options: Exchange): Promise<Exchanged> {
  const { url, agent, headers, body, lookup, onConnection, signal, connectMs, answerMs, restMs } = options;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const { request } = url.protocol === "https:" ? https : http;
    const asked = request(url, {
      agent,
      lookup,
      method: "POST",
      maxHeaderSize: MAX_HEADER_BYTES,
      autoSelectFamily: true,
      // Node.js would add this header while it writes the request.
      headers: { ...headers, "content-length": Buffer.byteLength(body), connection: "keep-alive" },
    } as https.RequestOptions);
    let socket: Socket | undefined;
    let address: string | undefined;
    let start = "";
    let status: number | undefined;
    let response: IncomingMessage | undefined;
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    let interim = 0;
    let timer: NodeJS.Timeout | undefined;
    let isOver = false;

    function wait(ms: number, error: Phrase): void {
      clearTimeout(timer);
      timer = setTimeout(end, ms, error);
    }

    function end(error?: Phrase, isClosed = false): void {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      socket?.off("data", readStart).off("connect", onReady).off("secureConnect", onReady);
      if (error !== undefined) asked.destroy();
      const received = Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString();
      const isStale = isClosed && asked.reusedSocket && start === "";
      const retryAfter = [response?.headers["retry-after"]].flat()[0];
      const heads = { request: requestHead(asked), response: response && responseHead(response) };
      if (signal.aborted) reject(signal.reason);
      else resolve({ address, status, retryAfter, heads, body: received, error, isStale });
    }

    const onAbort = () => end({ text: "given up", parts: [] });
    const onReady = () => {
      address = socket?.remoteAddress;
      wait(answerMs, phrase("webhook.timeout", { seconds: answerMs / 1_000 }));
    };

    function readStart(chunk: Buffer): void {
      start += chunk.toString("latin1", 0, MAX_START);
      const found = finalStatusIn(start);
      if (found !== undefined) hasStatus(found);
      else if (start.length >= MAX_START) socket?.off("data", readStart);
    }

    function hasStatus(found: number): void {
      if (status !== undefined) return;
      status = found;
      socket?.off("data", readStart);
      wait(restMs, phrase("webhook.late_rest"));
    }

    signal.addEventListener("abort", onAbort, { once: true });
    asked.on("socket", (used: Socket) => {
      socket = used;
      // Called before the parser, which may reject the data.
      used.prependListener("data", readStart);
      if (asked.reusedSocket) return onReady();
      onConnection(used);
      used.once(url.protocol === "https:" ? "secureConnect" : "connect", onReady);
      wait(connectMs, phrase("webhook.connect_timeout", { seconds: connectMs / 1_000 }));
    });
    asked.on("information", () => {
      interim++;
      if (interim > MAX_INTERIM) end(phrase("webhook.interim_answers"));
    });
    asked.on("response", (incoming) => {
      response = incoming;
      hasStatus(incoming.statusCode ?? 0);
      incoming.on("error", (error) => end(reasonOf(error)));
      incoming.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        sizeBytes += chunk.length;
        if (sizeBytes >= MAX_ANSWER_BYTES) end(phrase("webhook.long_rest", { max: MAX_ANSWER_BYTES }));
      });
      incoming.on("end", () => {
        end();
        // The body announced by the header may follow. It is not an answer to the next request.
        if (incoming.statusCode === NO_CONTENT && announcesBody(incoming)) socket?.destroy();
      });
    });
    asked.on("error", (error) => end(reasonOf(error), true));
    asked.on("close", () => end(phrase("webhook.closed"), true));
    asked.end(body);
  });
}

/** Finds the status in the first bytes of an answer; undefined while the status line is incomplete. */
function finalStatusIn(start: string): number | undefined {
  let rest = start;
  for (let interim = INTERIM.exec(rest); interim; interim = INTERIM.exec(rest))
    rest = rest.slice(interim[0].length);
  const [, digits] = STATUS_LINE.exec(rest) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

function announcesBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function reasonOf(error: Error & { readonly code?: string }): Phrase {
  return error.code === "HPE_HEADER_OVERFLOW" ? phrase("webhook.long_header") : failurePhrase(error);
}
