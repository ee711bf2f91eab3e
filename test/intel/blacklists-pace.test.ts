import { beforeAll, describe, expect, it } from "vitest";
import type { ListCheck } from "../../src/intel/blacklists/ask-list.ts";
import { afterCheck, type Standing } from "../../src/intel/blacklists/listing.ts";
import type { OpenList } from "../../src/intel/blacklists/open-lists.ts";
import {
  type Allowance,
  allowanceAt,
  nextCheckAt,
  planPace,
  spend,
} from "../../src/intel/blacklists/pace.ts";
import { SELF_TEST_HOLDS_MS, selfTestQueries } from "../../src/intel/blacklists/self-test.ts";
import { openBlacklist } from "../harness/dns-blacklist.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START_MS = Date.parse("2026-11-24T00:00:00Z");
/** Duration of one query. Queries are sequential. */
const QUERY_MS = 200;

const IP_LISTS = [
  "spamhaus_zen",
  "spamcop",
  "psbl",
  "mailspike",
  "barracuda",
  "spamrats",
  "validity",
  "dronebl",
];
const DOMAIN_LISTS = ["spamhaus_dbl", "surbl", "uribl"];

interface SimulatedList {
  readonly open: OpenList;
  readonly periodMs: number;
  readonly stretch: string | undefined;
  readonly subjects: readonly string[];
  readonly standings: Map<string, Standing>;
  /** Due subjects by second. */
  readonly calendar: Map<number, string[]>;
  readonly waiting: string[];
  allowance: Allowance | undefined;
  testedMs: number;
  /** Number of queries by second. */
  readonly queriesBySecond: Map<number, number>;
  readonly gapsMs: number[];
}

function simulatedList(id: string, count: number, queriesPerDay?: number): SimulatedList {
  const open = openBlacklist(id, { key: "k", ...(queriesPerDay !== undefined && { queriesPerDay }) });
  const { periodMs, stretch } = planPace(open, count);
  const subjects = Array.from({ length: count }, (_, index) => `${id}-${index}`);
  return {
    open,
    periodMs,
    stretch,
    subjects,
    standings: new Map(),
    calendar: new Map(),
    // All subjects are new, and due immediately.
    waiting: [...subjects],
    allowance: undefined,
    testedMs: 0,
    queriesBySecond: new Map(),
    gapsMs: [],
  };
}

/** One worker that processes the lists in turn. One subject in a hundred is listed, and has a confirmation check. */
function simulate(lists: readonly SimulatedList[], durationMs: number): { readonly busyMs: number } {
  let nowMs = START_MS;
  let busyMs = 0;
  for (let second = 0; second * SECOND_MS < durationMs; second++) {
    const secondMs = START_MS + second * SECOND_MS;
    nowMs = Math.max(nowMs, secondMs);
    for (const list of lists) {
      list.waiting.push(...(list.calendar.get(second) ?? []));
      list.calendar.delete(second);
    }
    for (let isAsking = true; isAsking && nowMs < secondMs + SECOND_MS; ) {
      isAsking = false;
      for (const list of lists) {
        const queries = nowMs < secondMs + SECOND_MS ? lookOnce(list, nowMs) : 0;
        busyMs += queries * QUERY_MS;
        nowMs += queries * QUERY_MS;
        isAsking ||= queries > 0;
      }
    }
  }
  return { busyMs };
}

/** @returns the number of queries; 0: no subject is due, or the budget does not allow it */
function lookOnce(list: SimulatedList, nowMs: number): number {
  const { open, waiting, standings, calendar, periodMs } = list;
  const now = new Date(nowMs);
  list.allowance = allowanceAt(list.allowance, open.queriesPerDay, now);
  const testQueries = nowMs - list.testedMs >= SELF_TEST_HOLDS_MS ? selfTestQueries(open.list) : 0;
  const [subject] = waiting;
  if (subject === undefined || list.allowance.queries < testQueries + 2) return 0;
  waiting.shift();
  if (testQueries > 0) list.testedMs = nowMs;
  const isListed = Number(subject.split("-")[1]) % 100 === 0;
  const queries = testQueries + (isListed ? 2 : 1);
  list.allowance = spend(list.allowance, queries);
  const second = Math.floor((nowMs - START_MS) / SECOND_MS);
  list.queriesBySecond.set(second, (list.queriesBySecond.get(second) ?? 0) + queries);

  const former = standings.get(subject);
  if (former && !former.contrary) list.gapsMs.push(nowMs - former.last.at.getTime());
  const { standing } = afterCheck({ listId: open.list.id, subject }, former, lookAt(now, isListed));
  standings.set(subject, standing);
  const dueMs = nextCheckAt(standing, periodMs, subject, now).getTime() - START_MS;
  const dueSecond = Math.max(second + 1, Math.ceil(dueMs / SECOND_MS));
  calendar.set(dueSecond, [...(calendar.get(dueSecond) ?? []), subject]);
  return queries;
}

function lookAt(at: Date, isListed: boolean): ListCheck {
  const codes = isListed ? [{ code: "127.0.0.2", meaning: "spam" }] : [];
  return { state: isListed ? "listed" : "clean", codes, at, repeatsUntil: at, evidence: [] };
}

