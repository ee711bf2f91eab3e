import { describe, expect, it } from "vitest";
import { check } from "./check.ts";
import type { History, ReadinessLook, Strike, Submission, Try } from "./history.ts";

const bounds = {
  recordingMs: 100,
  noticeMs: { ofItself: 200, bySubmissions: 2_000 },
  unreadyMs: 1_000,
  recoveryMs: 1_200,
  mostInFlight: 1,
};

function attempt(change: Partial<Try> = {}): Try {
  return { via: "edge 1", outcome: "accepted", reason: "", startedMs: 0, endedMs: 1, ...change };
}

function submission(number: number, change: Partial<Submission> = {}): Submission {
  return { number, source: "http", hasKey: true, tries: [attempt()], ...change };
}

function strike(change: Partial<Strike> = {}): Strike {
  return { name: "kill", mayDouble: true, concerns: undefined, startedMs: 0, endedMs: 10, ...change };
}

function look(askedMs: number, isReady: boolean | undefined, process = "edge 1"): ReadinessLook {
  return { process, askedMs, answeredMs: askedMs + 10, isReady };
}

function run(change: Partial<History>) {
  const nothing = {
    submissions: [],
    strikes: [],
    incapacities: [],
    healedMs: 0,
    arrivals: [],
    readiness: [],
  };
  return check({ ...nothing, ...change }, bounds);
}

describe("message violations in a nemesis run", () => {
  const refused = (reason: string) => [attempt({ outcome: "refused", reason })];

  it("include acknowledged messages that did not arrive", () => {
    const submissions = [submission(1), submission(2)];
    expect(run({ submissions, arrivals: [{ number: 2, atMs: 5 }] }).violations.lost).toEqual([1]);
  });

  it("include a second arrival without an explaining strike", () => {
    const arrivals = [
      { number: 1, atMs: 500 },
      { number: 1, atMs: 5_000 },
      { number: 2, atMs: 2_000 },
      { number: 2, atMs: 5_000 },
    ];
    const strikes = [strike({ startedMs: 2_050, endedMs: 3_000 })];
    expect(run({ arrivals, strikes }).violations.doubledWithoutCause).toEqual([1]);
  });

  it("exclude strikes that cannot cause a worker to send twice", () => {
    const arrivals = [1, 2].map((atMs) => ({ number: 1, atMs }));
    const strikes = [strike({ mayDouble: false })];
    expect(run({ arrivals, strikes }).violations.doubledWithoutCause).toEqual([1]);
  });

  it("include messages refused as not stored that arrived, unless the answer leaves it open", () => {
    const submissions = [
      submission(1, { hasKey: false, tries: refused("core.unavailable") }),
      submission(2, { hasKey: false, tries: refused("core.timeout") }),
    ];
    const arrivals = [1, 2].map((number) => ({ number, atMs: 5 }));
    expect(run({ submissions, arrivals }).violations.deliveredAfterNo).toEqual([1]);
  });

  it("include messages with a key that stayed refused", () => {
    const submissions = [submission(1, { tries: refused("core.timeout") })];
    expect(run({ submissions }).violations.neverSettled).toEqual([1]);
  });

  it("include more second arrivals than messages in flight", () => {
    const arrivals = [1, 2].flatMap((number) => [100, 200].map((atMs) => ({ number, atMs })));
    const strikes = [strike({ startedMs: 100, endedMs: 150 })];
    const { violations } = run({ arrivals, strikes });
    expect(violations.doubledWithoutCause).toEqual([]);
    expect(violations.doubledBeyondBound).toBe(1);
  });
});

