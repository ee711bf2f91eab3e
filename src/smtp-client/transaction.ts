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

/** One message to send to a server. */
export interface Delivery {
  /**
   * Whether this worker may still send the message. Checked before every command and every block of the message,
   * including the final dot, in the same turn of the event loop as the write: a process that was suspended must find
   * out before it continues.
   */
  readonly mayFinish?: (() => boolean) | undefined;
  /** Called immediately before the final dot is sent. From then on, the server may have the message. */
  readonly onFinishing?: (() => void) | undefined;
}

/** Octets of one write, each with its own timeout. */
const BLOCK_OCTETS = 64 * 1024;
/** Octets that the system accepts at once for an idle connection. The end of the message may be sent with them. */
const AT_ONCE_OCTETS = 16 * 1024;
const DATA = "DATA\r\n";
const NOTHING = Buffer.from(".\r\n");
const START_MAIL_INPUT = 354;

/**
 * Sends one message (RFC 5321 section 3.3) and returns the reply to its end. Sends nothing unless every recipient is
 * accepted.
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
  // With one recipient, the meaning of an accepted DATA is unambiguous.
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
    // The server contradicts itself and has a recipient now, so an empty message might be delivered.
    if (rcptReply && isYes(rcptReply)) channel.close();
    else if (rcptReply && isRefusal(rcptReply)) await abandon(options);
  }
  throw refusedBy(channel, "mail", mailReply);
}

/**
 * Handles the DATA that was sent together with a refused command. A server that accepts DATA nevertheless gets an empty
 * message, which it must refuse because the message has no recipient (RFC 2920 section 3.1).
 */
async function abandon({ channel, timeouts }: TransactionOptions): Promise<void> {
  try {
    const reply = await channel.reply("data", timeouts.dataInitiationMs);
    if (isRefusal(reply)) return;
    if (reply.code !== START_MAIL_INPUT) throw refusedBy(channel, "data", reply);
    await channel.writeData([NOTHING], 1, timeouts.dataBlockMs);
    await channel.reply("data", timeouts.dataTerminationMs);
  } catch {
    // The connection is closed. The earlier refusal remains the result.
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
  // After 354, only closing the connection cancels the message (RFC 5321 section 4.1.1.4).
  const leaveIfOver = () => {
    if (mayFinish?.() === false) channel.abandon();
  };
  let rest = octets;
  while (rest.length > AT_ONCE_OCTETS) {
    const block = rest.subarray(0, BLOCK_OCTETS);
    rest = rest.subarray(block.length);
    leaveIfOver();
    // Waits until the system has accepted every octet: the rest would be sent later, even if another worker has the
    // message by then.
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

/** Replies to the following commands are still to come. This reply is neither unexpected nor the end of the channel. */
function isRefusal({ code }: SmtpReply): boolean {
  return code >= 400 && code !== SERVICE_NOT_AVAILABLE;
}

/** The error to report. The connection stays open only if both sides agree on its state. */
function refusedBy(channel: Channel, phase: "mail" | "rcpt" | "data", reply: SmtpReply): SmtpError {
  if (!isRefusal(reply)) channel.close();
  return reply.code >= 400 ? refusal(phase, reply) : nonsense(phase, reply);
}
