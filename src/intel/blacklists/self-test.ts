import type { AskList } from "./ask-list.ts";
import { type Blacklist, kindsOf } from "./blacklist.ts";
import type { OpenList } from "./open-lists.ts";
import { queryLabels } from "./subject.ts";

/**
 * Why a list does not answer as a list does.
 *
 * - `lists_everything`: it has what no list has
 * - `rewritten`: for what no list has there is an address of somebody else: the resolver makes answers up, or the zone
 *   was sold
 * - `lists_nothing`: it does not have what every list has
 * - `wrong_code`: it has what every list has, under a code that is none of its own
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
 * Whether a list's answers count. Two tests in a row that fail put it off, and two that pass put it on again; a list
 * whose last test has failed is not asked either way. Changed by `afterSelfTest` alone.
 */
export interface Trust {
  readonly isOn: boolean;
  /** Tests in a row that speak against `isOn`. */
  readonly contrary: number;
  readonly testedAt: Date;
  /** Of the last test; missing: it has passed. */
  readonly failure?: SelfTestFailure;
}

/** For the operator: a list is off, or works again. */
export interface TrustFinding {
  readonly kind: "blacklist.off" | "blacklist.on";
  readonly listId: string;
  readonly at: Date;
  readonly text: string;
}

/**
 * How long a test holds. No longer than a second look waits: so no listing rests on one test alone, and a list that
 * begins to list everything is found out before it is believed.
 */
export const SELF_TEST_HOLDS_MS = 10 * 60_000;
const TESTS_TO_CHANGE = 2;

const FAILURE_TEXTS: Readonly<Record<SelfTestFailure, string>> = {
  lists_everything: "it lists what no list has, and so everything",
  rewritten:
    "it answers with strange addresses: the resolver makes answers up, or the zone is not the list's any more",
  lists_nothing: "it does not list what every list has for tests",
  wrong_code: "it answers with codes that are none of its own",
  refused: "it refuses the resolver",
  error: "it does not answer",
};

/** Asks for the test entries of each kind; the worst failure of all counts. */
export async function selfTest(
  ask: AskList,
  open: OpenList,
): Promise<{ readonly failure: SelfTestFailure | undefined; readonly queries: number }> {
  const { tests } = open.list;
  const found = await Promise.all(
    kindsOf(open.list).map(async (kind) => {
      const { listed = "", unlisted = "" } = tests[kind] ?? {};
      const state = async (entry: string) =>
        (await ask(open, queryLabels(kind, entry), { withText: false })).look.state;
      const states = await Promise.all([state(listed), state(unlisted)]);
      return failureOf(...states);
    }),
  );
  const failures = Object.keys(FAILURE_TEXTS) as SelfTestFailure[];
  return { failure: failures.find((one) => found.includes(one)), queries: selfTestQueries(open.list) };
}

/** What one test costs. */
export function selfTestQueries(list: Blacklist): number {
  return 2 * kindsOf(list).length;
}

export function needsSelfTest(trust: Trust | undefined, now: Date): boolean {
  return !trust || now.getTime() - trust.testedAt.getTime() >= SELF_TEST_HOLDS_MS;
}

/** True if the list is to be asked. */
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
    ? { kind: "blacklist.off" as const, text: `The list is off: ${failure ? FAILURE_TEXTS[failure] : ""}.` }
    : { kind: "blacklist.on" as const, text: "The list works again." };
  return { trust: { isOn: !isOn, contrary: 0, ...test }, finding: { ...finding, listId, at } };
}

/** Why subjects are not asked about, in a sentence's end. */
export function distrustReason({ failure }: Trust): string {
  return failure
    ? `the list fails its test: ${FAILURE_TEXTS[failure]}`
    : "the list is off until it passes its test twice";
}

type State = Awaited<ReturnType<AskList>>["look"]["state"];

function failureOf(listed: State, unlisted: State): SelfTestFailure | undefined {
  if (unlisted === "listed") return "lists_everything";
  if (unlisted === "unreliable") return "rewritten";
  if (listed === "refused" || unlisted === "refused") return "refused";
  if (listed === "error" || unlisted === "error") return "error";
  if (listed === "clean") return "lists_nothing";
  return listed === "unreliable" ? "wrong_code" : undefined;
}
