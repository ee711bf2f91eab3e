import { minuteText } from "../../shared/minute-text.ts";
import { type Phrase, phrase, phrases } from "../../shared/phrase.ts";
import type { CatalogueEntry } from "../catalogue.ts";
import {
  type CheckResult,
  type CheckStatus,
  type Evidence,
  expectedFields,
  type Fix,
  fixFields,
  observedFields,
} from "../check-result.ts";
import { type Blacklist, kindsOf } from "./blacklist.ts";
import { type Listing, type Standing, shownState } from "./listing.ts";
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
  readonly text: Phrase;
  readonly evidence: readonly Evidence[];
}

/** The worst status first. An unknown status ranks before a pass. */
const BY_SEVERITY: readonly CheckStatus[] = ["fail", "error", "not_tested", "warn", "pass"];

function checkList(choice: ListChoice, facts: Omit<BlacklistFacts, "lists">): CheckResult {
  const { list } = choice;
  const id = `bl.${list.id}` as const;
  const expected = expectedFields(phrase("list.expected", { list: list.name }));
  const notTested = (observed: Phrase) =>
    ({ id, status: "not_tested", ...observedFields(observed), ...expected, evidence: [] }) as const;
  if (!isOpen(choice))
    return notTested(phrase("list.not_queried", { list: list.name, reason: choice.notConfigured }));
  const subjects = subjectsOf(list, facts.domain, facts.addresses);
  if (subjects.length === 0) return notTested(nothingToAsk(list));

  const findings = subjects
    .map((subject) => findingOf(list, subject, facts))
    .sort((a, b) => BY_SEVERITY.indexOf(a.status) - BY_SEVERITY.indexOf(b.status));
  const status = findings[0]?.status ?? "not_tested";
  const texts = findings.slice(0, MAX_SUBJECTS_NAMED).map(({ text }) => text);
  const more = findings.length - texts.length;
  const observed = phrases(...texts, more > 0 && phrase("list.more", { count: more }));
  const evidence = findings.flatMap((one) => one.evidence).slice(0, MAX_EVIDENCE);
  const fix = status === "fail" && { fix: fixOf(list) };
  return { id, status, ...observedFields(observed), ...expected, evidence, ...fix };
}

function nothingToAsk(list: Blacklist): Phrase {
  return kindsOf(list).includes("domain")
    ? phrase("list.no_domain", { list: list.name })
    : phrase("list.no_address", { list: list.name });
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
      ? phrase("list.unconfirmed", { time: minuteText(seenAt), subject: value })
      : phrase("list.not_checked", { subject: value });
    return { status: "not_tested", text, evidence: standing?.known?.evidence ?? [] };
  }
  const { last, known, listing } = standing;
  if (state === "listed" && listing)
    return { status: "fail", text: listedPhrase(value, listing, standing), evidence: known?.evidence ?? [] };
  if (state === "clean") {
    const clean = { subject: value, time: minuteText(known?.at ?? last.at) };
    const doubts = doubtsAbout(standing);
    const text = phrases(
      doubts.length > 0 ? phrase("list.clean_but", clean) : phrase("list.clean", clean),
      ...doubts,
    );
    return { status: "pass", text, evidence: known?.evidence ?? [] };
  }
  const status = state === "error" ? "error" : "not_tested";
  return { status, text: unknownPhrase(value, standing), evidence: last.evidence };
}

function listedPhrase(subject: string, { codes, text, ...seen }: Listing, standing: Standing): Phrase {
  const meanings = [...new Set(codes.map(({ code, meaning }) => `${code}: ${meaning}`))].join(", ");
  const times = { first: minuteText(seen.firstSeenAt), last: minuteText(seen.lastSeenAt) };
  const doubts = doubtsAbout(standing);
  return phrases(
    text === undefined
      ? phrase("list.listed", { subject, meanings })
      : phrase("list.listed_text", { subject, meanings, text }),
    doubts.length > 0 ? phrase("list.seen_but", times) : phrase("list.seen", times),
    ...doubts,
  );
}

function unknownPhrase(subject: string, { last, known }: Standing): Phrase {
  const result = { subject, reason: last.reason ?? "no result", time: minuteText(last.at) };
  if (!known) return phrase("list.unknown", result);
  const before = minuteText(known.at);
  return known.state === "clean"
    ? phrase("list.unknown_was_clean", { ...result, before })
    : phrase("list.unknown_was_listed", { ...result, before });
}

/** Contradicting results, or failures since the last conclusive check. */
function doubtsAbout({ contrary, failing, last }: Standing): Phrase[] {
  const doubts: Phrase[] = [];
  if (contrary) {
    const time = minuteText(contrary.at);
    if (contrary.state === "clean")
      doubts.push(failing ? phrase("list.then_clean_but", { time }) : phrase("list.then_clean", { time }));
    else
      doubts.push(failing ? phrase("list.then_listed_but", { time }) : phrase("list.then_listed", { time }));
  }
  if (failing)
    doubts.push(
      phrase("list.failing", { time: minuteText(failing.since), reason: last.reason ?? "no result" }),
    );
  return doubts;
}

/** Lists have their advice in English, because reports contain it. */
const ADVICE: readonly Phrase[] = [
  phrase("list.expires_by_age"),
  phrase("list.expires_after_report"),
  phrase("list.expires"),
];

function fixOf({ delistUrl, delistAdvice }: Blacklist): Fix {
  const removal = phrase("list.request_removal", { url: delistUrl });
  if (delistAdvice === undefined) return fixFields(removal);
  const advice = ADVICE.find(({ text }) => text === delistAdvice) ?? { text: delistAdvice, parts: [] };
  return fixFields(phrases(removal, advice));
}
