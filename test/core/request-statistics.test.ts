import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newTraceId } from "../../src/shared/ids.ts";
import type { RequestCounterDocument } from "../../src/store/request-counters.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { answered, type RequestInit } from "../harness/logged-requests.ts";
import { repetitions } from "../harness/repetitions.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let identity: Identity;
let accountId: string;
let batches = 0;

beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  identity.time.pass(1);
  accountId = await identity.openAccount();
});

const now = () => identity.time.clock.now();
const hourOf = (at: Date) => new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS);
const counters = () => identity.db.collection<RequestCounterDocument>("requestCounters");

const request = (at: Date, status: number, changes: RequestInit = {}) => ({
  accountId,
  at: timestampFromDate(at),
  keyId: "key_1",
  method: "POST",
  route: "/v1/email/send",
  status,
  traceId: newTraceId(at),
  count: 1,
  ...changes,
});

const record = (requests: readonly RequestInit[], batchId = `statistics ${batches++}`) =>
  identity.frontEnd.requests.recordRequests({ batchId, answered: requests.map(answered) });

const statistics = (asked: object = {}) =>
  identity.operator.requests.getRequestStatistics({ accountId, ...asked });

const span = (from: Date, untilMs: number) => ({
  from: timestampFromDate(from),
  until: timestampFromDate(new Date(from.getTime() + untilMs)),
});

describe("the statistics of requests", () => {
  it("count requests by status and point, with 429 apart and unknown statuses too", async () => {
    const hour = hourOf(now());
    const before = new Date(hour.getTime() - HOUR_MS);
    await record([202, 200, 304, 404, 422, 429, 500, 503].map((status) => request(before, status)));
    await record([request(hour, 429, { count: 70 }), request(hour, 0, { route: "", count: 1_000 })]);
    const { step, points, all, measuredSince } = await statistics(span(before, 2 * HOUR_MS));
    expect([step, measuredSince]).toEqual(["hour", undefined]);
    expect(points.map(({ at }) => at && timestampDate(at))).toEqual([before, hour]);
    expect(points.map(({ counts }) => counts)).toMatchObject([
      { count: 8n, status2xx: 2n, status3xx: 1n, status4xx: 2n, status429: 1n, status5xx: 2n, other: 0n },
      { count: 1_070n, status2xx: 0n, status4xx: 0n, status429: 70n, status5xx: 0n, other: 1_000n },
    ]);
    expect(all).toMatchObject({ count: 1_078n, status2xx: 2n, status429: 71n, other: 1_000n });
  });

  it("have points without requests, and count a day as the sum of its hours", async () => {
    const day = new Date(Math.floor(now().getTime() / DAY_MS) * DAY_MS - DAY_MS);
    for (const hour of [0, 11, 23]) await record([request(new Date(day.getTime() + hour * HOUR_MS), 202)]);
    const days = await statistics({ ...span(day, DAY_MS), step: "day" });
    expect(days.points.map(({ counts }) => counts?.count)).toEqual([3n]);
    const hours = await statistics({ ...span(day, DAY_MS), step: "hour" });
    expect(hours.points).toHaveLength(24);
    expect(hours.points.filter(({ counts }) => counts?.count === 1n)).toHaveLength(3);
  });

  it("choose hours up to 14 days, and days beyond", async () => {
    const until = now();
    for (const [ms, step] of [
      [HOUR_MS, "hour"],
      [14 * DAY_MS, "hour"],
      [15 * DAY_MS, "day"],
    ] as const)
      expect((await statistics(span(new Date(until.getTime() - ms), ms))).step).toBe(step);
  });

  it("are counted once for any number of repetitions of a batch, also at the same time", async () => {
    const batch = [request(now(), 202), request(now(), 422)];
    await Promise.all([1, 2, 3].map(() => record(batch, "the same statistics")));
    await record(batch, "the same statistics");
    expect((await statistics()).all).toMatchObject({ count: 2n, status2xx: 1n, status4xx: 1n });
  });

  it("are those of the log, for any batches of any accounts", async () => {
    const hour = hourOf(now());
    const one = fc.record({
      hours: fc.integer({ min: 0, max: 30 }),
      status: fc.constantFrom(0, 200, 202, 302, 400, 404, 429, 500, 503),
      count: fc.constantFrom(1, 1, 1, 7),
      isOther: fc.boolean(),
    });
    const several = fc.array(fc.array(one, { minLength: 1, maxLength: 20 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(several, async (all) => {
        identity.time.pass(1);
        accountId = await identity.openAccount();
        const other = await identity.openAccount();
        await Promise.all(
          all.map((batch) =>
            record(
              batch.map(({ hours, status, count, isOther }) =>
                request(new Date(hour.getTime() - hours * HOUR_MS), status, {
                  count,
                  ...(isOther && { accountId: other }),
                }),
              ),
            ),
          ),
        );
        const own = all.flat().filter(({ isOther }) => !isOther);
        const found = await statistics(span(new Date(hour.getTime() - 30 * HOUR_MS), 31 * HOUR_MS));
        for (const [index, { counts }] of found.points.entries()) {
          const meant = own.filter(({ hours }) => hours === 30 - index);
          const sum = (matches: (status: number) => boolean) =>
            BigInt(meant.filter(({ status }) => matches(status)).reduce((n, { count }) => n + count, 0));
          expect(counts).toMatchObject({
            count: sum(() => true),
            status2xx: sum((status) => status >= 200 && status < 300),
            status3xx: sum((status) => status >= 300 && status < 400),
            status4xx: sum((status) => status >= 400 && status < 500 && status !== 429),
            status429: sum((status) => status === 429),
            status5xx: sum((status) => status >= 500),
            other: sum((status) => status === 0),
          });
        }
      }),
      { numRuns: repetitions(10, 60) },
    );
  });

  it("with a damaged counter do not stop the log of the account, nor of others", async () => {
    const other = await identity.openAccount();
    await record([request(now(), 202)]);
    await counters().updateMany({ accountId }, { $set: { counts: "none" as never } });
    await record([request(now(), 202), request(now(), 202, { accountId: other })]);
    expect((await identity.operator.requests.listRequests({ accountId })).requests).toHaveLength(2);
    expect((await statistics()).all?.count).toBe(0n);
    const ofOther = await identity.operator.requests.getRequestStatistics({ accountId: other });
    expect(ofOther.all?.count).toBe(1n);
  });

  it("are removed 90 days after an hour, and two years after a day, and report since when they are kept", async () => {
    const at = now();
    await record([request(at, 202)]);
    const kept = await counters().find({ accountId }).sort({ step: 1 }).toArray();
    const days = kept.map(({ step, expireAt, at: begin }) => [
      step,
      Math.round((expireAt.getTime() - begin.getTime()) / DAY_MS),
    ]);
    expect(days).toEqual([
      ["day", 732],
      ["hour", 90],
    ]);
    const long = await statistics(span(new Date(at.getTime() - 1_000 * DAY_MS), 1_000 * DAY_MS));
    expect(long.measuredSince && timestampDate(long.measuredSince)).toEqual(
      new Date(at.getTime() - 731 * DAY_MS),
    );
  });

  it.each([
    [{ step: "minute" }, "/step"],
    [{ from: timestampFromDate(new Date(2_000)), until: timestampFromDate(new Date(1_000)) }, "/until"],
    [{ from: timestampFromDate(new Date(0)), step: "hour" }, "/step"],
  ])("refuse %o", async (asked, pointer) => {
    await expect(statistics(asked)).rejects.toMatchObject({ errors: [{ pointer }] });
  });
});