describe("readiness violations in a nemesis run", () => {
  const incapacities = [{ process: "edge 1", fromMs: 1_000, untilMs: 5_000 }];
  const falselyReady = (change: Partial<History>) => run(change).violations.falselyReady;

  it("include a process that reports ready although all its dependencies were long unavailable", () => {
    expect(falselyReady({ incapacities, readiness: [look(1_300, true)] })).toEqual(["edge 1"]);
  });

  it("exclude a process that has yet to notice, had recovered, reported unready or was replaced", () => {
    const readiness = [
      look(1_100, true),
      look(4_995, true),
      look(1_300, false),
      look(1_300, undefined),
      look(1_300, true, "edge 2"),
    ];
    expect(falselyReady({ incapacities, readiness })).toEqual([]);
  });

  const turnedAway = (count: number, change: Partial<Try> = {}) =>
    Array.from({ length: count }, (_, number) => {
      const tries = [attempt({ outcome: "refused", startedMs: 3_000, endedMs: 3_500, ...change })];
      return submission(number, { hasKey: false, tries });
    });

  it("include a front end that reports ready although it has long accepted nothing", () => {
    expect(falselyReady({ submissions: turnedAway(5), readiness: [look(4_000, true)] })).toEqual(["edge 1"]);
  });

  it("exclude a front end with few submissions, with few refusals, or with an acceptance", () => {
    const readiness = [look(4_000, true)];
    const accepted = submission(9, { tries: [attempt({ startedMs: 2_100, endedMs: 9_000 })] });
    for (const submissions of [
      turnedAway(4),
      turnedAway(5, { endedMs: 4_500 }),
      turnedAway(5, { via: "edge 2" }),
      turnedAway(5, { startedMs: 1_900 }),
      [...turnedAway(5), accepted],
    ]) {
      expect(falselyReady({ submissions, readiness })).toEqual([]);
    }
  });

  const falselyUnready = (change: Partial<History>) => run(change).violations.falselyUnready;
  const unready = [0, 500, 1_100].map((atMs) => look(atMs, atMs === 500 ? undefined : false));

  it("include a process that is unready long after any strike", () => {
    expect(falselyUnready({ readiness: unready })).toEqual(["edge 1"]);
    expect(falselyUnready({ readiness: unready, strikes: [strike({ concerns: ["edge 2"] })] })).toEqual([
      "edge 1",
    ]);
  });

  it("exclude a process that is still recovering, or was ready in between", () => {
    const [first, , last] = unready as [ReadinessLook, ReadinessLook, ReadinessLook];
    for (const concerns of [undefined, ["edge 1"]]) {
      const strikes = [strike({ concerns, endedMs: 200 })];
      expect(falselyUnready({ readiness: unready, strikes })).toEqual([]);
    }
    const struckNow = [strike({ startedMs: 1_000, endedMs: Number.POSITIVE_INFINITY })];
    expect(falselyUnready({ readiness: unready, strikes: struckNow })).toEqual([]);
    expect(falselyUnready({ readiness: [first, look(500, true), last] })).toEqual([]);
  });
});

describe("recovery violations in a nemesis run", () => {
  const healedMs = 1_000;

  it("include an answer, an arrival or a process that was late after the last strike", () => {
    const late = { tries: [attempt({ endedMs: 2_500 })] };
    const verdict = run({
      healedMs,
      submissions: [submission(1, late), submission(2)],
      arrivals: [
        { number: 1, atMs: 2_600 },
        { number: 2, atMs: 5 },
      ],
      readiness: [look(500, true, "edge 2"), look(2_400, false), look(2_700, true)],
    });
    expect(verdict.violations.recoveredLate).toEqual(["answers", "arrivals", "edge 1"]);
    expect(verdict.recoveredMs).toEqual({ answers: 1_500, arrivals: 1_600, "edge 2": 0, "edge 1": 1_710 });
  });

  it("include a process that is not ready at the end, however early the end is", () => {
    const verdict = run({ healedMs, readiness: [look(900, true), look(1_100, false)] });
    expect(verdict.violations.recoveredLate).toEqual(["edge 1"]);
    expect(verdict.recoveredMs).toEqual({ answers: 0, arrivals: 0, "edge 1": undefined });
  });

  it("exclude everything that was in time, and any second arrival", () => {
    const verdict = run({
      healedMs,
      submissions: [submission(1)],
      arrivals: [1_500, 9_000].map((atMs) => ({ number: 1, atMs })),
      readiness: [look(900, false), look(1_800, true)],
    });
    expect(verdict.violations.recoveredLate).toEqual([]);
    expect(verdict.recoveredMs).toEqual({ answers: 0, arrivals: 500, "edge 1": 810 });
  });
});
