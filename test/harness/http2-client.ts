import { once } from "node:events";
import http2, { type ClientHttp2Session, type ClientHttp2Stream, type OutgoingHttpHeaders } from "node:http2";
import type { Problem } from "../../contracts/common/problem.ts";

export interface Http2Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Body of a problem answer. */
  readonly problem: Problem;
}

/** A stream with a sent request. */
export interface Http2Exchange {
  readonly stream: ClientHttp2Stream;
  /** Rejects if the stream ends without an answer. */
  readonly answer: Promise<Http2Answer>;
}

export async function openHttp2(url: string, ca: string): Promise<ClientHttp2Session> {
  const session = http2.connect(url, { ca, ALPNProtocols: ["h2"] });
  session.on("error", () => {});
  await once(session, "connect");
  return session;
}

/** Starts a request with a body, or with `null` for a later body. Otherwise the request ends with its head. */
export function ask(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  body?: string | Buffer | null,
): Http2Exchange {
  const stream = session.request(headers, { endStream: body === undefined });
  stream.on("error", () => {});
  const exchange = { stream, answer: answerOf(stream) };
  // Prevents an unhandled rejection if no test awaits it.
  exchange.answer.catch(() => {});
  if (body !== undefined && body !== null) stream.end(body);
  return exchange;
}

/** The head of a request to send. */
export function sendHead(key: string, fields: OutgoingHttpHeaders = {}): OutgoingHttpHeaders {
  return {
    ":method": "POST",
    ":path": "/v1/send",
    "content-type": "application/json",
    "x-api-key": key,
    ...fields,
  };
}

async function answerOf(stream: ClientHttp2Stream): Promise<Http2Answer> {
  let headers: Record<string, unknown> = {};
  let body = "";
  stream.on("response", (given) => {
    headers = given;
  });
  stream.on("data", (chunk) => {
    body += chunk;
  });
  // Node does not close a stream with pending output, even after a complete answer and a reset.
  await new Promise((resolve) => stream.once("end", resolve).once("close", resolve));
  // Node 20 uses freed memory if a session is destroyed while it reads.
  await new Promise((resolve) => setImmediate(resolve));
  const { ":status": status, ...fields } = headers;
  if (status === undefined) throw new Error(`There was no answer; reset with code ${stream.rstCode}.`);
  const isProblem = fields["content-type"] === "application/problem+json";
  return {
    status: Number(status),
    headers: fields as Record<string, string>,
    body,
    problem: isProblem ? JSON.parse(body) : undefined,
  };
}
