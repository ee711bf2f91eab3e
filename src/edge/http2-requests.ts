import type { IncomingMessage } from "node:http";
import { constants, type Http2Session, type ServerHttp2Stream } from "node:http2";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { endWithAnswer } from "../shared/end-with-answer.ts";
import { type Fault, fault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";

/** As Node has it for HTTP/1.1. */
const MAX_HEADER_BYTES = 16 * 1024;
/** With 64 KB, which everybody has, a client far away would send a large body too slowly. */
const WIDE_WINDOW_BYTES = 1024 * 1024;

const IS_WIDE = Symbol("has a wide window");

interface Session extends Http2Session {
  [IS_WIDE]?: boolean;
}

/** The stream of HTTP/2 that a request came on; undefined: it came by HTTP/1.1. */
export function http2Stream(request: IncomingMessage): ServerHttp2Stream | undefined {
  return request.httpVersionMajor === 2
    ? (request as unknown as { readonly stream: ServerHttp2Stream }).stream
    : undefined;
}

/**
 * Does for requests of HTTP/2 what Node does by itself for those of HTTP/1.1: bounds their headers and their time, and
 * believes in no body that was broken off. Each is held to that alone, and the others of its connection go on. To be
 * called before any other hook is added.
 * @param timeMs bound of one whole request, and of one whole answer
 */
export function boundHttp2Requests(app: FastifyInstance, timeMs: number): void {
  app.addHook("onRequest", (request, reply, done) => {
    const stream = http2Stream(request.raw);
    if (!stream) return done();
    // Without its connection, the client of the request is unknown.
    if (stream.destroyed) return done(brokenOff());
    if (!stream.endAfterHeaders) boundBody(request, reply, stream, timeMs);
    const bytes = request.raw.rawHeaders.reduce((sum, text) => sum + text.length, 0);
    done(bytes > MAX_HEADER_BYTES ? fault("request.header_too_large") : undefined);
  });

  // To its reader a body ends in the same way whether its sender has ended it or has gone.
  app.addHook("preValidation", (request, reply, done) => {
    const stream = http2Stream(request.raw);
    done(stream && (stream.closed || reply.sent) ? brokenOff() : undefined);
  });

  app.addHook("onSend", (request, reply, payload, done) => {
    const stream = http2Stream(request.raw);
    if (stream) {
      // Forbidden in HTTP/2 (RFC 9113 section 8.2.2), where one request is no reason to end the others' connection.
      reply.removeHeader("connection");
      if (!isEventStream(reply)) boundAnswer(stream, timeMs);
    }
    done(null, payload);
  });
}

/**
 * Before an answer that needs no more of the request: the stream ends with it, whatever is still on its way of the body.
 * A client with a good key may finish that, in the time that a request has, and it is thrown away as it comes: Java's
 * client up to 21 waits for ever when it is interrupted.
 */
export function leaveStream({ raw, caller }: FastifyRequest, stream: ServerHttp2Stream): void {
  if (stream.endAfterHeaders) return;
  // An unread body would keep the stream in memory after its end.
  raw.unpipe().resume();
  if (!caller) endWithAnswer(stream);
}

/**
 * Lets a client send more data ahead after one of its keys was accepted. Data of unauthenticated clients would wait in
 * memory without a limit.
 */
export function widenWindow(request: IncomingMessage): void {
  const session: Session | undefined = http2Stream(request)?.session;
  if (!session || session[IS_WIDE] || session.destroyed) return;
  session[IS_WIDE] = true;
  session.settings({ initialWindowSize: WIDE_WINDOW_BYTES });
}

function boundBody(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  stream: ServerHttp2Stream,
  timeMs: number,
): void {
  const timer = setTimeout(() => {
    if (reply.sent || stream.headersSent) return breakOff(stream);
    endWithAnswer(stream);
    reply.send(fault("request.timeout"));
  }, timeMs).unref();
  raw.once("end", () => clearTimeout(timer));
  stream.once("close", () => clearTimeout(timer));
}

/** An answer that lasts as long as its reader wants, and has bounds of its own. */
export function isEventStream(reply: FastifyReply): boolean {
  return String(reply.getHeader("content-type")).startsWith("text/event-stream");
}

/** Any data on the connection resets Node's timer of a stream, so a client could block a response forever. */
function boundAnswer(stream: ServerHttp2Stream, timeMs: number): void {
  const timer = setTimeout(breakOff, timeMs, stream).unref();
  stream.once("close", () => clearTimeout(timer));
}

/** A stream that its client has closed stays for as long as there is something to send on it. */
function breakOff(stream: ServerHttp2Stream): void {
  stream.close(constants.NGHTTP2_CANCEL);
  stream.destroy();
}

function brokenOff(): Fault {
  return fault("request.malformed", {
    public: say("request_broken_off_before_end"),
  });
}
