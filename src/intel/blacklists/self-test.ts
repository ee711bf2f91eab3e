import type { AskList } from "./ask-list.ts";
import { type Blacklist, kindsOf } from "./blacklist.ts";
import type { OpenList } from "./open-lists.ts";
import { queryLabels } from "./subject.ts";

/**
 * Why a list fails its test.
 *
 * - `lists_everything`: it lists an entry that no list has
 * - `rewritten`: an entry that no list has resolves to a foreign address: the resolver invents answers, or the zone
 *   was sold
 * - `lists_nothing`: it does not list the entry that every list has
 * - `wrong_code`: it lists that entry under a code that it does not define
 * - `refused`, `error`: it refuses, or does not answer
 */
export type SelfTestFailure =
  | "lists_everything"
  | "rewritten"
  | "lists_nothing"
  | "wrong_code"
  | "refused"
  | "error";

/**
 * Whether a list's answers count. Two failed tests in a row disable it, and two passed tests enable it again. A list
 * is not queried while its last test has failed. Only `afterSelfTest` changes this.
 */
export interface Trust {
  readonly isOn: boolean;
  /** Tests in a row that contradict `isOn`. */
  readonly contrary: number;
  readonly testedAt: Date;
  /** Failure of the last test. Missing: it has passed. */
  readonly failure?: SelfTestFailure;
}

/** Notice for the operator: a list is disabled, or works again. */
export interface TrustFinding {
  readonly kind: "blacklist.off" | "blacklist.on";
  readonly listId: string;
  readonly at: Date;
  readonly text: string;
}

/**
 * Validity of a test, not longer than the delay of a confirmation check: no listing is based on one test alone, and a
 * list that begins to list everything is detected before its answers count.
 */
export const SELF_TEST_HOLDS_MS = 10 * 60_000;
const TESTS_TO_CHANGE = 2;

const FAILURE_TEXTS: Readonly<Record<SelfTestFailure, string>> = {
  lists_everything: "it lists an entry that no list has, so it lists everything",
  rewritten:
    "it answers with foreign addresses: the resolver invents answers, or the zone no longer belongs to the list",
  lists_nothing: "it does not list the test entry that every list has",
  wrong_code: "it answers with codes that it does not define",
  refused: "it refuses the resolver",
  error: "it does not answer",
};

/** Queries the test entries of each kind. The worst failure counts. */
export async function selfTest(
  ask: AskList,
  open: OpenList,
): Promise<{ readonly failure: SelfTestFailure | undefined; readonly queries: number }> {
  const { tests } = open.list;
  const found = await Promise.all(
    kindsOf(open.list).map(async (kind) => {
      const { listed = "", unlisted = "" } = tests[kind] ?? {};
      const state = async (entry: string) =>
        (await ask(open, queryLabels(kind, entry), { withText: false })).check.state;
      const states = await Promise.all([state(listed), state(unlisted)]);
      return failureOf(...states);
    }),
  );
  const failures = Object.keys(FAILURE_TEXTS) as SelfTestFailure[];
  return { failure: failures.find((one) => found.includes(one)), queries: selfTestQueries(open.list) };
}

/** Number of queries of one test. */
export function selfTestQueries(list: Blacklist): number {
  return 2 * kindsOf(list).length;
}

export function needsSelfTest(trust: Trust | undefined, now: Date): boolean {
  return !trust || now.getTime() - trust.testedAt.getTime() >= SELF_TEST_HOLDS_MS;
}

/** True if the list may be queried. */
export function isTrusted(trust: Trust): boolean {
  return trust.isOn && trust.failure === undefined;
}

export function afterSelfTest(
  listId: string,
  trust: Trust | undefined,
  failure: SelfTestFailure | undefined,
  at: Date,
): { readonly trust: Trust; readonly finding?: TrustFinding } {
  const isOn = trust?.isOn ?? true;
  const contrary = isOn === (failure !== undefined) ? (trust?.contrary ?? 0) + 1 : 0;
  const test = { testedAt: at, ...(failure && { failure }) };
  if (contrary < TESTS_TO_CHANGE) return { trust: { isOn, contrary, ...test } };
  const finding = isOn
    ? {
        kind: "blacklist.off" as const,
        text: `The list is disabled: ${failure ? FAILURE_TEXTS[failure] : ""}.`,
      }
    : { kind: "blacklist.on" as const, text: "The list works again." };
  return { trust: { isOn: !isOn, contrary: 0, ...test }, finding: { ...finding, listId, at } };
}

/** Why the list is not queried about subjects, as a clause. */
export function distrustReason({ failure }: Trust): string {
  return failure
    ? `the list fails its test: ${FAILURE_TEXTS[failure]}`
    : "the list is disabled until it passes its test twice";
}

type State = Awaited<ReturnType<AskList>>["check"]["state"];

function failureOf(listed: State, unlisted: State): SelfTestFailure | undefined {
  if (unlisted === "listed") return "lists_everything";
  if (unlisted === "unreliable") return "rewritten";
  if (listed === "refused" || unlisted === "refused") return "refused";
  if (listed === "error" || unlisted === "error") return "error";
  if (listed === "clean") return "lists_nothing";
  return listed === "unreliable" ? "wrong_code" : undefined;
}