/** Maximum number of queries within any 24 hours. */
function mostInADay({ queriesBySecond }: SimulatedList, durationMs: number): number {
  const daySeconds = DAY_MS / SECOND_MS;
  let [within, most] = [0, 0];
  for (let second = 0; second * SECOND_MS < durationMs; second++) {
    within += (queriesBySecond.get(second) ?? 0) - (queriesBySecond.get(second - daySeconds) ?? 0);
    most = Math.max(most, within);
  }
  return most;
}

describe("10,000 domains at 3 lists and 2,000 addresses at 8, on one worker", () => {
  const lists = [
    ...IP_LISTS.map((id) => simulatedList(id, 2_000)),
    ...DOMAIN_LISTS.map((id) => simulatedList(id, 10_000)),
  ];
  const durationMs = 1.25 * DAY_MS;
  let busyMs = 0;

  beforeAll(() => {
    ({ busyMs } = simulate(lists, durationMs));
  }, 120_000);

  it("keep periods of 2 and 6 hours, without an extension by a budget", () => {
    for (const { open, periodMs, stretch, gapsMs } of lists) {
      expect(stretch).toBeUndefined();
      expect(periodMs).toBe((IP_LISTS.includes(open.list.id) ? 2 : 6) * HOUR_MS);
      expect(gapsMs.filter((gapMs) => gapMs < 0.9 * periodMs)).toEqual([]);
      const late = gapsMs.filter((gapMs) => gapMs > 1.1 * periodMs + 60 * SECOND_MS);
      expect(late).toEqual([]);
    }
    expect(busyMs).toBeLessThan(0.9 * durationMs);
  });

  it("stay within each list's budget in any 24 hours, and check every subject", () => {
    for (const list of lists) {
      expect(mostInADay(list, durationMs)).toBeLessThanOrEqual(list.open.queriesPerDay);
      expect(list.standings.size).toBe(list.subjects.length);
      const rounds = (durationMs / list.periodMs) * 0.8;
      expect(list.gapsMs.length).toBeGreaterThan(list.subjects.length * (rounds - 2));
    }
  });
});

describe("a budget that does not allow the period", () => {
  it("extends it equally for all subjects, reports that, and skips no subject", () => {
    const list = simulatedList("abusix", 2_000);
    expect(list.open.queriesPerDay).toBe(5_000);
    expect(list.periodMs).toBeGreaterThan(9 * HOUR_MS);
    expect(list.stretch).toMatch(
      /^Abusix allows 5000 queries a day, so 2000 subjects .* every 1\d(\.\d)? h instead of every 2 h\.$/,
    );
    const durationMs = 3 * DAY_MS;
    simulate([list], durationMs);
    expect(mostInADay(list, durationMs)).toBeLessThanOrEqual(5_000);
    expect(list.standings.size).toBe(2_000);
    const lateMs = list.gapsMs.filter((gapMs) => gapMs > 1.1 * list.periodMs + HOUR_MS);
    expect(lateMs).toEqual([]);
    const counts = list.gapsMs.length / 2_000;
    expect(counts).toBeGreaterThan(durationMs / list.periodMs / 1.1 - 2);
  });

  it("is kept even if it is very small", () => {
    const list = simulatedList("psbl", 50, 100);
    const durationMs = 10 * DAY_MS;
    simulate([list], durationMs);
    expect(mostInADay(list, durationMs)).toBeLessThanOrEqual(100);
    expect(list.standings.size).toBe(50);
    expect(list.gapsMs.filter((gapMs) => gapMs > 1.2 * list.periodMs)).toEqual([]);
  });

  it("is not doubled by a restart", () => {
    const now = new Date(START_MS);
    expect(allowanceAt(undefined, 30_000, now).queries).toBe(0);
    const later = allowanceAt({ queries: 0, at: now }, 30_000, new Date(START_MS + 30 * DAY_MS));
    expect(later.queries).toBe(30_000 / 24);
    expect(allowanceAt(later, 30_000, now).queries).toBe(later.queries);
  });
});

describe("the time of the next check", () => {
  it("is up to a tenth of the period before or after its end, constant for a subject", () => {
    const at = new Date(START_MS);
    const { standing } = afterCheck({ listId: "psbl", subject: "a" }, undefined, lookAt(at, false));
    const factors = Array.from({ length: 2_000 }, (_, index) => {
      const next = nextCheckAt(standing, HOUR_MS, `id-${index}`, at);
      expect(nextCheckAt(standing, HOUR_MS, `id-${index}`, at)).toEqual(next);
      return (next.getTime() - START_MS) / HOUR_MS;
    });
    const mean = factors.reduce((sum, one) => sum + one, 0) / factors.length;
    expect(Math.min(...factors)).toBeGreaterThanOrEqual(0.9);
    expect(Math.max(...factors)).toBeLessThanOrEqual(1.1);
    expect(mean).toBeGreaterThan(0.99);
    expect(mean).toBeLessThan(1.01);
  });

  it("is now for a new subject", () => {
    const now = new Date(START_MS);
    expect(nextCheckAt(undefined, HOUR_MS, "a", now)).toEqual(now);
  });
});
