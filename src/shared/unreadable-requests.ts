import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import { Http2ServerResponse } from "node:http2";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply } from "fastify";
import { faultCodes } from "../../contracts/common/fault-codes.ts";
import { PROBLEM_MEDIA_TYPE } from "../../contracts/common/problem.ts";
import type { Clock } from "./clock.ts";
import { endGently } from "./end-gently.ts";
import { endWithAnswer } from "./end-with-answer.ts";
import { type Fault, fault } from "./fault.ts";
import { say } from "./fault-text.ts";
import { newTraceId } from "./ids.ts";
import { STRICT_TRANSPORT_SECURITY } from "./strict-transport-security.ts";

export interface UnreadableRequestsOptions {
  readonly clock: Pick<Clock, "now">;
  /** Problem document of a fault without a readable path. */
  readonly problemOf: (failed: Fault, traceId: string) => object;
  /** Called for responses that belong to no request, and so reach no hook of the server. */
  readonly onAnswer: (failed: Fault, traceId: string) => void;
}

/**
 * Handles input that the parser of Node.js rejects. It is answered once, after earlier requests of its connection. A
 * request that has started is refused through its own reply, and so through the server's error handler.
 */
export interface UnreadableRequests {
  /** For Fastify's `clientErrorHandler`. */
  readonly answer: (error: NodeJS.ErrnoException, socket: Socket) => void;
  /** Answers a connection without a request, and ends it. */
  readonly refuse: (socket: Socket, failed: Fault) => void;
  /** Records the latest request of each connection, and refuses expectations. Must be called before any other hook is added. */
  watch(app: FastifyInstance): void;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly reply: FastifyReply | undefined;
}

const LATEST = Symbol("latest exchange");

/** State of each request is stored on the connection: separate maps would burden the garbage collector. */
interface Connection extends Socket {
  [LATEST]?: Exchange;
}

export function createUnreadableRequests({
  clock,
  problemOf,
  onAnswer,
}: UnreadableRequestsOptions): UnreadableRequests {
  /** Requests with an unsupported expectation. */
  const unmet = new WeakSet<IncomingMessage>();
  /** The parser reports an error for every further octet. */
  const givenUp = new WeakSet<Socket>();

  function write(socket: Socket, failed: Fault): void {
    if (!socket.writable) return;
    const traceId = newTraceId(clock.now());
    const { http } = faultCodes[failed.code];
    const body = JSON.stringify(problemOf(failed, traceId));
    const fields = Object.entries({
      "Content-Length": Buffer.byteLength(body),
      Date: clock.now().toUTCString(),
      Connection: "close",
      ...headersOf("encrypted" in socket),
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    endGently(socket, `HTTP/1.1 ${http} ${STATUS_CODES[http]}\r\n${fields.join("")}\r\n${body}`);
    onAnswer(failed, traceId);
  }

  /** The same on an HTTP/2 stream, while its connection continues. */
  function writeTo(response: Http2ServerResponse, failed: Fault): void {
    const traceId = newTraceId(clock.now());
    endWithAnswer(response.stream);
    response.writeHead(faultCodes[failed.code].http, headersOf(response.stream.session?.encrypted));
    response.end(JSON.stringify(problemOf(failed, traceId)));
    onAnswer(failed, traceId);
  }

  /** Refuses a request with an unreadable body, unless it was already answered. */
  function refuseExchange({ request, response, reply }: Exchange, failed: Fault): void {
    if (!response.headersSent && reply && !reply.sent) {
      reply.header("connection", "close").send(failed);
    } else if (response.writableFinished) {
      endGently(request.socket);
    } else {
      response.once("finish", () => endGently(request.socket));
    }
  }

  return {
    refuse: write,

    answer: (error, socket) => {
      if (givenUp.has(socket)) return;
      givenUp.add(socket);
      if (error.code === "ECONNRESET" || !socket.writable) {
        socket.destroy();
        return;
      }
      const failed = faultOf(error);
      const exchange = (socket as Connection)[LATEST];
      if (!exchange) {
        write(socket, failed);
      } else if (!exchange.request.complete) {
        // Data in the same packet may already have caused a refusal, which continues in microtasks.
        setImmediate(() => refuseExchange(exchange, failed));
      } else if (exchange.response.writableFinished) {
        write(socket, failed);
      } else {
        // The next request is unreadable.
        exchange.response.once("finish", () => write(socket, failed));
      }
    },

    watch: (app) => {
      app.server.on("request", (request, response) => {
        // The parser does not handle the requests of an HTTP/2 connection.
        if (request.httpVersionMajor === 2) return;
        const connection: Connection = request.socket;
        // After it has passed the hook below, there is a reply.
        if (connection[LATEST]?.request === request) return;
        connection[LATEST] = { request, response, reply: undefined };
      });
      // Not a request to this server, which is not a proxy.
      app.server.on("connect", (_request, peer: Socket | Http2ServerResponse) => {
        const failed = fault("request.malformed", { public: say("connect_proxies_none") });
        if (peer instanceof Http2ServerResponse) return writeTo(peer, failed);
        // The server has released the socket with all of its listeners.
        peer.on("error", () => peer.destroy());
        write(peer, failed);
      });
      // Node's own response to an expectation other than 100-continue has no body.
      app.server.on("checkExpectation", (request, response) => {
        // With HTTP/2, Node.js compares it case-sensitively, although case is irrelevant (RFC 9110 section 10.1.1).
        if (request.httpVersionMajor === 2 && /^100-continue$/i.test(request.headers.expect ?? "")) {
          app.server.emit("checkContinue", request, response);
          return;
        }
        unmet.add(request);
        app.server.emit("request", request, response);
      });
      app.addHook("onRequest", (request, reply, done) => {
        if (request.raw.httpVersionMajor === 1) {
          const connection: Connection = request.raw.socket;
          connection[LATEST] = { request: request.raw, response: reply.raw, reply };
        }
        done(unmet.has(request.raw) ? fault("request.expectation_failed") : undefined);
      });
    },
  };
}

/** By the codes of Node.js (https://nodejs.org/api/errors.html) and of its parser, llhttp. */
function faultOf(error: NodeJS.ErrnoException & { readonly reason?: string }): Fault {
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") return fault("request.timeout", { cause: error });
  if (error.code === "HPE_HEADER_OVERFLOW") return fault("request.header_too_large", { cause: error });
  return fault("request.malformed", {
    public: error.reason ? say("no_http_because", { detail: error.reason }) : say("no_http"),
    cause: error,
  });
}

/** Headers of every response here, on any transport. */
function headersOf(isHttps = false) {
  return {
    "Content-Type": PROBLEM_MEDIA_TYPE,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    ...(isHttps && { "Strict-Transport-Security": STRICT_TRANSPORT_SECURITY }),
  };
}
