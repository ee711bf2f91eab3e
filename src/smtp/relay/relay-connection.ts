import type { Socket } from "node:net";
import { SMTPConnection, type SMTPConnectionOptions } from "smtp-server/lib/smtp-connection.js";
import type { SMTPServer } from "smtp-server/lib/smtp-server.js";
import { CommandLines, type LineFault } from "./command-lines.ts";
import { type MailCommand, readMailCommand } from "./mail-command.ts";
import type { SessionOwner } from "./owner-slots.ts";
import { readRcptCommand } from "./rcpt-command.ts";
import type { Credential, RelayRules, Transaction } from "./relay-rules.ts";
import { enhancedCodeFor, isReply, type Reply, reply, splitEnhanced, tidy, UNCERTAIN } from "./reply.ts";
import { createSessionBudget } from "./session-budget.ts";
import type { SessionSlot } from "./session-slots.ts";
import { extensionsOf, protocolOf, refuseCommand, type SessionState } from "./session-state.ts";

/** RFC 5321 section 4.5.3.1.4 plus the parameters of all extensions, and RFC 4954 section 4. */
const MAX_LINE = 2048;
const MAX_AUTH_LINE = 12_288;
const GOODBYE_MS = 1_000;
/** BDAT is followed by a message, which must not be interpreted as commands. */
const ENDS_SESSION = new Set(["BDAT", "PROXY"]);

/** One session of the relay. The base class handles STARTTLS, SASL and the message stream, this class commands and replies. */
export class RelayConnection extends SMTPConnection {
  readonly #rules: RelayRules;
  readonly #budget;
  readonly #place: SessionSlot | Reply;
  #mail: MailCommand | undefined;
  readonly #recipients: Map<string, Transaction["recipients"][number]> = new Map();
  #ending = false;
  #unanswered = false;
  #dataTimer: NodeJS.Timeout | undefined;

  constructor(
    server: SMTPServer,
    socket: Socket,
    options: SMTPConnectionOptions | null,
    rules: RelayRules,
    slot: SessionSlot | Reply,
  ) {
    super(server, socket, options);
    this.#place = slot;
    this.#rules = rules;
    this.#budget = createSessionBudget();
  }

  get inTransaction(): boolean {
    return this.#mail !== undefined || this._handlerPending;
  }

  get leaving(): boolean {
    return this._closing || this._closed;
  }

  /** Accepts no new transaction: ends immediately, or after the transaction in progress. */
  end(): void {
    this.#ending = true;
    this.#leaveIfIdle();
  }

  /** Ends a session that lost its slot, after the reply and without waiting for the client. */
  evict(reason: Reply): void {
    this.answer(reason);
    // A socket in a handshake belongs to TLS, which has its own timeout.
    if (!this._upgrading) setTimeout(() => this.destroy(), GOODBYE_MS).unref();
  }

