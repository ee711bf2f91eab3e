import type { Resolver } from "../../dns/resolver.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Evidence } from "../check-result.ts";
import { dnsEvidence } from "../dns-evidence.ts";
import { type OpenList, shownName } from "./open-lists.ts";
import { type Reading, readAnswer } from "./read-answer.ts";

/** One check of one subject at one list. */
export interface ListCheck extends Reading {
  readonly at: Date;
  /** End of the cached answer. An earlier query does not count as a confirmation. */
  readonly repeatsUntil: Date;
  /** Text of the list about a listing, cut to length. It is untrusted. */
  readonly text?: string;
  /** The list was not queried because it failed its test. */
  readonly isUnasked?: true;
  readonly evidence: readonly Evidence[];
}

export interface Asked {
  readonly check: ListCheck;
  /** Number of queries. A listing needs a second query for its text. */
  readonly queries: number;
}

export interface AskListOptions {
  readonly resolver: Pick<Resolver, "resolve">;
  readonly clock: Pick<Clock, "now">;
}

/** @param labels of the subject, before the list's zone. Never rejects, and never reveals the key. */
export type AskList = (open: OpenList, labels: string, options?: { withText?: boolean }) => Promise<Asked>;

/** Maximum number of queries of one check. */
export const MAX_QUERIES_PER_CHECK = 2;

const MAX_TEXT_CHARACTERS = 300;
/** Longer texts of a list are cut before any processing. */
const MAX_RAW_CHARACTERS = 4_000;
const MAX_TEXTS = 8;

export function createAskList({ resolver, clock }: AskListOptions): AskList {
  async function resolve<T extends "A" | "TXT">(name: string, type: T) {
    try {
      return await resolver.resolve(name, type);
    } catch {
      // The error's text may contain the name, and with it the key.
      return { kind: "failed", code: "malformed", reason: "" } as const;
    }
  }

  return async (open, labels, { withText = true } = {}) => {
    const secretName = open.secretName(labels);
    const name = shownName(open.list, labels);
    const answer = await resolve(secretName, "A");
    const at = clock.now();
    const reading = readAnswer(open.list, answer);
    const ttlSeconds = answer.kind === "records" ? answer.ttlSeconds : 0;
    const check = { ...reading, at, repeatsUntil: new Date(at.getTime() + ttlSeconds * 1_000) };
    const shown = answer.kind === "failed" ? { ...answer, reason: reading.reason ?? "" } : answer;
    const found = dnsEvidence({ name, type: "A", answer: shown, at });
    if (!withText || reading.state !== "listed")
      return { check: { ...check, evidence: [found] }, queries: 1 };

    const texts = await resolve(secretName, "TXT");
    const text = texts.kind === "records" ? harmless(open, texts.records) : "";
    if (text === "") return { check: { ...check, evidence: [found] }, queries: 2 };
    const data = [JSON.stringify(text)];
    const record = { name, type: "TXT", rcode: "NOERROR", data, at } as const;
    return { check: { ...check, text, evidence: [found, record] }, queries: 2 };
  };
}

/** One line of printable characters, without control characters, bidirectional marks and the key. */
function harmless(open: OpenList, records: readonly (readonly string[])[]): string {
  // The key is removed before the text is cut, so that no part of it remains.
  const texts = records.slice(0, MAX_TEXTS).map((parts) => open.withoutKey(parts.join("")));
  const raw = texts.map((one) => one.slice(0, MAX_RAW_CHARACTERS));
  const printable = raw.join(" ").replace(/[\p{C}\p{Z}]+/gu, " ");
  const characters = [...printable.trim()];
  if (characters.length <= MAX_TEXT_CHARACTERS) return characters.join("");
  return `${characters.slice(0, MAX_TEXT_CHARACTERS - 1).join("")}…`;
}
