import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Suppression } from "../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import type { AreaClients } from "../../src/rpc/client.ts";
import { testAudit } from "../harness/audit.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { repetitions } from "../harness/repetitions.ts";

let identity: Identity;
let suppressions: AreaClients["suppressions"];
let accountId: string;

beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  const { operator, memberOf, as } = identity;
  const { account } = await operator.accounts.createAccount({ name: "Acme" });
  accountId = account?.id ?? "";
  for (const name of ["news", "offers"]) {
    const transports = [{ kind: { case: "sandbox" as const, value: {} } }];
    await operator.policies.putPolicy({ accountId, policy: { name, default: name === "news", transports } });
  }
  suppressions = as({ session: (await memberOf(accountId)).token }).suppressions;
});

const faultOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    ({ code, errors }) => [code, ...(errors ?? []).map(({ pointer }: { pointer: string }) => pointer)],
  );
const addresses = async () =>
  (await suppressions.listSuppressions({})).suppressions.map((one) => one.address);
const inMinutes = (minutes: number) =>
  timestampFromDate(new Date(identity.time.clock.now().getTime() + minutes * 60_000));

describe("adding to the suppression list", () => {
  it("reports its result, and never weakens or shortens an entry", async () => {
    const add = async (reason: string, more: object = {}) =>
      (await suppressions.addSuppression({ address: "Ann@example.net", reason, ...more })).outcome;
    expect(await add("manual", { expireAt: inMinutes(2), detail: "by phone" })).toBe("added");
    expect(await add("manual", { expireAt: inMinutes(2) })).toBe("already_there");
    expect(await add("hard_bounce", { expireAt: inMinutes(1) })).toBe("already_there");
    expect(await add("manual", { expireAt: inMinutes(3) })).toBe("strengthened");
    const [kept] = (await suppressions.listSuppressions({})).suppressions;
    expect(kept).toMatchObject({ reason: "manual", detail: "by phone", expireAt: inMinutes(3) });
    expect(await add("complaint")).toBe("strengthened");
    expect(await add("complaint", { detail: "again" })).toBe("already_there");
    identity.time.pass(4 * 60_000);
    const [entry] = (await suppressions.listSuppressions({})).suppressions;
    expect(entry).toMatchObject({ reason: "complaint", detail: "again" });
    expect(entry?.expireAt).toBeUndefined();
  });

  it("accepts a domain in place of an address, for all mail only", async () => {
    const { suppression } = await suppressions.addSuppression({ address: "*@Example.ORG" });
    expect(suppression).toMatchObject({ address: "@example.org", policy: "" });
    const domain = { address: "@example.org" };
    const policy = { ...domain, policy: "news" };
    expect(await faultOf(suppressions.addSuppression(policy))).toEqual([
      "request.validation_failed",
      "/policy",
    ]);
    const bounce = { ...domain, reason: "hard_bounce" };
    expect(await faultOf(suppressions.addSuppression(bounce))).toEqual([
      "request.validation_failed",
      "/reason",
    ]);
    expect(await faultOf(suppressions.addSuppression({ address: "*@" }))).toEqual([
      "request.validation_failed",
      "/address",
    ]);
  });

  it("adds and removes many at once, with a result for each", async () => {
    await suppressions.addSuppression({ address: "here@example.net" });
    const list = ["a@example.net", "nobody", "here@example.net", "A@example.net", "@example.org"];
    const added = await suppressions.addSuppressions({ addresses: list, reason: "unsubscribe" });
    expect(added.results.map(({ outcome, code, pointer }) => [outcome, code, pointer])).toEqual([
      ["added", "", ""],
      ["refused", "address.missing_at", "/addresses/1"],
      ["strengthened", "", ""],
      ["already_there", "", ""],
      ["added", "", ""],
    ]);
    expect(await addresses()).toEqual(["@example.org", "a@example.net", "here@example.net"]);
    const removed = await suppressions.removeSuppressions({ addresses: [...list, "b@example.net"] });
    expect(removed.results.map(({ outcome }) => outcome)).toEqual([
      ...["removed", "refused", "removed", "not_there", "removed", "not_there"],
    ]);
    expect(await addresses()).toEqual([]);
  });

  it("refuses a call with an error that affects all of its addresses, and changes nothing", async () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => `a${n}@example.net`);
    const invalid = "request.validation_failed";
    for (const [request, fault] of [
      [{ addresses: [] }, [invalid, "/addresses"]],
      [{ addresses: many(1001) }, [invalid, "/addresses"]],
      [{ addresses: many(1), policy: "none" }, ["policy.unknown", "/policy"]],
      [{ addresses: many(1), reason: "boredom", detail: "\n" }, [invalid, "/reason", "/detail"]],
      [{ addresses: many(1), expireAt: inMinutes(-1) }, [invalid, "/expire_at"]],
    ] as const) {
      expect(
        await faultOf(suppressions.addSuppressions({ ...request, addresses: [...request.addresses] })),
      ).toEqual(fault);
    }
    expect(await addresses()).toEqual([]);
    const { results } = await suppressions.addSuppressions({ addresses: many(1000) });
    expect(results.every(({ outcome }) => outcome === "added")).toBe(true);
  });

  it("adds the same addresses once, also with parallel calls", async () => {
    const list = Array.from({ length: 50 }, (_, n) => `a${n}@example.net`);
    const calls = Array.from({ length: 4 }, () => suppressions.addSuppressions({ addresses: list }));
    const outcomes = (await Promise.all(calls)).flatMap(({ results }) => results.map((one) => one.outcome));
    expect(outcomes.filter((outcome) => outcome === "added")).toHaveLength(50);
    expect(outcomes.filter((outcome) => outcome === "already_there")).toHaveLength(150);
  });
});

