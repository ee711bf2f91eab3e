import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Http2SecureServer, Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Socket } from "node:net";
import { clientNetwork } from "./client-network.ts";
import { connectionEnds } from "./connection-ends.ts";
import { createSessionGroups } from "./session-groups.ts";

export interface SilentConnectionsOptions {
  /**
   * Maximum number of connections that wait for their first request, including TLS handshakes; 1,000 by default (50 MB
   * of TLS).
   */
  readonly maxNew?: number;
  /** Maximum number of connections that wait for another request; 5,000 by default (250 MB of TLS). */
  readonly maxIdle?: number;
  /** A connection without a first request ends after this time, in milliseconds. */
  readonly waitMs: number;
}

interface Connection {
  readonly socket: Socket;
  readonly client: string;
  /** Requests without a response. */
  requests: number;
  waitsIn: WaitingConnections | undefined;
}

interface WaitingConnections {
  add(connection: Connection): void;
  remove(connection: Connection): void;
}

/**
 * Limits the connections of an HTTP server without a request: each holds memory and a file descriptor for a client that
 * has shown no key. Beyond a limit, the server closes the longest waiting connection of the client with the most of
 * them, so one client cannot block others.
 *
 * Must be called before the server listens. The server may use TLS, HTTP/2, or both versions of HTTP.
 */
export function boundSilentConnections(
  server: Server | Http2SecureServer,
  { maxNew = 1_000, maxIdle = 5_000, waitMs }: SilentConnectionsOptions,
): void {
  /** By their ends, which an encrypted socket or an HTTP/2 stream shares with the socket below it. */
  const connections = new Map<string, Connection>();
  const unused = createWaitingConnections(maxNew);
  const idle = createWaitingConnections(maxIdle);

  (server as Server).on("connection", (socket: Socket) => {
    const ends = connectionEnds(socket);
    const client = clientNetwork(socket.remoteAddress ?? "");
    const connection: Connection = { socket, client, requests: 0, waitsIn: undefined };
    const timer = setTimeout(() => {
      if (connection.waitsIn === unused) socket.destroy();
    }, waitMs).unref();
    connections.set(ends, connection);
    unused.add(connection);
    socket.once("close", () => {
      clearTimeout(timer);
      connection.waitsIn?.remove(connection);
      // A later connection may have the same ends.
      if (connections.get(ends) === connection) connections.delete(ends);
    });
  });

  function begin(
    request: IncomingMessage | Http2ServerRequest,
    response: ServerResponse | Http2ServerResponse,
  ): void {
    const connection = connections.get(connectionEnds(request.socket));
    if (!connection) return;
    connection.waitsIn?.remove(connection);
    connection.requests++;
    response.once("close", () => {
      connection.requests--;
      if (connection.requests === 0 && !connection.socket.destroyed) idle.add(connection);
    });
  }
  (server as Server).on("request", begin);
}

function createWaitingConnections(max: number): WaitingConnections {
  const byClient = createSessionGroups<Connection>();
  let count = 0;

  const waiting: WaitingConnections = {
    add: (connection) => {
      if (count >= max) evictOldest();
      count++;
      byClient.add(connection.client, connection);
      connection.waitsIn = waiting;
    },
    remove: (connection) => {
      if (byClient.remove(connection.client, connection)) count--;
      connection.waitsIn = undefined;
    },
  };

  function evictOldest(): void {
    const oldest = byClient.inLargest((group) => group.values().next().value);
    if (!oldest) return;
    // Its close event comes after those of other connections.
    waiting.remove(oldest);
    oldest.socket.destroy();
  }

  return waiting;
}
