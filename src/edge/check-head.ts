import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler } from "fastify";
import { endGently } from "../shared/end-gently.ts";
import { type Fault, fault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import { headerValues } from "./header-values.ts";
import { http2Stream, leaveStream } from "./http2-requests.ts";

/**
 * A request must name one host (RFC 9112 section 3.2, RFC 9113 section 8.3.1). Servers before this one may have used
 * another host, so the connection ends with the response; with HTTP/2 the stream does.
 * @returns request.malformed_header, or undefined if the request is valid
 */
export function checkHost({ raw }: FastifyRequest, reply: FastifyReply): Fault | undefined {
  const hosts = headerValues(raw.rawHeaders, "host");
  if (raw.httpVersionMajor === 2) {
    // HTTP/2 has one of the two at least, and each once: others never come as far as this.
    if (new Set([...headerValues(raw.rawHeaders, ":authority"), ...hosts]).size === 1) return undefined;
    return fault("request.malformed_header", {
      public: say("request_names_one_host_but_authority"),
    });
  }
  if (hosts.length === 1 || (hosts.length === 0 && raw.httpVersion === "1.0")) return undefined;
  reply.header("connection", "close");
  return fault("request.malformed_header", {
    public: say(hosts.length === 0 ? "no_host" : "several_hosts"),
  });
}

/**
 * Checks the body headers of a request: one media type and no content coding, because bodies are read without decoding.
 * For Fastify's `preParsing`: a refused body is not read, and callers without a valid key do not reach this check.
 */
export const checkBodyHead: preParsingHookHandler = ({ raw }, reply, payload, done) => {
  const { rawHeaders } = raw;
  const codings = [
    ...headerValues(rawHeaders, "content-encoding").filter((coding) => !/^(?:identity)?$/i.test(coding)),
    ...headerValues(rawHeaders, "transfer-encoding").filter((coding) => !/^chunked$/i.test(coding)),
  ];
  if (codings.length > 0) {
    // RFC 9110 section 15.5.16.
    reply.header("accept-encoding", "identity");
    return done(
      fault("request.unsupported_media_type", {
        public: say("body_compressed_otherwise_encoded_send_without"),
      }),
    );
  }
  if (headerValues(rawHeaders, "content-type").length > 1) {
    return done(fault("request.malformed_header", { public: say("request_several_content_types") }));
  }
  done(null, payload);
};

/**
 * Answers `Expect: 100-continue` (RFC 9110 section 10.1.1) after the request was admitted. Node.js itself would answer
 * all clients immediately.
 */
export function expectContinue(app: FastifyInstance): void {
  const waiting = new WeakSet<IncomingMessage>();
  app.server.on("checkContinue", (request, response) => {
    waiting.add(request);
    app.server.emit("request", request, response);
  });
  app.addHook("preParsing", (request, reply, payload, done) => {
    if (waiting.has(request.raw)) reply.raw.writeContinue();
    done(null, payload);
  });
}

/** A body of this size comes in a moment: to read past it costs less than a new connection, and its TLS handshake. */
const SMALL_BODY_BYTES = 65_536;

/**
 * Prepares a response that needs no more of the request. Node.js reads and discards a small body, within the time limit
 * of a request, and the connection continues. Any other body is not read further, and the connection ends with the
 * response; with HTTP/2 the stream does. The connection lingers for a moment, because closing it at once would reset it
 * and could destroy the response for a client that is still sending (RFC 9112 section 9.6).
 */
export function leaveBody(request: FastifyRequest, reply: FastifyReply): void {
  if (request.raw.complete) return;
  const stream = http2Stream(request.raw);
  if (!stream && reply.getHeader("connection") !== "close" && announcesSmallBody(request)) return;
  if (stream) leaveStream(request, stream);
  else leaveConnection(request, reply);
}

/** False for a client that waits for 100 (Continue): it may send its body or not (RFC 9110 section 10.1.1). */
function announcesSmallBody({ raw }: FastifyRequest): boolean {
  const length = Number(raw.headers["content-length"] ?? Number.NaN);
  const goesOn = raw.httpVersion === "1.1" && !/\bclose\b/i.test(raw.headers.connection ?? "");
  return goesOn && length <= SMALL_BODY_BYTES && raw.headers.expect === undefined;
}

function leaveConnection({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.header("connection", "close");
  // Node.js would read and discard the complete body of a request without a reader.
  raw.pause();
  raw.read(0);
  linger(raw.socket);
}

function linger(socket: Socket): void {
  socket.destroySoon = () => endGently(socket);
}