describe("removing from the suppression list", () => {
  it("returns the remaining entries", async () => {
    const of = (address: string, policy = "") => suppressions.addSuppression({ address, policy });
    const { suppression: news } = await of("ann@example.net", "news");
    const { suppression: all } = await of("ann@example.net");
    const { suppression: domain } = await of("@example.net");
    const remove = async (one: Suppression | undefined) =>
      suppressions.removeSuppression({ id: one?.id ?? "" });
    const first = await remove(all);
    expect(first.suppression).toEqual(all);
    expect(first.remaining).toEqual([news, domain]);
    expect(first.notice).toMatch(/is still not sent: @example.net is suppressed .* are not sent\.$/);
    expect((await remove(domain)).remaining).toEqual([]);
    await of("ann@example.net");
    const { notice } = await remove(all);
    expect(notice).toMatch(
      /is sent again, starting with the next attempt, except mail of the policies "news"/,
    );
    expect((await remove(news)).notice).toMatch(
      /^Mail of the policy "news" to ann@example.net is sent again/,
    );
    expect(await faultOf(remove(news))).toEqual(["suppression.unknown"]);
  });

  it("finds an entry by its id, for any address", async () => {
    for (const address of ['"a:b/c?"@example.net', "übung@example.net", "a@xn--bcher-kva.example"]) {
      const { suppression } = await suppressions.addSuppression({ address, policy: "news" });
      const found = await suppressions.getSuppression({ id: suppression?.id ?? "" });
      expect(found.suppression).toEqual(suppression);
      expect(found.suppression?.address).toBe(address);
    }
    for (const id of ["", "sup_", "sup_!!", "sup_Og", "sup_YQ", `sup_${"a".repeat(2000)}`, "acc_1:a@b.c:"])
      expect(await faultOf(suppressions.getSuppression({ id }))).toEqual(["suppression.unknown"]);
  });
});

