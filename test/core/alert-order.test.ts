/** Alerts that arrive in another order than they occurred. */
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AlertAccount, openAlertAccount } from "../harness/alert-account.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { repetitions } from "../harness/repetitions.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let identity: Identity;
let account: AlertAccount;

beforeAll(async () => {
  identity = await openIdentity();
  await identity.operator.accounts.createAccount({ name: "Operator" });
});
afterAll(() => identity.close());
beforeEach(async () => {
  account = await openAlertAccount(identity);
});

/** A time before now. */
const ago = (ms: number) => timestampFromDate(new Date(identity.time.clock.now().getTime() - ms));
const openOf = async (entityId: string) =>
  (await account.incidents()).filter(
    ({ latest, state }) => latest?.entityId === entityId && state === "open",
  );

interface Statement {
  readonly status: "firing" | "resolved";
  /** Minutes after the first one; undefined: the source sends no time. */
  readonly occurred: number | undefined;
}

/** The latest valid statement: one with a time never replaces one with a later time. */
function lastOf(statements: readonly Statement[]): Statement | undefined {
  return statements.reduce<Statement | undefined>(
    (last, one) =>
      last?.occurred !== undefined && one.occurred !== undefined && one.occurred < last.occurred ? last : one,
    undefined,
  );
}

const statement = (occurred: fc.Arbitrary<number | undefined>) =>
  fc.record({ status: fc.constantFrom("firing" as const, "resolved" as const), occurred });

describe("for random orders of arrival", () => {
  let things = 0;

  async function arrive(statements: readonly Statement[]): Promise<boolean> {
    const entityId = `thing-${things++}`;
    for (const { status, occurred } of statements)
      await account.ingest({
        entityId,
        status,
        ...(occurred !== undefined && { occurredAt: ago(DAY - occurred * MINUTE) }),
      });
    const open = await openOf(entityId);
    expect(open.length).toBeLessThan(2);
    return open.length === 1;
  }

  it("an alert is active at the end if its latest statement by occurred_at is active", async () => {
    await account.putRule({ recipients: [] });
    const shuffled = fc
      .uniqueArray(statement(fc.nat(100)), { maxLength: 6, minLength: 1, selector: (one) => one.occurred })
      .chain((all) => fc.shuffledSubarray(all, { minLength: all.length }));
    await fc.assert(
      fc.asyncProperty(shuffled, async (statements) => {
        const [latest] = [...statements].sort((a, b) => (b.occurred ?? 0) - (a.occurred ?? 0));
        expect(await arrive(statements)).toBe(latest?.status === "firing");
      }),
      { numRuns: repetitions(25, 60) },
    );
  });

  it("alerts with the same occurred_at, or without one, count by their arrival", async () => {
    await account.putRule({ recipients: [] });
    const few = fc.array(statement(fc.constantFrom(undefined, 1, 2, 3)), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(few, async (statements) => {
        expect(await arrive(statements)).toBe(lastOf(statements)?.status === "firing");
      }),
      { numRuns: repetitions(25, 60) },
    );
  });
});

