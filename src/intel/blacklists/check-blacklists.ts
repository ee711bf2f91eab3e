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
  /** Those that the domain's mail is sent from. */
  readonly addresses: readonly string[];
  readonly lists: readonly ListChoice[];
  /** What is stored; undefined: the subject was not looked up yet. */
  readonly standingOf: (listId: string, subject: string) => Standing | undefined;
  readonly now: Date;
}

/** One check for each list, in the lists' order, out of what is stored: nothing is asked. */
export function checkBlacklists({ lists, ...facts }: BlacklistFacts): readonly CheckResult[] {
  return lists.map((choice) => checkList(choice, facts));
}

/** What the score weighs a list's check by. */
export function catalogueEntryOf(list: Blacklist): CatalogueEntry {
  const { weight, name, terms } = list;
  return { category: "reputation", weight, title: `${name} has no entry`, reference: terms.url };
}

const MAX_SUBJECTS_TOLD = 5;
const MAX_EVIDENCE = 20;

/** What was found about one subject. */
interface Finding {
  readonly status: CheckStatus;
  readonly text: string;
  readonly evidence: readonly Evidence[];
}

/** The worst first: what is not known is no pass. */
const BY_SEVERITY: readonly CheckStatus[] = ["fail", "error", "not_tested", "warn", "pass"];

function checkList(choice: ListChoice, facts: Omit<BlacklistFacts, "lists">): CheckResult {
  const { list } = choice;
  const id = `bl.${list.id}` as const;
  const expected = `${list.name} lists neither the domain nor an address that it sends from.`;
  const notTested = (observed: string) =>
    ({ id, status: "not_tested", observed, expected, evidence: [] }) as const;
  if (!isOpen(choice)) return notTested(`${list.name} is not asked: ${choice.notConfigured}.`);
  const subjects = subjectsOf(list, facts.domain, facts.addresses);
  if (subjects.length === 0) return notTested(`${list.name} is not asked: ${nothingToAsk(list)}.`);

  const findings = subjects
    .map((subject) => findingOf(list, subject, facts))
    .sort((a, b) => BY_SEVERITY.indexOf(a.status) - BY_SEVERITY.indexOf(b.status));
  const status = findings[0]?.status ?? "not_tested";
  const told = findings.slice(0, MAX_SUBJECTS_TOLD).map(({ text }) => text);
  const more = findings.length - told.length;
  const observed = [...told, ...(more > 0 ? [`${more} more are no worse.`] : [])].join(" ");
  const evidence = findings.flatMap((one) => one.evidence).slice(0, MAX_EVIDENCE);
  return { id, status, observed, expected, evidence, ...(status === "fail" && { fix: fixOf(list) }) };
}

function nothingToAsk(list: Blacklist): string {
  return kindsOf(list).includes("domain")
    ? "the domain is a public suffix, or no name that it could list"
    : "no public address of the kinds that it lists is known to send for the domain";
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
      ? `${value} was seen as listed at ${minuteText(seenAt)}, which a second look has to confirm.`
      : `${value} was not looked up yet.`;
    return { status: "not_tested", text, evidence: standing?.known?.evidence ?? [] };
  }
  const { last, known, listing } = standing;
  if (state === "listed" && listing) {
    const meanings = [...new Set(listing.codes.map(({ code, meaning }) => `${code}: ${meaning}`))].join(", ");
    const quote = listing.text === undefined ? "" : `, and the list says "${listing.text}"`;
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
  const text = `${value}: ${last.reason ?? "nothing is known"}, at ${minuteText(last.at)}${former}.`;
  return { status: state === "error" ? "error" : "not_tested", text, evidence: last.evidence };
}

/** What speaks against what holds, or has kept it from being seen again. */
function doubt({ contrary, failing, last }: Standing): string {
  const look = contrary
    ? `; a look at ${minuteText(contrary.at)} saw it ${contrary.state === "clean" ? "gone" : "listed"}, which a second one has to confirm`
    : "";
  return failing
    ? `${look}; since ${minuteText(failing.since)} no look has told anything: ${last.reason ?? ""}`
    : look;
}

function fixOf(list: Blacklist): Fix {
  const advice = list.delistAdvice === undefined ? "" : ` ${list.delistAdvice}`;
  return { text: `Ask for removal at ${list.delistUrl} once the cause has ended.${advice}` };
}
