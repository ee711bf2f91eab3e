import { domainOf } from "../message/address/addresses.ts";
import type { MessageBody } from "../message/content.ts";
import { type DkimSigner, signDkim } from "../message/dkim/sign.ts";
import { countFields } from "../message/header/count-fields.ts";
import { composeBody } from "../message/mime/compose-body.ts";
import { type SevenBit, toAsciiHeader, toSevenBit } from "../message/mime/seven-bit/to-seven-bit.ts";
import type { Reply } from "../message/replies/outcome.ts";
import type { TrackHtml, Untracked } from "../message/tracking/track-html.ts";
import { trackSource } from "../message/tracking/track-source.ts";
import {
  sourceWithListUnsubscribe,
  type UnsubscribeUrl,
  withListUnsubscribe,
} from "../message/unsubscribe/list-unsubscribe.ts";
import { signersFor, trackedOf, transportDkim, wantsListUnsubscribe } from "../routing/effects.ts";
import type { Clock } from "../shared/clock.ts";
import { FORWARD, SMTP_SUBMIT, settingsAccountOf } from "../shared/operations.ts";
import { failurePhrase, type Phrase, phrase } from "../shared/phrase.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import type { Envelope } from "../smtp-client/envelope.ts";
import type { MessageDocument } from "../store/message-documents.ts";
import type { PolicyDocument, TransportSettings } from "../store/policy-document.ts";
import { type AttemptOutcome, ownReply } from "./attempt-result.ts";
import type { Conversion, Mail } from "./transports/transport.ts";

export interface PrepareMailOptions {
  /** DKIM keys that sign for a domain of the account; empty: the message is sent unsigned. */
  readonly findSigners: (accountId: string, domain: string) => Promise<readonly DkimSigner[]>;
  /** Envelope sender of a message, to which bounces go. */
  readonly returnPathOf: (message: MessageDocument) => string | Promise<string>;
  /** Links of List-Unsubscribe; undefined: this worker does not know their target. */
  readonly unsubscribeUrl: UnsubscribeUrl | undefined;
  /** Creates pixels and links; undefined: this worker does not know their target. */
  readonly trackHtml: TrackHtml | undefined;
  /** Alias host for the links of a message; undefined: the base URL. Missing: no aliases. */
  readonly trackingBaseOf?: (message: MessageDocument) => Promise<string | undefined>;
  /** A message that has passed more servers is in a loop. */
  readonly maxHops: number;
  readonly clock: Clock;
}

/** A message in the form for the wire. */
export interface PreparedMail {
  /** The message for a transport, or the result without one. */
  readonly mailFor: (transport: TransportSettings) => Promise<Mail | AttemptOutcome>;
  /** Note that a requested tracking is missing, with the reason; undefined: none is. */
  readonly untracked: Phrase | undefined;
}

/**
 * Prepares a message for the wire, or returns its result without sending:
 *
 * 1. unsubscribe fields, if the policy requests them
 * 2. a pixel and tracked links, if the message or the policy requests them
 * 3. MIME, unless the sender has composed it
 * 4. the number of servers that it has passed
 * 5. the envelope
 * 6. for each used transport, DKIM signatures over the finished octets
 *
 * @throws Fault store.unavailable
 */
export async function prepareMail(
  message: MessageDocument,
  policy: PolicyDocument,
  body: MessageBody,
  options: PrepareMailOptions,
): Promise<PreparedMail | AttemptOutcome> {
  const { unsubscribeUrl, findSigners, maxHops, clock } = options;
  const wantsUnsubscribe = wantsListUnsubscribe(message, policy);
  if (wantsUnsubscribe && !unsubscribeUrl) return withoutBaseUrl;
  const domain = domainOf(message.from);
  // Mail of foreign senders is not signed.
  const isForeign = message.operation === FORWARD;
  const signers = isForeign ? [] : await findSigners(settingsAccountOf(message), domain);
  try {
    const url = wantsUnsubscribe ? unsubscribeUrl : undefined;
    const leavable = url ? withUnsubscribe(message, policy, body, url) : body;
    const { body: finished, untracked } = await withTracking(message, policy, leavable, options);
    const unsigned = composeBody(message, finished);
    const hops = countFields(unsigned, "received");
    if (hops > maxHops) return { kind: "bounced", reply: loopReply(hops) };
    const envelope = await envelopeOf(message, options);
    const sign: Sign = async (source, some) => withSignatures(source, domain, some, clock.now());
    return { mailFor: createMailFor({ message, envelope, unsigned, signers, sign }), untracked };
  } catch (error) {
    return failed(error);
  }
}

function failed(error: unknown): AttemptOutcome {
  return {
    kind: "failed",
    reply: ownReply(phrase("attempt.not_composed", { detail: failurePhrase(error).text })),
  };
}

type Sign = (source: Buffer, signers: readonly DkimSigner[]) => Promise<Buffer>;

interface MailForOptions extends Pick<Mail, "message" | "envelope"> {
  readonly unsigned: Buffer;
  /** All keys that sign for the domain. */
  readonly signers: readonly DkimSigner[];
  readonly sign: Sign;
}

