import { type DailyRollup, mainSender } from "../../rollups/daily-rollup.ts";
import { OTHER_SOURCES } from "../../rollups/fold-sources.ts";
import { type Phrase, phrase, phrases } from "../../shared/phrase.ts";
import { type Evaluation, fixFields, observedFields } from "../check-result.ts";

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
  /** Name of the service, or the address; `OTHER_SOURCES`: many addresses. */
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
  const observed = unknownMessages > 0 ? onlyUnknown(unknownMessages) : phrase("alignment.no_mail");
  return { status: "not_tested", ...observedFields(observed), lines: [] };
}

function evaluateReports(domain: string, own: readonly Source[], unknown: readonly Source[]) {
  const messages = sumOf(own, (source) => source.messages);
  const aligned = sumOf(own, (source) => source.aligned);
  const share = aligned / messages;
  const status =
    share >= GOOD_SHARE ? "pass" : share >= FAIR_SHARE || messages < FEW_MESSAGES ? "warn" : "fail";
  const byLost = [...own].sort((one, other) => lostOf(other) - lostOf(one) || other.messages - one.messages);
  const [worst] = byLost;
  const unknownMessages = sumOf(unknown, (source) => source.messages);
  const observed = phrases(
    reported(messages, percent(share)),
    worst && lostOf(worst) > 0 && mostLost(worst),
    unknownMessages > 0 && notCounted(unknownMessages),
  );
  const lines = byLost
    .slice(0, MAX_LINES)
    .map((one) => `${shownName(one)}: ${number(one.aligned)} of ${number(one.messages)} aligned`);
  const fix = fixFields(phrase("alignment.configure", { source: worst?.name ?? "", domain }));
  return {
    ...({ status, ...observedFields(observed), lines } as const),
    ...(status !== "pass" && { fix }),
  };
}

function reported(count: number, percentage: number): Phrase {
  return count === 1
    ? phrase("alignment.reported_one", { percent: percentage })
    : phrase("alignment.reported", { count, percent: percentage });
}

function mostLost(worst: Source): Phrase {
  return phrase("alignment.most_lost", {
    source: worst.name,
    lost: lostOf(worst),
    count: worst.messages,
  });
}

function notCounted(count: number): Phrase {
  return count === 1 ? phrase("alignment.not_counted_one") : phrase("alignment.not_counted", { count });
}

function onlyUnknown(count: number): Phrase {
  return count === 1 ? phrase("alignment.only_unknown_one") : phrase("alignment.only_unknown", { count });
}

/**
 * No receiver has reported the result, so nothing fails for certain: mail may have been signed before Hermod received
 * it.
 */
function evaluateOwn({ domain, own: { messages, alignedBy } }: AlignmentSubject) {
  const lines = [
    `Hermod: ${messages === 1 ? "one message" : `${number(messages)} messages`}, aligned by ${alignedBy.replace("_", " ")}`,
  ];
  const sent =
    messages === 1
      ? phrase("alignment.sent_one", { aligned_by: alignedBy })
      : phrase("alignment.sent", { count: messages, aligned_by: alignedBy });
  const unreported = phrase("alignment.unreported");
  if (alignedBy === "signature")
    return { status: "pass", ...observedFields(phrases(sent, unreported)), lines } as const;
  const risk =
    alignedBy === "return_path"
      ? phrase("alignment.not_when_forwarded")
      : phrase("alignment.not_unless_signed");
  return {
    status: "warn",
    ...observedFields(phrases(sent, risk, unreported)),
    lines,
    fix: fixFields(phrase("alignment.add_domain", { domain })),
  } as const;
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
    const name = sender ?? sourceIp;
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

function shownName({ name }: Source): string {
  return name === OTHER_SOURCES ? "many other addresses" : name;
}

function number(count: number): string {
  return count.toLocaleString("en");
}

/** Rounds down, so that the share is never overstated. */
function percent(share: number): number {
  return Math.floor(share * 1_000) / 10;
}
