import { SERVICE_NOT_AVAILABLE } from "../message/replies/reply-rule.ts";
import type { Capabilities } from "./capabilities.ts";
import type { Channel } from "./channel.ts";
import { type Envelope, type EnvelopeCommands, envelopeCommands } from "./envelope.ts";
import { type MessageData, messageData } from "./message-data.ts";
import { abandoned, nonsense, refusal, SmtpError, type SmtpReply } from "./smtp-error.ts";
import type { SmtpTimeouts } from "./smtp-timeouts.ts";

export interface TransactionOptions {
  readonly channel: Channel;
  readonly capabilities: Capabilities;
  readonly timeouts: SmtpTimeouts;
}

/** One message on its way to a server. */
export interface Delivery {
  /**
   * Whether the message is still to be sent from here. Asked before every command and every block of the message, the
   * final dot among them, in the turn of the event loop in which they are written: a process that was stopped for a
   * while has to find out before it goes on.
   */
  readonly mayFinish?: (() => boolean) | undefined;
  /** Told when the final dot is about to leave: from now on the server may have the message. */
  readonly onFinishing?: (() => void) | undefined;
}

/** Octets written at once, each lot with its own time-out. */
const BLOCK_OCTETS = 64 * 1024;
/** What the system takes at once from a connection that is silent: the end of the message may go with it. */
const AT_ONCE_OCTETS = 16 * 1024;
const DATA = "DATA\r\n";
const NOTHING = Buffer.from(".\r\n");
const START_MAIL_INPUT = 354;

/**
 * One message (RFC 5321 section 3.3); the answer to its end. Nothing is sent unless every recipient is accepted.
 * @throws SmtpError
 */
export async function sendMessage(
  options: TransactionOptions,
  envelope: Envelope,
  source: Buffer,
  delivery: Delivery = {},
): Promise<SmtpReply> {
  const data = messageData(source);
  const commands = envelopeCommands(envelope, data, options.capabilities);
  if (delivery.mayFinish?.() === false) throw abandoned("mail");
  // With one recipient there is no doubt what an accepted DATA means.
  if (options.capabilities.pipelining && commands.rcpt.length === 1) await pipelined(options, commands);
  else await stepwise(options, commands, delivery);
  const reply = await sendData(options, data, delivery);
  return options.capabilities.dsn ? { ...reply, takesOverDsn: true } : reply;
}

/** All commands in one write, then their replies (RFC 2920). */
async function pipelined(options: TransactionOptions, { mail, rcpt }: EnvelopeCommands): Promise<void> {
  const { channel, timeouts } = options;
  channel.write(mail + rcpt.join("") + DATA, 3);
  const mailReply = await channel.reply("mail", timeouts.mailMs);
  if (isYes(mailReply)) {
    const rcptReply = await channel.reply("rcpt", timeouts.rcptMs);
    if (isYes(rcptReply)) return wantData(channel, timeouts);
    if (isRefusal(rcptReply)) await abandon(options);
    throw refusedBy(channel, "rcpt", rcptReply);
  }
  if (isRefusal(mailReply)) {
    const rcptReply = await channel.reply("rcpt", timeouts.rcptMs).catch(() => undefined);
    // Against all reason it has a recipient now: an empty message might be delivered.
    if (rcptReply && isYes(rcptReply)) channel.close();
    else if (rcptReply && isRefusal(rcptReply)) await abandon(options);
  }
  throw refusedBy(channel, "mail", mailReply);
}

/**
 * After a refusal, deals with the DATA that went out with the refused command. A server that wants a message all the
 * same gets an empty one, which it must refuse as it has no recipient (RFC 2920 section 3.1).
 */
async function abandon({ channel, timeouts }: TransactionOptions): Promise<void> {
  try {
    const reply = await channel.reply("data", timeouts.dataInitiationMs);
    if (isRefusal(reply)) return;
    if (reply.code !== START_MAIL_INPUT) throw refusedBy(channel, "data", reply);
    await channel.writeData([NOTHING], 1, timeouts.dataBlockMs);
    await channel.reply("data", timeouts.dataTerminationMs);
  } catch {
    // The connection is gone; the refusal that came before stands.
  }
}

async function stepwise(
  { channel, timeouts }: TransactionOptions,
  commands: EnvelopeCommands,
  { mayFinish }: Delivery,
): Promise<void> {
  channel.write(commands.mail, 1);
  const mailReply = await channel.reply("mail", timeouts.mailMs);
  if (!isYes(mailReply)) throw refusedBy(channel, "mail", mailReply);
  for (const rcpt of commands.rcpt) {
    if (mayFinish?.() === false) throw abandoned("rcpt");
    channel.write(rcpt, 1);
    const rcptReply = await channel.reply("rcpt", timeouts.rcptMs);
    if (!isYes(rcptReply)) throw refusedBy(channel, "rcpt", rcptReply);
  }
  if (mayFinish?.() === false) throw abandoned("data");
  channel.write(DATA, 1);
  await wantData(channel, timeouts);
}

async function wantData(channel: Channel, timeouts: SmtpTimeouts): Promise<void> {
  const reply = await channel.reply("data", timeouts.dataInitiationMs);
  if (reply.code === START_MAIL_INPUT) return;
  throw refusedBy(channel, "data", reply);
}

async function sendData(
  { channel, timeouts }: TransactionOptions,
  { octets, end }: MessageData,
  { mayFinish, onFinishing }: Delivery,
): Promise<SmtpReply> {
  // After 354 nothing but the end of the connection takes the message back (RFC 5321 section 4.1.1.4).
  const leaveIfOver = () => {
    if (mayFinish?.() === false) channel.abandon();
  };
  let rest = octets;
  while (rest.length > AT_ONCE_OCTETS) {
    const block = rest.subarray(0, BLOCK_OCTETS);
    rest = rest.subarray(block.length);
    leaveIfOver();
    // Taken by the system to its last octet: what it did not take would leave later, whoever has the message then.
    await channel.writeData([block], 0, timeouts.dataBlockMs);
  }
  leaveIfOver();
  const mayArrive = !channel.isClosed();
  if (mayArrive) onFinishing?.();
  try {
    await channel.writeData([rest, end], 1, timeouts.dataBlockMs);
    const reply = await channel.reply("data", timeouts.dataTerminationMs);
    if (isYes(reply)) return reply;
    throw refusedBy(channel, "data", reply);
  } catch (error) {
    if (!mayArrive || !(error instanceof SmtpError)) throw error;
    throw error.with(error.reply === undefined ? { dataBegun: true } : { afterDot: true });
  }
}

function isYes({ code }: SmtpReply): boolean {
  return code >= 200 && code < 300;
}

/** The answers to what follows it are still to come: neither nonsense nor the end of the channel. */
function isRefusal({ code }: SmtpReply): boolean {
  return code >= 400 && code !== SERVICE_NOT_AVAILABLE;
}

/** What to report; the connection stays only where both sides know what comes next on it. */
function refusedBy(channel: Channel, phase: "mail" | "rcpt" | "data", reply: SmtpReply): SmtpError {
  if (!isRefusal(reply)) channel.close();
  return reply.code >= 400 ? refusal(phase, reply) : nonsense(phase, reply);
}
