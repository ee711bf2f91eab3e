import { type DailyRollup, mainSender } from "../../rollups/daily-rollup.ts";
import { OTHER_SOURCES } from "../../rollups/fold-sources.ts";
import type { Evaluation } from "../check-result.ts";

/** Facts about the mail that is sent in a domain's name. */
export interface MailFacts {
  /** Reports of receivers about the last 30 days, by source. */
  readonly sources: readonly DailyRollup[];
  /** Mail that Hermod has sent for the same account in these days. */
  readonly own: {
    readonly messages: number;
    /**
     * - `signature`: the messages are signed with a published key of the domain
     * - `return_path`: their return path is in the same organization; a signature is not known
     * - `nothing`: neither is known
     */
    readonly alignedBy: "signature" | "return_path" | "nothing";
  };
}

export interface AlignmentSubject extends MailFacts {
  readonly domain: string;
  /** Sending addresses of the domain, as configured by its owner. */
  readonly addresses: readonly string[];
}

/**
 * Up to 2 % may be lost for reasons that the owner cannot change: mailing lists that rewrite mail, and forwarding
 * that breaks signatures.
 */
const GOOD_SHARE = 0.98;
const FAIR_SHARE = 0.9;
/** Below this number of messages, the check does not conclude a problem. */
const FEW_MESSAGES = 20;
const MAX_LINES = 10;

interface Source {
  /** Name of the service, or the address. */
  readonly name: string;
  readonly messages: number;
  readonly aligned: number;
}

/**
 * Judges `auth.dmarc.alignment`, with one line of evidence for each source. Mail from unknown sources does not count:
 * anyone can write the domain's name into mail.
 */
export function evaluateAlignment(
  subject: AlignmentSubject,
): Evaluation & { readonly lines: readonly string[] } {
  const { own, unknown } = sortSources(subject);
  const messages = sumOf(own, (source) => source.messages);
  if (messages > 0) return evaluateReports(subject.domain, own, unknown);
  if (subject.own.messages > 0) return evaluateOwn(subject);
  const unknownMessages = sumOf(unknown, (source) => source.messages);
  const observed =
    unknownMessages > 0
      ? `Receivers report ${messagesText(unknownMessages)} within the last 30 days, all from sources that are not known as the domain's own.`
      : "Alignment cannot be measured from DNS records. It needs mail of the domain or reports about it, and there are none from the last 30 days.";
  return { status: "not_tested", observed, lines: [] };
}

function evaluateReports(domain: string, own: readonly Source[], unknown: readonly Source[]) {
  const messages = sumOf(own, (source) => source.messages);
  const aligned = sumOf(own, (source) => source.aligned);
  const share = aligned / messages;
  const status =
    share >= GOOD_SHARE ? "pass" : share >= FAIR_SHARE || messages < FEW_MESSAGES ? "warn" : "fail";
  const byLost = [...own].sort((one, other) => lostOf(other) - lostOf(one) || other.messages - one.messages);
  const [worst] = byLost;
  const texts = [
    `Receivers report ${messagesText(messages)} from the domain's own senders within 30 days. ${percent(share)} % passed SPF or DKIM with a domain that is aligned with From.`,
  ];
  if (worst && lostOf(worst) > 0)
    texts.push(
      `Most of the unaligned mail came from ${worst.name}: ${number(lostOf(worst))} of ${number(worst.messages)} messages.`,
    );
  const unknownMessages = sumOf(unknown, (source) => source.messages);
  if (unknownMessages > 0)
    texts.push(`Mail from other sources does not count: ${messagesText(unknownMessages)}.`);
  const lines = byLost
    .slice(0, MAX_LINES)
    .map(({ name, ...source }) => `${name}: ${number(source.aligned)} of ${number(source.messages)} aligned`);
  const text = `Configure ${worst?.name} to sign with DKIM as ${domain}, or to use a return path at or below it.`;
  return {
    ...({ status, observed: texts.join(" "), lines } as const),
    ...(status !== "pass" && { fix: { text } }),
  };
}

/**
 * No receiver has reported the result, so nothing fails for certain: mail may have been signed before Hermod received
 * it.
 */
function evaluateOwn({ domain, own: { messages, alignedBy } }: AlignmentSubject) {
  const sent = `Hermod has sent ${messagesText(messages)} from the domain within 30 days`;
  const lines = [`Hermod: ${messagesText(messages)}, aligned by ${alignedBy.replace("_", " ")}`];
  const unreported = "No receiver has reported yet.";
  if (alignedBy === "signature") {
    const observed = `${sent}, signed with its DKIM key and therefore aligned. ${unreported}`;
    return { status: "pass", observed, lines } as const;
  }
  const text = `Add ${domain} to Hermod's sending domains, and publish the records that it lists.`;
  const how =
    alignedBy === "return_path"
      ? "with a return path in the same organization but no signature of the domain. Forwarded mail is not aligned."
      : "without a signature or a return path of the domain. The mail is not aligned unless it was signed before.";
  return { status: "warn", observed: `${sent}, ${how} ${unreported}`, lines, fix: { text } } as const;
}

/**
 * Classifies the sources. A source is the domain's own if the owner lists its address, if it is a known service, or
 * if most of its mail passes: without access to the domain's zone or keys, no source can pass.
 */
function sortSources({ sources, addresses }: AlignmentSubject) {
  const own = new Map<string, Source>();
  const unknown = new Map<string, Source>();
  for (const rollup of sources) {
    const { sourceIp, alignment, overridden } = rollup;
    const sender = mainSender(rollup);
    const aligned = alignment.both + alignment.dkim + alignment.spf;
    // The receiver has classified the message as forwarded, or overrode the policy for another reason.
    const messages = aligned + Math.max(0, alignment.none - overridden);
    const isOwn = sender !== undefined || addresses.includes(sourceIp) || 2 * aligned >= messages;
    const sorted = isOwn ? own : unknown;
    const name = sender ?? (sourceIp === OTHER_SOURCES ? "many other addresses" : sourceIp);
    const before = sorted.get(name);
    sorted.set(name, {
      name,
      messages: (before?.messages ?? 0) + messages,
      aligned: (before?.aligned ?? 0) + aligned,
    });
  }
  return { own: [...own.values()], unknown: [...unknown.values()] };
}

function lostOf({ messages, aligned }: Source): number {
  return messages - aligned;
}

function sumOf(sources: readonly Source[], read: (source: Source) => number): number {
  return sources.reduce((sum, source) => sum + read(source), 0);
}

function messagesText(count: number): string {
  return count === 1 ? "one message" : `${number(count)} messages`;
}

function number(count: number): string {
  return count.toLocaleString("en");
}

/** Rounds down, so that the share is never overstated. */
function percent(share: number): string {
  return String(Math.floor(share * 1_000) / 10);
}
