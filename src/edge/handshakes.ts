import type { Socket } from "node:net";
import type { Server, TLSSocket } from "node:tls";
import { connectionEnds } from "../shared/connection-ends.ts";
import type { Logger } from "../shared/logger.ts";

export interface HandshakesOptions {
  /** Answers and ends a connection of a client without TLS. */
  readonly refusePlain: (socket: Socket) => void;
  readonly log: Logger;
}

/** Connections of a TLS server before the end of their handshake, and so without a request. */
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

/** Follows the TLS handshakes of a server until each is done or has failed. */
export function createHandshakes({ refusePlain, log }: HandshakesOptions): Handshakes {
  /** By the ends of the connection, which are all that an encrypted socket has in common with the one below it. */
  const underWay = new Map<string, Socket>();

  function begin(socket: Socket): void {
    const ends = connectionEnds(socket);
    underWay.set(ends, socket);
    socket.once("close", () => {
      // A later connection may have the same ends.
      if (underWay.get(ends) === socket) underWay.delete(ends);
    });
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
      server.on("secureConnection", (encrypted) => underWay.delete(connectionEnds(encrypted)));
    },

    onError: (error, socket) => {
      // Null until the handshake is done, and not there without TLS (https://nodejs.org/api/tls.html#tlssocketalpnprotocol).
      if ((socket as Partial<TLSSocket>).alpnProtocol !== null) return false;
      log.debug({ err: error }, "TLS handshake failed");
      const below = NOT_TLS.has(error.code ?? "") ? underWay.get(connectionEnds(socket)) : undefined;
      if (below) answerPlain(below);
      else socket.destroy();
      return true;
    },

    endAll: () => {
      for (const socket of underWay.values()) socket.destroy();
    },
  };
}