describe("an alert that is older than the last one", () => {
  it("does not open an incident again, and the answer has the reason", async () => {
    await account.putRule();
    await account.ingest({ occurredAt: ago(30 * MINUTE) });
    await account.ingest({ status: "resolved", occurredAt: ago(10 * MINUTE) });
    const { outcome } = await account.ingest({ occurredAt: ago(20 * MINUTE) });
    expect(outcome).toMatchObject({
      status: "suppressed",
      matchedRules: ["pager"],
      incidentIds: [],
      messageIds: [],
      reasons: [{ rule: "pager", reason: "outdated" }],
    });
    expect(await account.incidents()).toMatchObject([{ state: "resolved" }]);
    expect(await account.mails()).toHaveLength(2);
  });

  it("does not resolve an incident, and the answer has the reason", async () => {
    await account.putRule();
    const { outcome: first } = await account.ingest({ occurredAt: ago(10 * MINUTE) });
    const { outcome } = await account.ingest({ status: "resolved", occurredAt: ago(20 * MINUTE) });
    expect(outcome).toMatchObject({
      status: "suppressed",
      incidentIds: first?.incidentIds,
      messageIds: [],
      reasons: [{ rule: "pager", reason: "outdated" }],
    });
    expect(await account.incidents()).toMatchObject([{ state: "open", firing: 1 }]);
  });

  it("keeps the severity and the message of the latest one, and is counted", async () => {
    await account.putRule();
    await account.ingest({ severity: "warning", message: "new", occurredAt: ago(10 * MINUTE) });
    await account.ingest({ severity: "info", message: "old", occurredAt: ago(20 * MINUTE) });
    const [incident] = await account.incidents();
    expect(incident).toMatchObject({ occurrences: 2, latest: { message: "new", severity: "warning" } });
  });

  it("is notified if it is critical and no critical alert was notified before", async () => {
    await account.putRule();
    await account.ingest({ severity: "warning", occurredAt: ago(10 * MINUTE) });
    await account.ingest({ severity: "critical", occurredAt: ago(20 * MINUTE) });
    expect((await account.incidents())[0]).toMatchObject({ severity: "critical" });
    expect(await account.mails()).toHaveLength(2);
  });

  it("opens an incident after a member has resolved the previous one", async () => {
    await account.putRule();
    const { outcome } = await account.ingest({ occurredAt: ago(10 * MINUTE) });
    const [id = ""] = outcome?.incidentIds ?? [];
    await identity.operator.incidents.resolveIncident({ accountId: account.accountId, id });
    await account.ingest({ occurredAt: ago(10 * MINUTE) });
    expect((await account.incidents()).filter(({ state }) => state === "open")).toHaveLength(1);
  });

  it("opens an incident 24 hours after the resolution", async () => {
    await account.putRule();
    await account.ingest({ status: "resolved", occurredAt: ago(0) });
    identity.time.pass(DAY - 1);
    await account.ingest({ entityId: "a", occurredAt: ago(DAY) });
    const old = { occurredAt: ago(DAY) };
    expect((await account.ingest(old)).outcome?.reasons).toMatchObject([{ reason: "outdated" }]);
    identity.time.pass(1);
    expect((await account.ingest(old)).outcome?.status).toBe("routed");
  });
});

describe("`since` in alert mail", () => {
  const sinceOf = async () => {
    const [mail] = await account.parsed();
    return /^FIRING \(critical\) since (\d{4}-\d\d-\d\d \d\d:\d\d) UTC/.exec(mail?.text ?? "")?.[1];
  };
  const minuteAgo = (ms: number) =>
    new Date(identity.time.clock.now().getTime() - ms).toISOString().slice(0, 16).replace("T", " ");

  it.each([
    ["occurred_at", 3 * HOUR, 3 * HOUR],
    ["the arrival for a time in the future", -3 * HOUR, 0],
    ["the arrival for a time of more than a year ago", 366 * DAY, 0],
  ])("is %s", async (_, occurred, shown) => {
    await account.putRule();
    await account.ingest({ occurredAt: ago(occurred) });
    expect(await sinceOf()).toBe(minuteAgo(shown));
  });

  it("is the earliest time of a group, and the duration at its end starts there", async () => {
    await account.putRule({ groupBy: ["source"], waitSeconds: 60 });
    await account.ingest({ entityId: "a", occurredAt: ago(HOUR) });
    await account.ingest({ entityId: "b", occurredAt: ago(2 * HOUR) });
    await account.ingest({ entityId: "c" });
    const since = minuteAgo(2 * HOUR);
    identity.time.pass(MINUTE);
    await account.check();
    expect(await sinceOf()).toBe(since);
    identity.time.pass(1);
    for (const entityId of ["a", "b", "c"]) await account.ingest({ entityId, status: "resolved" });
    expect((await account.parsed()).at(-1)?.text).toMatch(/^RESOLVED \(critical\) after 2 h 1 min\./);
  });
});
