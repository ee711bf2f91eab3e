import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Http2SecureServer, Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Socket } from "node:net";
import { clientNetwork } from "./client-network.ts";
import { connectionEnds } from "./connection-ends.ts";
import { createSessionGroups } from "./session-groups.ts";

export interface SilentConnectionsOptions {
  /** At most so many connections wait for their first request, TLS handshakes included; 1,000 by default (50 MB of TLS). */
  readonly maxNew?: number;
  /** At most so many connections wait for another request; 5,000 by default (250 MB of TLS). */
  readonly maxIdle?: number;
  /** A connection without a first request ends after this time, in milliseconds. */
  readonly waitMs: number;
}

interface Connection {
  readonly socket: Socket;
  readonly client: string;
  /** Its requests without an answer. */
  requests: number;
  waitsIn: WaitingConnections | undefined;
}

interface WaitingConnections {
  add(connection: Connection): void;
  remove(connection: Connection): void;
}

/**
 * Bounds the connections of an HTTP server that carry no request: each holds memory and a file descriptor for a client
 * that has shown no key. Beyond a bound, the server closes the longest waiting connection of the client that has most
 * of them, so one client cannot take the places of others.
 *
 * To be called before the server listens. It may speak TLS, HTTP/2, or both versions of HTTP.
 */
export function boundSilentConnections(
  server: Server | Http2SecureServer,
  { maxNew = 1_000, maxIdle = 5_000, waitMs }: SilentConnectionsOptions,
): void {
  /** By their ends, which are all that an encrypted socket or a stream of HTTP/2 has in common with the one below it. */
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
      if (count >= max) makeRoom();
      count++;
      byClient.add(connection.client, connection);
      connection.waitsIn = waiting;
    },
    remove: (connection) => {
      if (byClient.remove(connection.client, connection)) count--;
      connection.waitsIn = undefined;
    },
  };

  function makeRoom(): void {
    const oldest = byClient.inLargest((group) => group.values().next().value);
    if (!oldest) return;
    // Its close comes later than other connections do.
    waiting.remove(oldest);
    oldest.socket.destroy();
  }

  return waiting;
}
