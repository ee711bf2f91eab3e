import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createRunJobs } from "../../src/core/jobs/run-jobs.ts";
import { createRemovalJob } from "../../src/core/suppressions/removal-job.ts";
import type { AreaClients } from "../../src/rpc/client.ts";
import { createLogger } from "../../src/shared/logger.ts";
import type { SuppressionReason } from "../../src/store/documents.ts";
import type { NewSuppression } from "../../src/store/merge-suppression.ts";
import type { OfAccount } from "../../src/store/owner.ts";
import { testAudit } from "../harness/audit.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { repetitions } from "../harness/repetitions.ts";

const MINUTE_MS = 60_000;

let identity: Identity;
let accountId: string;
let owner: AreaClients;

beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  identity.time.pass(MINUTE_MS);
  accountId = await identity.openAccount();
  owner = identity.as({ session: (await identity.memberOf(accountId)).token });
});

const now = () => identity.time.clock.now();
const ago = (minutes: number) => new Date(now().getTime() - minutes * MINUTE_MS);
const entry = (address: string, more: Partial<NewSuppression> = {}): OfAccount<NewSuppression> => ({
  addressKey: address,
  address,
  reason: "hard_bounce",
  createdAt: ago(10),
  ...more,
});

async function add(entries: readonly OfAccount<NewSuppression>[], of = accountId): Promise<void> {
  const { suppressions } = identity.store.forAccount(of);
  for (let from = 0; from < entries.length; from += 1_000)
    await suppressions.addMany(entries.slice(from, from + 1_000), now(), testAudit);
}

const listed = async () =>
  (await owner.suppressions.listSuppressions({ pageSize: 1_000 })).suppressions.map(({ address }) => address);

function run(kind = createRemovalJob({ store: identity.store, clock: identity.time.clock })): Promise<void> {
  const { clock, timers } = identity.time;
  return createRunJobs({
    jobs: identity.store.acrossAccounts.jobs,
    kinds: [kind],
    signal: new AbortController().signal,
    clock,
    timers,
    log: createLogger("silent"),
  })();
}

async function begin(filter: object): Promise<string> {
  const { confirmation } = await owner.suppressions.countSuppressionRemoval({ filter });
  const { job } = await owner.suppressions.beginSuppressionRemoval({ filter, confirmation });
  return job?.id ?? "";
}

const jobOf = async (id: string) => (await owner.jobs.getJob({ id })).job;

