import type { Phrase } from "../shared/phrase.ts";
import type { TlsPeer } from "../transport-security/tls-demand.ts";
import type { SmtpAuth } from "./authenticate.ts";
import type { Capabilities } from "./capabilities.ts";
import { type Channel, createChannel } from "./channel.ts";
import { dial } from "./dial.ts";
import { encrypt } from "./encrypt.ts";
import type { Envelope } from "./envelope.ts";
import { heloName } from "./helo-name.ts";
import { beginSession } from "./session.ts";
import { abandoned, refusal, SmtpError, type SmtpReply } from "./smtp-error.ts";
import type { SmtpTimeouts } from "./smtp-timeouts.ts";
import { type Delivery, sendMessage } from "./transaction.ts";

/**
 * - `none`: never
 * - `opportunistic`: STARTTLS if the server offers it. A failed handshake is an error, and the caller decides about
 *   plain text
 * - `required`: STARTTLS, otherwise an error
 * - `implicit`: from the first octet
 */
export type SmtpTlsMode = "none" | "opportunistic" | "required" | "implicit";

export interface SmtpConnectionOptions {
  /** An IP address. */
  readonly host: string;
  readonly port: number;
  /** Source address; undefined: the system chooses. */
  readonly localAddress?: string | undefined;
  /** Name for EHLO; undefined: the name of the machine, or the local address if that name is not a DNS name. */
  readonly heloName?: string | undefined;
  readonly tls: SmtpTlsMode;
  /** Problem of the server after the TLS handshake, safe to show; undefined: none. */
  readonly verify?: ((peer: TlsPeer) => Phrase | undefined) | undefined;
  /** Name or address that the certificate must have, for SNI and `verify`. */
  readonly serverName: string;
  /** Used only over TLS. */
  readonly auth?: SmtpAuth | undefined;
  readonly timeouts: SmtpTimeouts;
  /**
   * Aborted: this process ends. A connection is closed immediately if the end of the message was not sent; otherwise
   * the server may reply for a moment longer.
   */
  readonly ending?: AbortSignal | undefined;
}

/** A connection for sending messages, one after the other. */
export interface SmtpConnection {
  readonly capabilities: Capabilities;
  readonly encrypted: boolean;
  /** Whether the connection is open and received no unexpected data. */
  isUsable(): boolean;
  /** Sends one message. After a refusal, `reset` makes the connection usable again. @throws SmtpError */
  send(envelope: Envelope, source: Buffer, mayFinish?: Delivery["mayFinish"]): Promise<SmtpReply>;
  /** RSET (RFC 5321 section 4.1.1.5). @throws SmtpError */
  reset(): Promise<void>;
  /** Sends QUIT without delaying the caller. */
  quit(): void;
  /** Closes the connection immediately. */
  close(): void;
  /** Called once, when the connection has ended for any reason. */
  onClosed(listener: () => void): void;
}

/** Time for the reply of a server that has the complete message while this process ends. */
export const LAST_ANSWER_MS = 1_500;

/**
 * Opens a connection and prepares it for sending messages.
 * @throws SmtpError
 */
export async function openSmtpConnection(options: SmtpConnectionOptions): Promise<SmtpConnection> {
  const { host, port, localAddress, timeouts, tls, serverName, verify, auth, ending } = options;
  const tcp = await dial({ host, port, localAddress, timeoutMs: timeouts.connectMs, ending });
  // A closed socket no longer has its local address.
  const { localAddress: sourceAddress } = tcp;
  const transcriptOf = ({ conversation }: Channel) => ({
    ...conversation.transcript(),
    ...(sourceAddress !== undefined && { sourceAddress }),
  });
  const withTranscript = (error: unknown, channel: Channel): unknown =>
    error instanceof SmtpError ? error.with({ transcript: transcriptOf(channel) }) : error;
  const isImplicit = tls === "implicit";
  const encryption = { serverName, verify };
  let finishing = false;
  let leave = (): void => void tcp.destroy();
  const onEnding = () => leave();
  ending?.addEventListener("abort", onEnding);
  tcp.once("close", () => ending?.removeEventListener("abort", onEnding));

  async function begin() {
    const socket = isImplicit ? await encrypt(tcp, { ...encryption, timeoutMs: timeouts.handshakeMs }) : tcp;
    const channel = createChannel(socket);
    leave = () => {
      if (finishing) setTimeout(channel.close, LAST_ANSWER_MS).unref();
      else channel.abandon();
    };
    const session = await beginSession({
      channel,
      timeouts,
      heloName: heloName(options.heloName, sourceAddress ?? ""),
      encrypted: isImplicit,
      startTls: tls === "required" ? "always" : tls === "opportunistic" ? "if_offered" : "never",
      encryption,
      auth,
    }).catch((error) => {
      channel.close();
      throw withTranscript(error, channel);
    });
    return { channel, session };
  }

  const { channel, session } = await begin().catch((error) => {
    throw ending?.aborted ? abandoned("connect") : error;
  });
  const transaction = { channel, timeouts, capabilities: session.capabilities };

  return {
    ...session,
    isUsable: channel.isIdle,
    send: async (envelope, source, mayFinish) => {
      const onFinishing = () => {
        finishing = true;
      };
      channel.conversation.begin();
      try {
        const reply = await sendMessage(transaction, envelope, source, { mayFinish, onFinishing });
        return { ...reply, transcript: transcriptOf(channel) };
      } catch (error) {
        throw withTranscript(error, channel);
      } finally {
        finishing = false;
        if (ending?.aborted) channel.close();
      }
    },
    reset: async () => {
      channel.write("RSET\r\n", 1);
      const reply = await channel.reply("mail", timeouts.resetMs);
      if (reply.code >= 300) throw refusal("mail", reply);
    },
    quit: () => {
      channel.write("QUIT\r\n", 1);
      channel.reply("connect", timeouts.resetMs).then(channel.close, () => undefined);
    },
    close: channel.close,
    onClosed: channel.onClosed,
  };
}
