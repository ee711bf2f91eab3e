// Only configured addresses may send the PROXY header, and they must send it. Otherwise any client could choose its
// address, or a misconfigured balancer would make all clients one.

import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server/lib/smtp-server.js";
import { addressAllowed } from "../shared/address-range.ts";
import { type ProxiedClient, readProxyHeader } from "./proxy-header.ts";

export interface ProxyRules {
  /** IP addresses and CIDR ranges of proxies. Only they send the PROXY header first. */
  readonly networks: readonly string[];
  /** Time limit for the PROXY header. */
  readonly headerWithinMs: number;
}

/** Callback with the data of a connection before its session begins. */
export type Arrived = Parameters<SMTPServer["_handleProxy"]>[1];

/**
 * smtp-server behind proxies. Its own parser of the PROXY protocol supports only version 1 and no address ranges, and
 * gives a proxy the timeout of a client.
 */
export class ProxiedSmtpServer extends SMTPServer {
  readonly #proxies: ProxyRules;

  constructor(options: SMTPServerOptions, proxies: ProxyRules) {
    super(options);
    this.#proxies = proxies;
  }

  override _expectsProxyHeader({ remoteAddress = "" }: Socket): boolean {
    const { networks } = this.#proxies;
    return networks.length > 0 && addressAllowed(networks, remoteAddress);
  }

  override _handleProxy(socket: Socket, arrived: Arrived): void {
    // Errors before the session begins end here.
    socket.on("error", () => undefined);
    if (!this._expectsProxyHeader(socket)) {
      setImmediate(() => this.#begin(socket, undefined, arrived));
      return;
    }
    readFrom(socket, this.#proxies.headerWithinMs).then(
      (client) => this.#begin(socket, client, arrived),
      (error: Error) => {
        socket.destroy();
        this._onError(error);
        arrived(error);
      },
    );
  }

  #begin(socket: Socket, client: ProxiedClient | undefined, arrived: Arrived): void {
    const named = client && { remoteAddress: client.address, remotePort: client.port };
    // The socket ended before the session could listen for its end, and does not emit the event again.
    if (socket.destroyed) arrived(new Error("The client disconnected before its session began."));
    else arrived(null, { id: randomUUID(), ...named });
  }
}

/** Removes the PROXY header from a connection. */
function readFrom(socket: Socket, withinMs: number): Promise<ProxiedClient | undefined> {
  let begun = Buffer.alloc(0);
  return new Promise((resolve, reject) => {
    const end = (act: () => void) => {
      clearTimeout(timer);
      socket.off("readable", read);
      socket.off("end", gone);
      socket.off("close", gone);
      act();
    };
    const fail = (message: string) => end(() => reject(new Error(message)));
    const gone = () => fail("The proxy disconnected before it sent its header.");
    const read = () => {
      for (let chunk = socket.read() as Buffer | null; chunk !== null; chunk = socket.read()) {
        begun = Buffer.concat([begun, chunk]);
        const header = readProxyHeader(begun);
        if (header.kind === "incomplete") continue;
        if (header.kind === "invalid") return fail("A proxy did not begin with the PROXY protocol.");
        return end(() => {
          const rest = begun.subarray(header.octets);
          if (rest.length > 0) socket.unshift(rest);
          resolve(header.client);
        });
      }
    };
    const timer = setTimeout(
      () => fail("A proxy did not send its PROXY protocol header in time."),
      withinMs,
    ).unref();
    socket.on("readable", read);
    socket.on("end", gone);
    socket.on("close", gone);
  });
}
