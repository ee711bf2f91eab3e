import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler } from "fastify";
import { endGently } from "../shared/end-gently.ts";
import { type Fault, fault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import { headerValues } from "./header-values.ts";
import { http2Stream, leaveStream } from "./http2-requests.ts";

/**
 * A request names one host (RFC 9112 section 3.2, RFC 9113 section 8.3.1): servers before this one may have looked at
 * another, so the connection ends with the answer; with HTTP/2 the stream does.
 * @returns request.malformed_header, or undefined when all is well
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
 * What the head of a request says of its body: one media type, and no coding, for bodies are read as they come. For
 * Fastify's `preParsing`: nothing is read of a body that is refused here, nor is anybody told who has no valid key.
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
 * Clients that ask before they send a body (`Expect: 100-continue`, RFC 9110 section 10.1.1) are told to go on when
 * their request has been admitted; Node by itself would tell everybody at once.
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
 * Before an answer that needs no more of the request. A small body is read and thrown away by Node, and the connection
 * goes on; the time for a request bounds that. Of any other body nothing more is read, and the connection ends with the
 * answer; with HTTP/2 the stream does. It lingers for a moment, since closing it at once would
 * reset it and could take the answer away from a client that is still sending (RFC 9112 section 9.6).
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
  // Node would read to the end, and throw away, the body of a request that nobody has begun to read.
  raw.pause();
  raw.read(0);
  linger(raw.socket);
}

function linger(socket: Socket): void {
  socket.destroySoon = () => endGently(socket);
}