describe("entries by their start", () => {
  const reasons: readonly SuppressionReason[] = ["hard_bounce", "manual", "unsubscribe", "complaint"];
  const domains = ["example.net", "example.org"];
  const stored = fc.record({
    domain: fc.constantFrom(...domains),
    reason: fc.constantFrom(...reasons),
    policy: fc.constantFrom(undefined, "news"),
    minutes: fc.integer({ min: 1, max: 6 }),
    messageId: fc.constantFrom(undefined, "msg_1"),
    isOver: fc.boolean(),
  });
  const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });
  const asked = fc.record({
    from: maybe(fc.integer({ min: 1, max: 7 })),
    until: maybe(fc.integer({ min: 0, max: 6 })),
    domain: maybe(fc.constantFrom(...domains)),
    reason: maybe(fc.constantFrom(...reasons)),
    scope: fc.constantFrom("any", "account", "news"),
    messageId: maybe(fc.constant("msg_1")),
    pageSize: fc.integer({ min: 1, max: 4 }),
  });

  it("are found, counted and exported with the same result as a plain evaluation", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stored, { maxLength: 14 }), asked, async (made, wanted) => {
        const { from, until, domain, reason, scope, messageId, pageSize } = wanted;
        if (from !== undefined && until !== undefined && from <= until) return;
        if (from === undefined && until === undefined) return;
        const start = now().getTime();
        const ago = (minutes: number) => new Date(start - minutes * MINUTE_MS);
        const id = await identity.openAccount();
        const as = identity.as({ session: (await identity.memberOf(id)).token });
        const entries = made.map(
          ({ minutes, isOver, domain: at, reason: why, policy, messageId: of }, index) =>
            entry(`a${index}@${at}`, {
              reason: why,
              createdAt: ago(minutes),
              // Stored as null, they would be damaged.
              ...(policy !== undefined && { policy }),
              ...(of !== undefined && { messageId: of }),
              ...(isOver && { expireAt: ago(0) }),
            }),
        );
        // An expired entry is stored in the form that a later call would find.
        await identity.store.forAccount(id).suppressions.addMany(entries, ago(60), testAudit);
        const expected = entries.filter(
          (one) =>
            one.expireAt === undefined &&
            (from === undefined || one.createdAt.getTime() >= ago(from).getTime()) &&
            (until === undefined || one.createdAt.getTime() < ago(until).getTime()) &&
            (domain === undefined || one.address.endsWith(`@${domain}`)) &&
            (reason === undefined || one.reason === reason) &&
            (scope === "any" || (one.policy ?? "account") === scope) &&
            (messageId === undefined || one.messageId === messageId),
        );
        const filter = {
          domain: domain ?? "",
          reason: reason ?? "",
          policy: scope === "news" ? "news" : "",
          accountWide: scope === "account",
          messageId: messageId ?? "",
          ...(from !== undefined && { from: timestampFromDate(ago(from)) }),
          ...(until !== undefined && { until: timestampFromDate(ago(until)) }),
        };
        const found: { address: string; at: number }[] = [];
        let pageToken = "";
        do {
          const page = await as.suppressions.listSuppressions({ ...filter, pageSize, pageToken });
          for (const one of page.suppressions)
            found.push({ address: one.address, at: Number(one.createdAt?.seconds) });
          pageToken = page.nextPageToken;
        } while (pageToken !== "");
        expect(found.map(({ address }) => address).sort()).toEqual(
          expected.map(({ address }) => address).sort(),
        );
        expect(found.map(({ at }) => at)).toEqual(found.map(({ at }) => at).toSorted((a, b) => b - a));
        const { reasons: counts } = await as.suppressions.countSuppressions({ filter });
        for (const one of counts)
          expect(one.count).toBe(expected.filter((some) => some.reason === one.reason).length);
        expect(counts.map((one) => one.reason)).toEqual(
          reason === undefined ? expect.arrayContaining([...reasons]) : [reason],
        );
        let csv = "";
        for await (const { data } of as.suppressions.exportSuppressions(filter)) csv += Buffer.from(data);
        expect(csv.trim().split("\r\n").slice(1).length).toBe(expected.length);
      }),
      { numRuns: repetitions(25, 200) },
    );
  });

  it("are refused for an end before the start", async () => {
    const filter = { from: timestampFromDate(ago(1)), until: timestampFromDate(ago(2)) };
    await expect(owner.suppressions.listSuppressions(filter)).rejects.toMatchObject({
      errors: [{ pointer: "/until" }],
    });
  });

  it("continue after a damaged entry", async () => {
    const addresses = ["a@example.net", "b@example.net", "c@example.net"];
    await add(addresses.map((address, index) => entry(address, { createdAt: ago(10 + index) })));
    await identity.db
      .collection("suppressions")
      .updateOne({ accountId, addressKey: "a@example.net" }, { $set: { policy: 5 } });
    const from = timestampFromDate(ago(60));
    const found: string[] = [];
    let pageToken = "";
    do {
      const page = await owner.suppressions.listSuppressions({ from, pageSize: 1, pageToken });
      found.push(...page.suppressions.map(({ address }) => address));
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    expect(found).toEqual(addresses);
  });
});

