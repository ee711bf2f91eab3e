import { type DailyRollup, mainSender } from "../../rollups/daily-rollup.ts";
import { OTHER_SOURCES } from "../../rollups/fold-sources.ts";
import type { Judgement } from "../check-result.ts";

/** What is known of the mail that leaves in a domain's name. */
export interface MailFacts {
  /** What receivers have reported of the last 30 days, by source. */
  readonly sources: readonly DailyRollup[];
  /** What Hermod has sent for the same account in these days. */
  readonly own: {
    readonly messages: number;
    /**
     * - `signature`: they are signed with a key of the domain, which is published
     * - `return_path`: their return path is in the same organisation, and no more is known
     * - `nothing`: neither, as far as is known
     */
    readonly alignedBy: "signature" | "return_path" | "nothing";
  };
}

export interface AlignmentSubject extends MailFacts {
  readonly domain: string;
  /** From which the domain's mail leaves, as its owner says. */
  readonly addresses: readonly string[];
}

/** Up to a fiftieth may be lost to what nobody can mend: lists that rewrite mail, forwarding that breaks signatures. */
const GOOD_SHARE = 0.98;
const FAIR_SHARE = 0.9;
/** From so few messages nothing bad is concluded. */
const FEW_MESSAGES = 20;
const MAX_LINES = 10;

interface Source {
  /** The service, or the address. */
  readonly name: string;
  readonly messages: number;
  readonly aligned: number;
}

/**
 * `auth.dmarc.alignment`, with a line for each source as evidence. Mail of sources that are not known as the domain's own says
 * nothing of it: anybody can write its name into mail.
 */
export function judgeAlignment(subject: AlignmentSubject): Judgement & { readonly lines: readonly string[] } {
  const { own, unknown } = sortSources(subject);
  const messages = sumOf(own, (source) => source.messages);
  if (messages > 0) return judgeReports(subject.domain, own, unknown);
  if (subject.own.messages > 0) return judgeOwn(subject);
  const strangers = sumOf(unknown, (source) => source.messages);
  const observed =
    strangers > 0
      ? `Receivers report ${messagesText(strangers)} of the last 30 days, all of them from sources that are not known as the domain's own.`
      : "Records do not tell: mail of the domain does, and reports about it. None of the last 30 days is known.";
  return { status: "not_tested", observed, lines: [] };
}

function judgeReports(domain: string, own: readonly Source[], unknown: readonly Source[]) {
  const messages = sumOf(own, (source) => source.messages);
  const aligned = sumOf(own, (source) => source.aligned);
  const share = aligned / messages;
  const status =
    share >= GOOD_SHARE ? "pass" : share >= FAIR_SHARE || messages < FEW_MESSAGES ? "warn" : "fail";
  const byLost = [...own].sort((one, other) => lostOf(other) - lostOf(one) || other.messages - one.messages);
  const [worst] = byLost;
  const told = [
    `Receivers report ${messagesText(messages)} of the domain's own senders within 30 days: ${percent(share)} % passed SPF or DKIM with a domain that is aligned with From.`,
  ];
  if (worst && lostOf(worst) > 0)
    told.push(
      `The most that did not came from ${worst.name}: ${number(lostOf(worst))} of ${number(worst.messages)}.`,
    );
  const strangers = sumOf(unknown, (source) => source.messages);
  if (strangers > 0)
    told.push(`${messagesText(strangers)} from sources that are not known as its own do not count.`);
  const lines = byLost
    .slice(0, MAX_LINES)
    .map(({ name, ...source }) => `${name}: ${number(source.aligned)} of ${number(source.messages)} aligned`);
  const text = `Have ${worst?.name} sign with DKIM as ${domain}, or send with a return path at or below it.`;
  return {
    ...({ status, observed: told.join(" "), lines } as const),
    ...(status !== "pass" && { fix: { text } }),
  };
}

/** Nobody has told how it arrives, and so nothing fails for sure: mail may be signed before it comes to Hermod. */
function judgeOwn({ domain, own: { messages, alignedBy } }: AlignmentSubject) {
  const sent = `Hermod has sent ${messagesText(messages)} from the domain within 30 days`;
  const lines = [`Hermod: ${messagesText(messages)}, aligned by ${alignedBy.replace("_", " ")}`];
  const unreported = "No receiver has reported yet.";
  if (alignedBy === "signature") {
    const observed = `${sent}, signed with its DKIM key, and so aligned. ${unreported}`;
    return { status: "pass", observed, lines } as const;
  }
  const text = `Add ${domain} to Hermod's sending domains, and publish the records that it names.`;
  const how =
    alignedBy === "return_path"
      ? "with a return path in the same organisation, and without a signature of the domain: where they are forwarded nothing is aligned."
      : "without a signature or a return path of the domain: unless they were signed before, nothing is aligned.";
  return { status: "warn", observed: `${sent}, ${how} ${unreported}`, lines, fix: { text } } as const;
}

/**
 * Own are the addresses that the owner names, services that are known, and whatever passes most of the time: without access to
 * the domain's zone or keys nothing does.
 */
function sortSources({ sources, addresses }: AlignmentSubject) {
  const own = new Map<string, Source>();
  const unknown = new Map<string, Source>();
  for (const rollup of sources) {
    const { sourceIp, alignment, overridden } = rollup;
    const sender = mainSender(rollup);
    const aligned = alignment.both + alignment.dkim + alignment.spf;
    // The receiver has taken it for forwarded, or knows better for another reason.
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

/** Never rounded up to what it is not. */
function percent(share: number): string {
  return String(Math.floor(share * 1_000) / 10);
}
