// smtp-server provides TLS and SASL. Commands, paths, parameters, dots and enhanced codes are implemented here, because
// they decide whether a message can be smuggled past a server.

import type { Socket } from "node:net";
import type { SMTPServerAuthentication, SMTPServerDataStream, SMTPServerSession } from "smtp-server";
import type { SMTPConnectionOptions } from "smtp-server/lib/smtp-connection.js";
import type { SMTPServerOptions } from "smtp-server/lib/smtp-server.js";
import { isLoopback } from "../../shared/address-range.ts";
import { type Arrived, ProxiedSmtpServer, type ProxyRules } from "../proxied-smtp-server.ts";
import { RelayConnection } from "./relay-connection.ts";
import type { Credential, RelayRules } from "./relay-rules.ts";
import { isReply, type Reply, reply, replyError } from "./reply.ts";
import type { SessionSlot } from "./session-slots.ts";

/** A connection before its session begins. */
interface Arrival {
  slot: SessionSlot | Reply;
  end: (reason: Reply) => void;
}

type Done<T = unknown> = (error?: Error | null, value?: T) => void;

const FULL = reply(421, "4.3.2", "Too many sessions. Try again later");

/** smtp-server with the sessions and rules of the relay. */
export class RelaySmtpServer extends ProxiedSmtpServer {
  readonly #rules: RelayRules;
  readonly #bySession = new WeakMap<SMTPServerSession, RelayConnection>();
  /** The base class removes a session at QUIT, but its socket may stay open for a while. */
  readonly #open = new Set<RelayConnection>();

  readonly #arrivals = new WeakMap<SMTPConnectionOptions, Arrival>();
  readonly #tlsFirst: boolean;

  #draining = false;
  #onEmpty = () => {};

  constructor(options: SMTPServerOptions, rules: RelayRules, proxies: ProxyRules) {
    super(options, proxies);
    this.#rules = rules;
    this.#tlsFirst = options.secure === true;
  }

  /** Takes a slot before TLS begins: a client that is silent in the handshake also counts. */
  override _handleProxy(socket: Socket, arrived: Arrived): void {
    super._handleProxy(socket, (error, options) => {
      if (error || !options) return arrived(error);
      // The socket below TLS must not be destroyed during a handshake.
      const arrival: Arrival = { slot: FULL, end: () => this.#topmost(socket).destroy() };
      const address = options.remoteAddress ?? socket.remoteAddress ?? "";
      const slot = this.#rules.admit(address, (reason) => arrival.end(reason));
      arrival.slot = slot;
      if (!isReply(slot)) socket.once("close", () => slot.release());
      else if (this.#tlsFirst) {
        socket.destroy();
        return arrived(new Error(slot.text));
      }
      this.#arrivals.set(options, arrival);
      arrived(null, options);
    });
  }

  #topmost(socket: Socket): Socket {
    return this._pendingSockets.get(socket) ?? socket;
  }

  /** Number of sessions with a transaction in progress. */
  get transactions(): number {
    return [...this.#open].filter((session) => session.inTransaction && !session.leaving).length;
  }

  /** Ends the sessions, each after its transaction, and refuses new ones. */
  drain(): void {
    this.#draining = true;
    for (const session of this.#open) session.end();
  }

  /** Ends the wait of the server for its sessions. */
  giveUp(): void {
    for (const session of this.#open) session.giveUp();
  }

  /** Destroys the sessions that are left. Resolves when they are closed. */
  destroySessions(): Promise<void> {
    for (const session of this.#open) session.destroy();
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
      if (this.#open.size === 0) resolve();
    });
  }

  override connect(socket: Socket, options: SMTPConnectionOptions | null = null): void {
    const arrival = (options && this.#arrivals.get(options)) ?? { slot: FULL, end: () => undefined };
    const connection = new RelayConnection(this, socket, options, this.#rules, arrival.slot);
    arrival.end = (reason) => connection.evict(reason);
    this.#bySession.set(connection.session, connection);
    this.connections.add(connection);
    this.#open.add(connection);
    // A client that disconnects during a session is not an error of the server.
    connection.on("error", (error) => this._onError(error));
    connection.init();
    if (this.#draining) connection.end();
  }

  override onConnect(session: SMTPServerSession, done: Done): void {
    const { insecureCredential } = this.#rules;
    if (insecureCredential && !isLoopback(session.remoteAddress)) {
      done(replyError(reply(554, "5.7.1", "Only connections from this machine are accepted")));
    } else {
      this.#trust(session);
      done();
    }
  }

  override onSecure(_socket: Socket, session: SMTPServerSession, done: Done): void {
    this.#trust(session);
    done();
  }

  #trust(session: SMTPServerSession): void {
    const { insecureCredential } = this.#rules;
    if (!insecureCredential) return;
    session.user = { ...insecureCredential, clientAddress: session.remoteAddress } satisfies Credential;
    this.#bySession.get(session)?.trusted();
  }

  override onAuth(
    { username = "", password, authzid = "" }: SMTPServerAuthentication,
    session: SMTPServerSession,
    done: Done<{ user?: Credential }>,
  ): void {
    const { remoteAddress: clientAddress } = session;
    const credential = { username, password: password ?? "", clientAddress };
    const connection = this.#bySession.get(session);
    const decided =
      authzid === "" || authzid === username
        ? this.#rules.authenticate(credential)
        : Promise.resolve(
            reply(535, "5.7.8", "A key acts only for itself. Leave the authorization identity empty"),
          );
    decided.then((answer) => {
      const refusal = isReply(answer) ? answer : connection?.authenticated(answer);
      if (refusal) done(replyError(refusal));
      else done(null, { user: credential });
    });
  }

  override onData(stream: SMTPServerDataStream, session: SMTPServerSession, done: Done<string>): void {
    // Without a listener, the error of a disconnecting client would end the process.
    stream.on("error", () => undefined);
    stream.once("end", () => this.#bySession.get(session)?.messageEnded());
    this.#accept(stream, this.#bySession.get(session)).then((answer) => {
      if (answer.code === 250) done(null, `${answer.enhanced} ${answer.text}`);
      else done(replyError(answer));
    });
  }

  async #accept(stream: SMTPServerDataStream, connection: RelayConnection | undefined): Promise<Reply> {
    if (!connection?.transaction) return reply(503, "5.5.1", "Issue MAIL before DATA");
    const answer = await this.#rules.acceptMessage(stream, connection.transaction);
    if (answer.code === 250) connection.messageTaken();
    if (answer.code === 535) connection.forgetCredential();
    return answer;
  }

  override onClose(session: SMTPServerSession): void {
    const connection = this.#bySession.get(session);
    if (connection) this.#open.delete(connection);
    if (this.#open.size === 0) this.#onEmpty();
  }
}