  /** The core accepted the key. Returns a reply if the session must end nevertheless. */
  authenticated(owner: SessionOwner): Reply | undefined {
    if (isReply(this.#place)) return undefined;
    return this.#place.authenticated({ owner, isIdle: () => !this.inTransaction });
  }

  /** The session need not authenticate. */
  trusted(): void {
    if (!isReply(this.#place)) this.#place.authenticated();
  }

  destroy(): void {
    this._socket.destroy();
  }

  /** The final dot of a message arrived. The core decides the reply. */
  messageEnded(): void {
    this.#unanswered = true;
  }

  /** The server stops waiting. The state of a message that the core has is unknown. */
  giveUp(): void {
    if (this.#unanswered && !this.leaving) this.answer(reply(421, "4.3.2", UNCERTAIN));
  }

  #leaveIfIdle(): void {
    if (this.#ending && !this.inTransaction && !this.leaving) {
      this.answer(reply(421, "4.3.2", "The server is shutting down"));
    }
  }

  get transaction(): Transaction | undefined {
    if (!this.#mail) return undefined;
    return {
      credential: this.session.user as Credential,
      mail: this.#mail,
      recipients: [...this.#recipients.values()],
      clientName: String(this.session.hostNameAppearsAs || ""),
      protocol: protocolOf(this.#state(), this.openingCommand === "EHLO", this.#mail.smtpUtf8),
    };
  }

  /** The core no longer accepts the key. The client must authenticate again. */
  forgetCredential(): void {
    this.session.user = undefined;
    if (!isReply(this.#place)) this.#place.unauthenticated();
  }

  answer({ code, enhanced, text }: Reply): void {
    this.send(code, `${enhanced} ${text}`);
  }

  // Greets one turn of the event loop after the connection, not after 100 ms: a client that has sent data by then did not wait.
  override init(): void {
    this._setListeners(() => {
      if (isReply(this.#place)) {
        this.evict(this.#place);
        return;
      }
      setImmediate(() => {
        if (!this._closing && !this._closed) this.connectionReady();
      });
    });
  }

  override _createParser(): CommandLines {
    return new CommandLines({
      onLine: (line, next) => this._onCommand(line, next),
      onFault: (fault) => this.#refuseLine(fault),
      maxLength: (line) =>
        this._nextHandler || /^auth /i.test(line.toString("latin1", 0, 5)) ? MAX_AUTH_LINE : MAX_LINE,
    });
  }

  #refuseLine(fault: LineFault): void {
    const text =
      fault === "too_long" ? "The line is too long" : "A line must end with CRLF and be UTF-8 text";
    this.answer(reply(500, "5.5.2", text));
    this.close();
  }

  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    const { enhanced, text } = typeof data === "string" ? splitEnhanced(data) : { text: data };
    const line = typeof text === "string" ? tidy(text) : text;
    super.send(code, line, enhanced ?? enhancedCodeFor(code, line) ?? context);
    if (code === 220 || code === 235) this._socket.setTimeout(this.#idleMs());
    const over = this.leaving ? undefined : this.#budget.spend(code, enhanced);
    if (over) this.answer(over);
    else if (this.#ending) setImmediate(() => this.#leaveIfIdle());
  }

  override _getEnhancedStatusCode(code: number, context?: string | false): string {
    return context && /^\d\./.test(context) ? context : super._getEnhancedStatusCode(code, context);
  }

  override _onCommand(command: Buffer, callback: () => void = () => undefined): void {
    const [verb = "", ...words] = command.toString().split(" ");
    const name = verb.toUpperCase();
    const isOther = this._upgrading || this._nextHandler;
    const refusal = isOther
      ? undefined
      : (refuseCommand(name, words, this.#state()) ?? this.#budget.command(name));
    if (refusal) {
      this.answer(refusal);
      if (!this._ready || ENDS_SESSION.has(name)) this.close();
      this._whenWritable(callback);
    } else super._onCommand(command, callback);
  }

  #state(): SessionState {
    return {
      isReady: this._ready,
      isEnding: this.#ending,
      inTransaction: this.inTransaction,
      isSecure: this.secure,
      isAuthenticated: Boolean(this.session.user),
    };
  }

  override handler_EHLO(command: Buffer, callback: () => void): void {
    const [, name = "", ...more] = command.toString().trim().split(/ +/);
    if (!/^[!-~]{1,255}$/.test(name) || more.length > 0) {
      this.answer(reply(501, "5.5.4", "Syntax: EHLO hostname"));
    } else {
      this.hostNameAppearsAs = name.toLowerCase();
      this._resetSession();
      this.send(250, [this.name, ...extensionsOf(this.#state(), this.#rules)], false);
    }
    callback();
  }

  override handler_AUTH(command: Buffer, callback: () => void): void {
    if (this.secure) super.handler_AUTH(command, callback);
    else {
      this.answer(reply(538, "5.7.11", "Issue STARTTLS first: passwords require TLS"));
      callback();
    }
  }

  override handler_MAIL(command: Buffer, callback: () => void): void {
    this.#takeSender(command.toString()).then((answer) => {
      this.answer(answer);
      callback();
    });
  }

  async #takeSender(line: string): Promise<Reply> {
    if (this.#mail) return reply(503, "5.5.1", "MAIL was already issued. Issue RSET to start again");
    const mail = readMailCommand(line, this.#rules.maxBytes);
    if (isReply(mail)) return mail;
    const refusal = await this.#rules.checkSender(this.session.user as Credential, mail.address);
    if (refusal?.code === 535) this.forgetCredential();
    if (refusal) return refusal;
    this.#mail = mail;
    this.session.envelope.mailFrom = { address: mail.address, args: false };
    return reply(250, "2.1.0", "Sender accepted");
  }

  override handler_RCPT(command: Buffer, callback: () => void): void {
    this.answer(this.#takeRecipient(command.toString()));
    callback();
  }

  #takeRecipient(line: string): Reply {
    if (!this.#mail) return reply(503, "5.5.1", "Issue MAIL before RCPT");
    const recipient = readRcptCommand(line, this.#mail.smtpUtf8);
    if (isReply(recipient)) return recipient;
    const { address } = recipient;
    if (this.#recipients.size >= this.#rules.maxRecipients && !this.#recipients.has(address)) {
      return reply(
        452,
        "4.5.3",
        `More than ${this.#rules.maxRecipients} recipients. Send the rest in another transaction`,
      );
    }
    // A repeated recipient counts once, with its last parameters.
    if (!this.#recipients.has(address)) this.session.envelope.rcptTo.push({ address, args: false });
    this.#recipients.set(address, recipient);
    return reply(250, "2.1.5", "Recipient accepted");
  }

  override handler_DATA(command: Buffer, callback: () => void): void {
    if (this.#mail && this.#recipients.size > 0) {
      this.#dataTimer = setTimeout(() => this.#onDataLate(), this.#rules.dataTimeoutMs).unref();
      super.handler_DATA(command, callback);
    } else {
      this.answer(reply(503, "5.5.1", `Issue ${this.#mail ? "RCPT" : "MAIL"} before DATA`));
      callback();
    }
  }

  /** Single octets reset the idle timeout, but a message must end in time. */
  #onDataLate(): void {
    const parser = this._parser || undefined;
    if (parser?._dataMode) this.send(421, "4.4.2 The message took too long");
  }

  #idleMs(): number {
    const { idleTimeoutMs, unauthenticatedTimeoutMs } = this.#rules;
    return this.session.user ? idleTimeoutMs : unauthenticatedTimeoutMs;
  }

  override _armTimeout(socket: Socket = this._socket): void {
    socket.setTimeout(this.#idleMs(), () => this._onTimeout());
  }

  override _onTimeout(): void {
    // The client is not idle while the server does not read because the core has not accepted the earlier data.
    const parser = this._parser || undefined;
    const waiting = parser?._dataMode && parser.writableLength > 0;
    if (waiting && !this._closing) this._armTimeout();
    else super._onTimeout();
  }

  override _resetSession(): void {
    super._resetSession();
    clearTimeout(this.#dataTimer);
    this.#unanswered = false;
    this.#mail = undefined;
    this.#recipients.clear();
  }

  override _onClose(): void {
    clearTimeout(this.#dataTimer);
    if (!isReply(this.#place)) this.#place.release();
    super._onClose();
  }

  /** A message was accepted, so the session is not merely idle. */
  messageTaken(): void {
    this.#budget.renew();
    if (!isReply(this.#place)) this.#place.used();
  }
}
