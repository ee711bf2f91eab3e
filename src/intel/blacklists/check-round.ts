import type { Clock } from "../../shared/clock.ts";
import { inParallel } from "../../shared/in-parallel.ts";
import type { AskListOptions } from "./ask-list.ts";
import { type AskList, createAskList, type ListCheck, MAX_QUERIES_PER_CHECK } from "./ask-list.ts";
import type { OpenList } from "./open-lists.ts";
import type { AnswerState } from "./read-answer.ts";
import {
  afterSelfTest,
  distrustReason,
  isTrusted,
  needsSelfTest,
  selfTest,
  selfTestQueries,
  type Trust,
  type TrustFinding,
} from "./self-test.ts";
import { queryLabels, type Subject } from "./subject.ts";

export interface Round {
  readonly open: OpenList;
  /** The due subjects, the longest waiting first. */
  readonly subjects: readonly Subject[];
  /** Trust from earlier rounds. Missing: none. */
  readonly trust?: Trust | undefined;
  /** Number of queries that the budget currently allows. */
  readonly maxQueries: number;
}

export interface RoundResult {
  readonly checks: readonly { readonly subject: Subject; readonly check: ListCheck }[];
  /** Subjects that the budget did not allow. They stay due, in the same order. */
  readonly left: readonly Subject[];
  /** Missing: the list was never tested, and the budget does not allow a test. */
  readonly trust?: Trust | undefined;
  readonly finding?: TrustFinding | undefined;
  readonly queries: number;
}

/** Checks the due subjects of one list: tests the list first, then queries each subject, or none. Never rejects. */
export type CheckRound = (round: Round) => Promise<RoundResult>;

/** A small number keeps the pace and causes no burst for the list's operator. */
const MOST_AT_ONCE = 4;

export function createCheckRound(options: AskListOptions): CheckRound {
  const ask = createAskList(options);
  const { clock } = options;

  return async ({ open, subjects, trust, maxQueries }) => {
    if (subjects.length === 0) return { checks: [], left: [], trust, queries: 0 };
    const tested = await testIfDue(ask, clock, { open, trust, maxQueries });
    if (!tested) return { checks: [], left: subjects, trust, queries: 0 };
    const { finding } = tested;
    if (!isTrusted(tested.trust)) {
      const check = withoutAsking(tested.trust, clock.now());
      const checks = subjects.map((subject) => ({ subject, check }));
      return { checks, left: [], trust: tested.trust, finding, queries: tested.queries };
    }

    const most = Math.floor((maxQueries - tested.queries) / MAX_QUERIES_PER_CHECK);
    const checks = new Map<Subject, ListCheck>();
    let { queries } = tested;
    await inParallel(subjects.slice(0, Math.max(0, most)), MOST_AT_ONCE, async (subject) => {
      const asked = await ask(open, queryLabels(subject.kind, subject.value));
      queries += asked.queries;
      checks.set(subject, asked.check);
    });
    return {
      checks: [...checks].map(([subject, check]) => ({ subject, check })),
      left: subjects.slice(checks.size),
      trust: tested.trust,
      finding,
      queries,
    };
  };
}

interface Test {
  readonly trust: Trust;
  readonly finding?: TrustFinding;
  readonly queries: number;
}

/** Undefined: a test is due, but the budget does not allow it. */
async function testIfDue(
  ask: AskList,
  clock: Pick<Clock, "now">,
  { open, trust, maxQueries }: Pick<Round, "open" | "trust" | "maxQueries">,
): Promise<Test | undefined> {
  if (trust && !needsSelfTest(trust, clock.now())) return { trust, queries: 0 };
  if (maxQueries < selfTestQueries(open.list)) return undefined;
  // The test counts from its start, so that it is complete when a following confirmation check is due.
  const at = clock.now();
  const { failure, queries } = await selfTest(ask, open);
  return { ...afterSelfTest(open.list.id, trust, failure, at), queries };
}

/** Result of a subject at a list that failed its test. */
function withoutAsking(trust: Trust, at: Date): ListCheck {
  const { failure } = trust;
  const state: AnswerState = failure === "error" || failure === "refused" ? failure : "unreliable";
  const reason = distrustReason(trust);
  return { state, codes: [], reason, at, repeatsUntil: at, isUnasked: true, evidence: [] };
}