describe("searching the suppression list", () => {
  it("has the same result as a plain filter, without duplicates or omissions, while others are added", async () => {
    const locals = ["ann", "Bob", "böb", "😀", "\uffee", "a.b", '"x:y"'];
    const domains = ["example.net", "example.org", "sub.example.net"];
    const reasons = ["hard_bounce", "manual", "unsubscribe", "complaint"] as const;
    const at = identity.time.clock.now();
    const entryOf = (n: number, prefix = "") => {
      const address = `${prefix}${locals[n % 7]}@${domains[n % 3]}`.replace(/^z"x:y"/, '"zx:y"');
      return {
        address,
        addressKey: address.toLowerCase(),
        reason: reasons[(n * 7) % 4] ?? "manual",
        ...(n % 5 < 2 && { policy: n % 5 === 0 ? "news" : "offers" }),
        ...(n % 2 === 0 && { messageId: `msg_${n % 6}` }),
        createdAt: at,
        ...(n % 11 === 0 && { expireAt: new Date(at.getTime() + (n % 2 === 0 ? -1000 : 3_600_000)) }),
      };
    };
    const own = identity.store.forAccount(accountId).suppressions;
    const all = Array.from({ length: 210 }, (_, n) => entryOf(n));
    await own.addMany(all, at, testAudit);
    const stored = (await own.list({ now: new Date(0), limit: 1000 })).filter(
      ({ expireAt }) => !expireAt || expireAt > at,
    );
    expect(stored.length).toBeGreaterThan(50);
    const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined, freq: 2 });
    let more = 0;
    await fc.assert(
      fc.asyncProperty(
        maybe(fc.constantFrom(...locals.map((local) => `${local}@example.net`))),
        maybe(fc.constantFrom(...domains)),
        maybe(fc.constantFrom(...reasons)),
        maybe(fc.constantFrom("news", "offers", "", "other")),
        maybe(fc.constantFrom("msg_0", "msg_2", "msg_9")),
        fc.integer({ min: 1, max: 9 }),
        async (address, domain, reason, scope, messageId, pageSize) => {
          const expected = stored.filter(
            (one) =>
              (address === undefined || one.addressKey === address.toLowerCase()) &&
              (domain === undefined || one.address.endsWith(`@${domain}`)) &&
              (reason === undefined || one.reason === reason) &&
              (scope === undefined || (one.policy ?? "") === scope) &&
              (messageId === undefined || one.messageId === messageId),
          );
          const filter = {
            address: address ?? "",
            domain: domain === undefined ? "" : `@${domain}`,
            reason: reason ?? "",
            policy: scope ?? "",
            accountWide: scope === "",
            messageId: messageId ?? "",
          };
          const found: string[] = [];
          let pageToken = "";
          do {
            const page = await suppressions.listSuppressions({ ...filter, pageSize, pageToken });
            found.push(...page.suppressions.map((one) => `${one.address.toLowerCase()}:${one.policy}`));
            pageToken = page.nextPageToken;
            // Others, before and after the current position of the list.
            const others = [entryOf(more, "0"), entryOf(more++, "z")].filter((one) => !one.expireAt);
            await own.addMany(others, at, testAudit);
          } while (pageToken !== "");
          expect(new Set(found).size).toBe(found.length);
          const known = new Set(stored.map((one) => `${one.addressKey}:${one.policy ?? ""}`));
          expect(found.filter((one) => known.has(one))).toEqual(
            expected.map((one) => `${one.addressKey}:${one.policy ?? ""}`),
          );
        },
      ),
      { numRuns: repetitions(20, 60) },
    );
  });

  it.each([
    [{ address: "nobody" }, "/address"],
    [{ domain: "@" }, "/domain"],
    [{ reason: "boredom" }, "/reason"],
    [{ policy: "news", accountWide: true }, "/policy"],
    [{ messageId: "m".repeat(101) }, "/message_id"],
  ])("refuses %j", async (filter, pointer) => {
    expect(await faultOf(suppressions.listSuppressions(filter))).toEqual([
      "request.validation_failed",
      pointer,
    ]);
  });
});
