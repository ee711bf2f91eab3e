import type { Socket } from "node:net";
import type { Server, TLSSocket } from "node:tls";
import { clientNetwork } from "../shared/client-network.ts";
import type { Logger } from "../shared/logger.ts";
import { createSessionGroups } from "../shared/session-groups.ts";

export interface HandshakesOptions {
  /** So many may be under way at once. */
  readonly max: number;
  /** Answers, and ends, a connection on which somebody speaks without TLS. */
  readonly refusePlain: (socket: Socket) => void;
  readonly log: Logger;
}

/** The connections of a TLS server before their handshake is done: nobody has asked anything on them yet. */
export interface Handshakes {
  /** To be called before the server listens. */
  watch(server: Server): void;
  /**
   * For the server's `clientError`.
   * @returns false: the handshake was done, so it is not about TLS
   */
  onError(error: NodeJS.ErrnoException, socket: Socket): boolean;
  endAll(): void;
}

/** OpenSSL's words for a first octet that no TLS client sends. */
const NOT_TLS = new Set([
  "ERR_SSL_HTTP_REQUEST",
  "ERR_SSL_HTTPS_PROXY_REQUEST",
  "ERR_SSL_WRONG_VERSION_NUMBER",
]);

/**
 * Bounds the handshakes under way: each holds memory for somebody who need not say a word. Who comes has a place; where
 * there is none, the oldest of the client with the most of them makes room.
 */
export function createHandshakes({ max, refusePlain, log }: HandshakesOptions): Handshakes {
  /** By the ends of the connection, which are all that an encrypted socket has in common with the one below it. */
  const underWay = new Map<string, Socket>();
  const byClient = createSessionGroups<Socket>();

  function begin(socket: Socket): void {
    const ends = endsOf(socket);
    const client = clientOf(socket);
    if (underWay.size >= max) makeRoom();
    underWay.set(ends, socket);
    byClient.add(client, socket);
    socket.once("close", () => remove(socket, ends, client));
  }

  function remove(socket: Socket, ends: string, client: string): void {
    byClient.remove(client, socket);
    // Another connection may have the same ends by now.
    if (underWay.get(ends) === socket) underWay.delete(ends);
  }

  function makeRoom(): void {
    const oldest = byClient.inLargest(first);
    if (!oldest) return;
    // It closes later than others come.
    remove(oldest, endsOf(oldest), clientOf(oldest));
    oldest.destroy();
  }

  function finish(encrypted: TLSSocket): void {
    const ends = endsOf(encrypted);
    const socket = underWay.get(ends);
    if (socket) remove(socket, ends, clientOf(encrypted));
  }

  function answerPlain(socket: Socket): void {
    // TLS destroys it next: that would take the answer away from a client that is still sending.
    socket.destroy = () => {
      Reflect.deleteProperty(socket, "destroy");
      refusePlain(socket);
      return socket;
    };
  }

  return {
    watch: (server) => {
      server.on("connection", begin);
      server.on("secureConnection", finish);
    },

    onError: (error, socket) => {
      // Null until the handshake is done, and not there without TLS (https://nodejs.org/api/tls.html#tlssocketalpnprotocol).
      if ((socket as Partial<TLSSocket>).alpnProtocol !== null) return false;
      log.debug({ err: error }, "TLS handshake failed");
      const below = NOT_TLS.has(error.code ?? "") ? underWay.get(endsOf(socket)) : undefined;
      if (below) answerPlain(below);
      else socket.destroy();
      return true;
    },

    endAll: () => {
      for (const socket of underWay.values()) socket.destroy();
    },
  };
}

function endsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return [remoteAddress, remotePort, localAddress, localPort].join(" ");
}

function clientOf({ remoteAddress = "" }: Socket): string {
  return clientNetwork(remoteAddress);
}

function first(ofClient: ReadonlySet<Socket>): Socket | undefined {
  return ofClient.values().next().value;
}
