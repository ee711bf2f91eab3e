import { minuteText } from "../../shared/minute-text.ts";
import type { CatalogueEntry } from "../catalogue.ts";
import type { CheckResult, CheckStatus, Evidence, Fix } from "../check-result.ts";
import { type Blacklist, kindsOf } from "./blacklist.ts";
import { type Standing, shownState } from "./listing.ts";
import { isOpen, type ListChoice } from "./open-lists.ts";
import { type Subject, subjectsOf } from "./subject.ts";

export interface BlacklistFacts {
  /** In A-labels. */
  readonly domain: string;
  /** Sending addresses of the domain. */
  readonly addresses: readonly string[];
  readonly lists: readonly ListChoice[];
  /** Stored state; undefined: the subject was not checked yet. */
  readonly standingOf: (listId: string, subject: string) => Standing | undefined;
  readonly now: Date;
}

/** One check for each list, in the lists' order, from stored states. No list is queried. */
export function checkBlacklists({ lists, ...facts }: BlacklistFacts): readonly CheckResult[] {
  return lists.map((choice) => checkList(choice, facts));
}

/** Catalogue entry of a list's check, with its weight in the score. */
export function catalogueEntryOf(list: Blacklist): CatalogueEntry {
  const { weight, name, terms } = list;
  return { category: "reputation", weight, title: `${name} has no entry`, reference: terms.url };
}

const MAX_SUBJECTS_NAMED = 5;
const MAX_EVIDENCE = 20;

/** Finding about one subject. */
interface Finding {
  readonly status: CheckStatus;
  readonly text: string;
  readonly evidence: readonly Evidence[];
}

/** The worst status first. An unknown status ranks before a pass. */
const BY_SEVERITY: readonly CheckStatus[] = ["fail", "error", "not_tested", "warn", "pass"];

function checkList(choice: ListChoice, facts: Omit<BlacklistFacts, "lists">): CheckResult {
  const { list } = choice;
  const id = `bl.${list.id}` as const;
  const expected = `${list.name} lists neither the domain nor a sending address of it.`;
  const notTested = (observed: string) =>
    ({ id, status: "not_tested", observed, expected, evidence: [] }) as const;
  if (!isOpen(choice)) return notTested(`Hermod does not query ${list.name}: ${choice.notConfigured}.`);
  const subjects = subjectsOf(list, facts.domain, facts.addresses);
  if (subjects.length === 0) return notTested(`Hermod does not query ${list.name}: ${nothingToAsk(list)}.`);

  const findings = subjects
    .map((subject) => findingOf(list, subject, facts))
    .sort((a, b) => BY_SEVERITY.indexOf(a.status) - BY_SEVERITY.indexOf(b.status));
  const status = findings[0]?.status ?? "not_tested";
  const texts = findings.slice(0, MAX_SUBJECTS_NAMED).map(({ text }) => text);
  const more = findings.length - texts.length;
  const observed = [...texts, ...(more > 0 ? [`${more} more have the same or a better status.`] : [])].join(
    " ",
  );
  const evidence = findings.flatMap((one) => one.evidence).slice(0, MAX_EVIDENCE);
  return { id, status, observed, expected, evidence, ...(status === "fail" && { fix: fixOf(list) }) };
}

function nothingToAsk(list: Blacklist): string {
  return kindsOf(list).includes("domain")
    ? "the domain is a public suffix or not a name that the list can contain"
    : "no public sending address of a kind that the list contains is known";
}

function findingOf(
  list: Blacklist,
  { value }: Subject,
  { standingOf, now }: Omit<BlacklistFacts, "lists">,
): Finding {
  const standing = standingOf(list.id, value);
  const state = shownState(standing, now);
  if (!standing || state === undefined) {
    const seenAt = standing?.listing?.firstSeenAt;
    const text = seenAt
      ? `A check at ${minuteText(seenAt)} found ${value} listed. A confirmation check is pending.`
      : `${value} was not checked yet.`;
    return { status: "not_tested", text, evidence: standing?.known?.evidence ?? [] };
  }
  const { last, known, listing } = standing;
  if (state === "listed" && listing) {
    const meanings = [...new Set(listing.codes.map(({ code, meaning }) => `${code}: ${meaning}`))].join(", ");
    const quote = listing.text === undefined ? "" : `, and the list states "${listing.text}"`;
    const since = `first seen at ${minuteText(listing.firstSeenAt)}, last at ${minuteText(listing.lastSeenAt)}`;
    const text = `${value} is listed (${meanings})${quote}; ${since}${doubt(standing)}.`;
    return { status: "fail", text, evidence: known?.evidence ?? [] };
  }
  if (state === "clean") {
    const text = `${value} is not listed, as of ${minuteText(known?.at ?? last.at)}${doubt(standing)}.`;
    return { status: "pass", text, evidence: known?.evidence ?? [] };
  }
  const former = known
    ? `; at ${minuteText(known.at)} it was ${known.state === "clean" ? "not listed" : "listed"}`
    : "";
  const text = `${value}: ${last.reason ?? "no result"}, at ${minuteText(last.at)}${former}.`;
  return { status: state === "error" ? "error" : "not_tested", text, evidence: last.evidence };
}

/** Contradicting results, or failures since the last conclusive check. */
function doubt({ contrary, failing, last }: Standing): string {
  const check = contrary
    ? `; a check at ${minuteText(contrary.at)} found it ${contrary.state === "clean" ? "not listed" : "listed"}, and a confirmation check is pending`
    : "";
  return failing
    ? `${check}; no check since ${minuteText(failing.since)} was conclusive: ${last.reason ?? ""}`
    : check;
}

function fixOf(list: Blacklist): Fix {
  const advice = list.delistAdvice === undefined ? "" : ` ${list.delistAdvice}`;
  return { text: `Request removal at ${list.delistUrl} after you have fixed the cause.${advice}` };
}
