import { phrase } from "../shared/phrase.ts";
import { authenticate, type SmtpAuth } from "./authenticate.ts";
import { type Capabilities, readCapabilities } from "./capabilities.ts";
import type { Channel } from "./channel.ts";
import { type EncryptOptions, encrypt } from "./encrypt.ts";
import { nonsense, refusal, SmtpError, type SmtpReply } from "./smtp-error.ts";
import type { SmtpTimeouts } from "./smtp-timeouts.ts";

export interface SessionOptions {
  readonly channel: Channel;
  readonly timeouts: SmtpTimeouts;
  readonly heloName: string;
  /** The connection already uses TLS from the first octet. */
  readonly encrypted: boolean;
  /** Whether to use STARTTLS, and whether to continue if it is not offered. */
  readonly startTls: "never" | "if_offered" | "always";
  readonly encryption: Omit<EncryptOptions, "timeoutMs">;
  readonly auth: SmtpAuth | undefined;
}

export interface Session {
  readonly capabilities: Capabilities;
  readonly encrypted: boolean;
}

/**
 * Prepares a connection for sending messages: greeting, EHLO, STARTTLS and EHLO again, AUTH.
 * @throws SmtpError
 */
export async function beginSession(options: SessionOptions): Promise<Session> {
  const { channel, timeouts, heloName, startTls, encryption, auth } = options;
  const greeting = await channel.reply("connect", timeouts.greetingMs);
  if (greeting.code >= 400) throw refusal("connect", greeting);
  if (greeting.code >= 300) throw nonsense("connect", greeting);
  let capabilities = await hello(channel, heloName, timeouts);
  let { encrypted } = options;
  if (!encrypted && startTls !== "never") {
    if (capabilities.startTls) {
      await beginTls(channel, encryption, timeouts);
      encrypted = true;
      // Capabilities from plain text are discarded (RFC 3207 section 4.2).
      capabilities = await hello(channel, heloName, timeouts);
    } else if (startTls === "always") {
      throw new SmtpError(phrase("server.no_starttls"), { phase: "starttls", tls: true });
    }
  }
  if (auth) await authenticate({ channel, timeoutMs: timeouts.ehloMs, encrypted, capabilities, auth });
  return { capabilities, encrypted };
}

/** EHLO, or HELO if the server is too old for it (RFC 5321 section 3.2). */
async function hello(channel: Channel, name: string, { ehloMs }: SmtpTimeouts): Promise<Capabilities> {
  channel.write(`EHLO ${name}\r\n`, 1);
  let reply = await channel.reply("ehlo", ehloMs);
  if (reply.code >= 500) {
    channel.write(`HELO ${name}\r\n`, 1);
    reply = await channel.reply("ehlo", ehloMs);
    reply = { ...reply, text: reply.text.split("\n", 1)[0] ?? "" };
  }
  return readCapabilities(accepted("ehlo", reply).text);
}

async function beginTls(
  channel: Channel,
  encryption: Omit<EncryptOptions, "timeoutMs">,
  timeouts: SmtpTimeouts,
): Promise<void> {
  channel.write("STARTTLS\r\n", 1);
  const reply = await channel.reply("starttls", timeouts.ehloMs);
  if (reply.code >= 400) throw refusal("starttls", reply, { tls: true });
  accepted("starttls", reply);
  await channel.replace((socket) => encrypt(socket, { ...encryption, timeoutMs: timeouts.handshakeMs }));
}

function accepted(phase: "ehlo" | "starttls", reply: SmtpReply): SmtpReply {
  if (reply.code >= 400) throw refusal(phase, reply);
  if (reply.code >= 300) throw nonsense(phase, reply);
  return reply;
}
