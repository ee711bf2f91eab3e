import type { Http2SecureServer, ServerHttp2Session } from "node:http2";
import type { Server } from "node:https";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { FastifyInstance } from "fastify";
import { endGently } from "../shared/end-gently.ts";
import type { Logger } from "../shared/logger.ts";
import { serverTls, type TlsCertificate } from "../shared/server-tls.ts";
import type { Handshakes } from "./handshakes.ts";

/** How long what a connection carries may take, in milliseconds. */
export interface HttpTimes {
  /** A connection without data for this long is closed. */
  readonly silenceMs: number;
  /** The same between two requests of HTTP/1.1. */
  readonly keepAliveMs: number;
  /** Bound of one whole request: 36 MB in two minutes are 300 kB a second. */
  readonly requestMs: number;
  readonly headersMs: number;
  readonly handshakeMs: number;
  /** How often requests of HTTP/1.1 are held to these bounds. */
  readonly checkMs: number;
}

export const DEFAULT_TIMES: HttpTimes = {
  silenceMs: 120_000,
  keepAliveMs: 72_000,
  requestMs: 120_000,
  headersMs: 20_000,
  handshakeMs: 10_000,
  checkMs: 5_000,
};

/** As few as a client may expect (RFC 9113 section 6.5.2). */
const MAX_STREAMS = 100;
/** A client may send so much ahead of its being read, of all its bodies together. */
const CONNECTION_WINDOW_BYTES = 1024 * 1024;
/** Above what is accepted, so that a request with larger ones has its answer instead of a reset. */
const MAX_HEADER_LIST_BYTES = 64 * 1024;
/** Broken frames on one connection: no client sends so many. */
const MAX_INVALID_FRAMES = 100;

/** Options of Fastify and of Node for a port that speaks HTTP/2 and HTTP/1.1, by ALPN, over TLS 1.2 or newer. */
export function secureOptions(certificate: TlsCertificate, times: HttpTimes) {
  return {
    http2: true,
    http2SessionTimeout: times.silenceMs,
    https: {
      ...serverTls(certificate),
      allowHTTP1: true,
      noDelay: true,
      handshakeTimeout: times.handshakeMs,
      maxSessionInvalidFrames: MAX_INVALID_FRAMES,
      // A header with white space around its value, an Idempotency-Key say, would count as not sent; with Node 20 it does.
      strictFieldWhitespaceValidation: false,
      settings: {
        enablePush: false,
        maxConcurrentStreams: MAX_STREAMS,
        maxHeaderListSize: MAX_HEADER_LIST_BYTES,
      },
    },
  } as const;
}

/**
 * Sets up a server with these options: the bounds of HTTP/1.1, which Fastify leaves out beside HTTP/2, and an end of
 * all kinds of connections. To be called before it listens.
 */
export function setUpSecureServer(
  app: FastifyInstance,
  {
    times,
    handshakes,
    log,
  }: { readonly times: HttpTimes; readonly handshakes: Handshakes; readonly log: Logger },
): void {
  const server = app.server as unknown as Http2SecureServer & Server;
  const connections = new Set<Socket>();
  const sessions = new Map<ServerHttp2Session, TLSSocket>();
  let latest: ServerHttp2Session | undefined;
  let isClosing = false;

  Object.assign(server, {
    keepAliveTimeout: times.keepAliveMs,
    requestTimeout: times.requestMs,
    headersTimeout: times.headersMs,
    connectionsCheckingInterval: times.checkMs,
    // Node's own answer to a request without a Host has no body.
    requireHostHeader: false,
    // It has none, though HTTP servers do.
    closeAllConnections: () => {
      for (const socket of connections) socket.destroy();
    },
  });

  handshakes.watch(server);
  server.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  server.on("session", (session) => {
    latest = session;
    session.setLocalWindowSize(CONNECTION_WINDOW_BYTES);
  });
  // Node makes a session of a connection in an earlier listener.
  server.on("secureConnection", (socket: TLSSocket) => {
    if (socket.alpnProtocol !== "h2" || !latest) return;
    const session = latest;
    sessions.set(session, socket);
    session.once("close", () => sessions.delete(session));
    // The session leaves it to the client to close the connection, and some never do.
    socket.once("finish", () => endGently(socket));
    if (isClosing) session.close();
  });
  server.on("sessionError", (error) => log.debug({ err: error }, "HTTP/2 connection failed"));

  // Nor does a session close the connection of a client that takes nothing, as long as it has something to send.
  let over: readonly ServerHttp2Session[] = [];
  const sweep = setInterval(() => {
    for (const session of over) sessions.get(session)?.destroy();
    over = [...sessions.keys()].filter(({ destroyed }) => destroyed);
  }, times.checkMs).unref();
  app.addHook("onClose", async () => clearInterval(sweep));
  app.addHook("preClose", async () => {
    isClosing = true;
    handshakes.endAll();
    // Says GOAWAY; answers under way are finished.
    for (const session of sessions.keys()) session.close();
  });
}

/** For those who connect from now on; connections that are open keep theirs. */
export function replaceCertificate({ server }: FastifyInstance, certificate: TlsCertificate): void {
  (server as unknown as Server).setSecureContext(serverTls(certificate));
}