describe("removal by a filter", () => {
  const filter = { reason: "hard_bounce" };

  it("removes entries after a page with a damaged one", async () => {
    const many = Array.from({ length: 1_203 }, (_, n) =>
      entry(`a${n}@example.net`, { createdAt: ago(10 + n) }),
    );
    await add(many);
    await identity.db
      .collection("suppressions")
      .updateOne({ accountId, addressKey: "a3@example.net" }, { $set: { detail: 5 } });
    await begin({ from: timestampFromDate(ago(100_000)) });
    await run();
    const { suppressions } = await owner.suppressions.listSuppressions({ pageSize: 1_000 });
    expect(suppressions.map(({ address }) => address)).toEqual([]);
  });

  it("removes all matching entries, and no others", async () => {
    const many = Array.from({ length: 1_203 }, (_, n) => entry(`a${n}@example.net`));
    await add([...many, entry("told@example.net", { reason: "complaint" })]);
    const counted = await owner.suppressions.countSuppressionRemoval({ filter });
    expect(counted.reasons).toMatchObject([{ reason: "hard_bounce", count: 1_203, hasMore: false }]);
    expect(counted.sample).toHaveLength(5);
    expect(await listed()).toHaveLength(1_000);
    const { job } = await owner.suppressions.beginSuppressionRemoval({
      filter,
      confirmation: counted.confirmation,
    });
    await run();
    expect(await jobOf(job?.id ?? "")).toMatchObject({
      state: "succeeded",
      total: 1_203,
      done: 1_203,
      about: { filter: "reason=hard_bounce", counted: "1203" },
    });
    expect(await listed()).toEqual(["told@example.net"]);
  });

  it("keeps entries that were added, or have another reason, since the count", async () => {
    await add([entry("gone@example.net"), entry("changed@example.net"), entry("again@example.net")]);
    const id = await begin(filter);
    identity.time.pass(MINUTE_MS);
    await owner.suppressions.removeSuppression({ address: "again@example.net" });
    await add([
      entry("changed@example.net", { reason: "complaint", createdAt: now() }),
      entry("again@example.net", { createdAt: now() }),
      entry("later@example.net", { createdAt: now() }),
    ]);
    await run();
    expect(await listed()).toEqual(["again@example.net", "changed@example.net", "later@example.net"]);
    expect(await jobOf(id)).toMatchObject({ state: "succeeded", total: 1, done: 1 });
  });

  it("keeps an entry that changes between finding and removing", async () => {
    await add([entry("changed@example.net"), entry("gone@example.net")]);
    const id = await begin(filter);
    const kind = createRemovalJob({ store: identity.store, clock: identity.time.clock });
    await run({
      ...kind,
      step: async (job, place) => {
        const step = await kind.step(job, place);
        if ((place as { phase: string }).phase === "find")
          await add([entry("changed@example.net", { reason: "unsubscribe", createdAt: now() })]);
        return step;
      },
    });
    expect(await jobOf(id)).toMatchObject({ state: "succeeded", total: 2, done: 1, skipped: 1 });
    const { results } = await owner.jobs.listResults({ id });
    expect(results.map(({ code }) => code)).toContain("suppression.changed");
    expect(await listed()).toEqual(["changed@example.net"]);
  });

  it("continues after the process ended between a step and its result", async () => {
    await add(Array.from({ length: 700 }, (_, n) => entry(`a${n}@example.net`)));
    const id = await begin(filter);
    const kind = createRemovalJob({ store: identity.store, clock: identity.time.clock });
    let lost = 0;
    await run({
      ...kind,
      step: async (job, place) => {
        const step = await kind.step(job, place);
        if ((place as { phase: string }).phase === "act" && lost++ === 0) throw new Error("the process ends");
        return step;
      },
    });
    expect(lost).toBe(1);
    identity.time.pass(10 * MINUTE_MS);
    await run();
    expect(await jobOf(id)).toMatchObject({ state: "succeeded", total: 700, done: 700 });
    expect(await listed()).toEqual([]);
  });

  it("starts one job for a confirmation, and none for another filter, member or time", async () => {
    await add([entry("ann@example.net")]);
    const { confirmation } = await owner.suppressions.countSuppressionRemoval({ filter });
    const call = (of: AreaClients, given: object) =>
      of.suppressions.beginSuppressionRemoval({ filter: given, confirmation });
    const refused = { code: "suppression.confirmation_invalid" };
    await expect(call(owner, { reason: "complaint" })).rejects.toMatchObject(refused);
    const other = identity.as({ session: (await identity.memberOf(accountId)).token });
    await expect(call(other, filter)).rejects.toMatchObject(refused);
    const begun = await Promise.all([call(owner, filter), call(owner, filter)]);
    expect(new Set(begun.map(({ job }) => job?.id)).size).toBe(1);
    // A confirmation of the same moment is identical.
    identity.time.pass(1_000);
    const late = await owner.suppressions.countSuppressionRemoval({ filter });
    identity.time.pass(11 * MINUTE_MS);
    await expect(
      owner.suppressions.beginSuppressionRemoval({ filter, confirmation: late.confirmation }),
    ).rejects.toMatchObject(refused);
  });

  it("refuses an empty filter", async () => {
    for (const empty of [undefined, {}, { reason: "" }])
      await expect(
        owner.suppressions.countSuppressionRemoval(empty ? { filter: empty } : {}),
      ).rejects.toMatchObject({ errors: [{ pointer: "/filter", code: "field.required" }] });
  });
});