/** Transports with the same signatures share the octets; only those of the last one are held. */
function createMailFor(options: MailForOptions): PreparedMail["mailFor"] {
  const { message, envelope, signers, sign } = options;
  const carriesSignature = countFields(options.unsigned, "dkim-signature") > 0;
  let { unsigned } = options;
  let last: { readonly key: string; readonly mail: Mail } | undefined;
  return async (transport) => {
    const chosen = signersFor(transportDkim(transport), signers, carriesSignature);
    const key = chosen.map(({ selector }) => selector).join(" ");
    if (last?.key === key) return last.mail;
    try {
      const source = await sign(unsigned, chosen);
      // A view of memory that is held anyway.
      unsigned = source.subarray(source.length - unsigned.length);
      const converted = convertOnce(unsigned, (octets) => sign(octets, chosen));
      last = { key, mail: { message, envelope, source, converted } };
      return last.mail;
    } catch (error) {
      return failed(error);
    }
  };
}

/** Deferred, because another worker may know the links: the policy promises that the mail has them. */
const withoutBaseUrl: AttemptOutcome = {
  kind: "deferred",
  reply: ownReply(phrase("attempt.no_unsubscribe_link")),
};

function withUnsubscribe(
  { _id: messageId, accountId, recipient }: MessageDocument,
  policy: PolicyDocument,
  body: MessageBody,
  unsubscribeUrl: UnsubscribeUrl,
): MessageBody {
  const url = () => unsubscribeUrl({ accountId, policy: policy.name, recipient, messageId });
  if (body.kind === "raw") return { kind: "raw", source: sourceWithListUnsubscribe(body.source, url) };
  return { kind: "composed", content: withListUnsubscribe(body.content, url) };
}

/** Missing tracking does not delay mail: it is sent without, and its timeline has a note. */
async function withTracking(
  message: MessageDocument,
  policy: PolicyDocument,
  body: MessageBody,
  { trackHtml, trackingBaseOf }: Pick<PrepareMailOptions, "trackHtml" | "trackingBaseOf">,
): Promise<{ readonly body: MessageBody; readonly untracked: Phrase | undefined }> {
  const tracked = trackedOf(message, policy);
  const hasHtml = body.kind === "raw" || body.content.html !== undefined;
  if (!hasHtml || !(tracked.opens || tracked.clicks)) return { body, untracked: undefined };
  if (!trackHtml)
    return {
      body,
      untracked: notTracked({ reason: "this worker needs an https HERMOD_BASE_URL", cause: "no_base_url" }),
    };
  const about = { messageId: message._id, tracked, base: await trackingBaseOf?.(message) };
  if (body.kind === "raw") {
    const result = await trackSource({ ...about, source: body.source, trackHtml });
    if (!result.ok) return { body, untracked: notTracked(result) };
    return { body: { kind: "raw", source: result.source }, untracked: undefined };
  }
  const { content } = body;
  const { html = "" } = content;
  const listUnsubscribe = content.headers
    .filter(({ name }) => name.toLowerCase() === "list-unsubscribe")
    .map(({ value }) => value);
  const result = await trackHtml({ ...about, html, listUnsubscribe });
  if (!result.ok) return { body, untracked: notTracked(result) };
  return { body: { kind: "composed", content: { ...content, html: result.html } }, untracked: undefined };
}

function notTracked({ reason, cause }: { readonly reason: string; readonly cause: Untracked }): Phrase {
  return phrase("attempt.not_tracked", { reason, cause });
}

async function withSignatures(
  source: Buffer,
  domain: string,
  signers: readonly DkimSigner[],
  now: Date,
): Promise<Buffer> {
  if (signers.length === 0) return source;
  return Buffer.concat([await signDkim({ source, domain, signers, now }), source]);
}

/** The reply for a message in a mail loop (RFC 3463 section 3.5). */
function loopReply(hops: number): Reply {
  return ownReply(phrase("attempt.loop", { hops }), { enhancedStatusCode: "5.4.6", category: "other" });
}

/** The message in the form that a server needs, created at the first use. Signatures are made of the sent octets. */
function convertOnce(unsigned: Buffer, sign: (source: Buffer) => Promise<Buffer>): Mail["converted"] {
  const conversions = new Map<string, Promise<SevenBit>>();
  const convert = async ({ header, body }: Conversion): Promise<SevenBit> => {
    const withHeader: SevenBit = header ? await toAsciiHeader(unsigned) : { ok: true, source: unsigned };
    const whole = withHeader.ok && body ? await toSevenBit(withHeader.source) : withHeader;
    return whole.ok ? { ok: true, source: await sign(whole.source) } : whole;
  };
  return (conversion) => {
    const key = JSON.stringify([conversion.header ?? false, conversion.body ?? false]);
    const known =
      conversions.get(key) ??
      convert(conversion).catch(
        (error): SevenBit => ({ ok: false, reason: `cannot be converted: ${error}`, cause: "failed" }),
      );
    conversions.set(key, known);
    return known;
  };
}

async function envelopeOf(message: MessageDocument, { returnPathOf }: PrepareMailOptions): Promise<Envelope> {
  const { recipient, notify, originalRecipient, envelopeId, returnContent } = message;
  const dsn = withoutUndefined({ notify, originalRecipient, envelopeId, returnContent });
  const isSubmitted = message.operation === SMTP_SUBMIT || message.operation === FORWARD;
  const legacyHeader = isSubmitted && !message.utf8Header;
  return { from: await returnPathOf(message), to: [recipient], dsn, legacyHeader };
}
