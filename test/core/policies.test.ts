import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { PolicySchema, TransportSchema } from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import { createAccountSettings } from "../../src/core/access/account-settings.ts";
import type { AreaClients } from "../../src/rpc/client.ts";
import { SYSTEM_ACCOUNT } from "../../src/shared/system-account.ts";
import type { AccountStore } from "../../src/store/store.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";

type Policy = MessageInitShape<typeof PolicySchema>;
type Transport = MessageInitShape<typeof TransportSchema>;

let identity: Identity;
let accountId: string;
let account: AccountStore;
let owner: AreaClients;

beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  const made = await identity.operator.accounts.createAccount({ name: "Acme" });
  accountId = made.account?.id ?? "";
  account = identity.store.forAccount(accountId);
  owner = identity.as({ session: (await identity.memberOf(accountId)).token });
});

const sandbox: Transport = { kind: { case: "sandbox", value: {} } };
const relay = (host: string, password = ""): Transport => ({
  kind: {
    case: "smtp",
    value: { servers: [{ host }], ...(password !== "" && { username: "ada", password }) },
  },
});
const news = (changes: Policy = {}): Policy => ({ name: "news", transports: [sandbox], ...changes });

async function put(policy: Policy) {
  const { policy: stored } = await owner.policies.putPolicy({ policy });
  return stored?.revision ?? "";
}

const code = (name: string) => expect.objectContaining({ code: name });
const nameOfDefault = async () => (await account.policies.findDefault())?.name;
const state = () => account.policies.list({ limit: 100 });

describe("a policy that is stored with an expected revision", () => {
  it("is stored if the revision is the current one, and gets a new one", async () => {
    const first = await put(news());
    const basedOn = { case: "revision", value: first } as const;
    const { policy } = await owner.policies.putPolicy({ policy: news({ priority: "bulk" }), basedOn });
    expect(policy).toMatchObject({ priority: "bulk", storedBy: "account" });
    expect(policy?.revision).not.toBe(first);
  });

  it("changes nothing if the revision differs, if there is no policy, or if there should be none", async () => {
    const first = await put(news());
    await put(news({ priority: "bulk" }));
    const before = await state();
    const cases = [
      [news(), { case: "revision", value: first }, "policy.stale"],
      [news(), { case: "revision", value: "" }, "policy.stale"],
      [news({ name: "other" }), { case: "revision", value: first }, "policy.not_found"],
      [news(), { case: "nothing", value: true }, "policy.exists"],
    ] as const;
    for (const [policy, basedOn, why] of cases) {
      await expect(owner.policies.putPolicy({ policy, basedOn })).rejects.toEqual(code(why));
    }
    expect(await state()).toEqual(before);
  });

  it("is stored by one of two callers with the same revision at the same time", async () => {
    const basedOn = { case: "revision", value: await put(news()) } as const;
    const priorities = ["bulk", "transactional"];
    const both = priorities.map((priority) =>
      owner.policies.putPolicy({ policy: news({ priority }), basedOn }),
    );
    const ended = await Promise.allSettled(both);
    expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(ended.find(({ status }) => status === "rejected")).toMatchObject({ reason: code("policy.stale") });
  });

  it("has a revision, even if an early release stored it", async () => {
    await put(news());
    await identity.db
      .collection("policies")
      .updateOne({ accountId, name: "news" }, { $unset: { revision: "" } });
    const { policy } = await owner.policies.getPolicy({ name: "news" });
    const basedOn = { case: "revision", value: policy?.revision ?? "" } as const;
    expect(basedOn.value).toMatch(/^\d+$/);
    await owner.policies.putPolicy({ policy: news(), basedOn });
    await expect(owner.policies.putPolicy({ policy: news(), basedOn })).rejects.toEqual(code("policy.stale"));
  });

  it("has another revision than a former policy with its name", async () => {
    const revision = await put(news());
    await owner.policies.deletePolicy({ name: "news", revision });
    await put(news());
    await expect(owner.policies.deletePolicy({ name: "news", revision })).rejects.toEqual(
      code("policy.stale"),
    );
  });
});

describe("the default policy", () => {
  it("is unique at any time: a policy that is stored without the flag stays the default", async () => {
    expect(await nameOfDefault()).toBe("sandbox");
    await put({ name: "sandbox", transports: [sandbox], priority: "bulk" });
    expect(await account.policies.findDefault()).toMatchObject({ name: "sandbox", priority: "bulk" });
    await put(news({ default: true }));
    expect(await nameOfDefault()).toBe("news");
  });

  it("is changed to another one, which keeps its revision and author", async () => {
    const { policy: before } = await owner.policies.putPolicy({ policy: news() });
    const { policy } = await identity.operator.policies.makeDefaultPolicy({ accountId, name: "news" });
    expect(policy).toEqual({ ...before, default: true });
    expect(policy?.storedBy).toBe("account");
    expect((await state()).filter((one) => one.default).map(({ name }) => name)).toEqual(["news"]);
    // A repetition changes nothing, and is not recorded.
    const entries = () => account.audit.list({ actions: ["policy.make_default"], limit: 10 });
    const noted = await entries();
    expect(noted).toHaveLength(2);
    await owner.policies.makeDefaultPolicy({ name: "news" });
    expect(await entries()).toEqual(noted);
    await expect(owner.policies.makeDefaultPolicy({ name: "none" })).rejects.toEqual(
      code("policy.not_found"),
    );
  });

  it("is unique and exists while policies are deleted or made the default at the same time", async () => {
    for (let n = 0; n < 5; n++) {
      const name = `both-${n}`;
      await put({ name, transports: [sandbox] });
      const both = [owner.policies.deletePolicy({ name }), owner.policies.makeDefaultPolicy({ name })];
      const ended = await Promise.allSettled(n % 2 === 0 ? both : both.reverse());
      expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect((await state()).filter((one) => one.default)).toHaveLength(1);
    }
  });

  it("cannot be deleted", async () => {
    const before = await state();
    await expect(owner.policies.deletePolicy({ name: "sandbox" })).rejects.toEqual(code("policy.is_default"));
    expect(await state()).toEqual(before);
  });
});

describe("a deleted policy", () => {
  it("cannot be read or chosen, and is still used for waiting messages", async () => {
    await put(news());
    const { waitingUntil } = await owner.policies.deletePolicy({ name: "news" });
    const settings = createAccountSettings({ store: identity.store, clock: identity.time.clock, cacheMs: 0 });
    expect(await settings.policy(accountId, "news")).toBeUndefined();
    expect(await settings.policyOfMessage(accountId, "news")).toMatchObject({ name: "news" });
    const { policies } = await owner.policies.listPolicies({});
    expect(policies.map(({ name }) => name)).toEqual(["sandbox"]);
    const area = owner.policies;
    const name = "news";
    const looks: (() => Promise<unknown>)[] = [
      () => area.getPolicy({ name }),
      () => area.deletePolicy({ name }),
      () => area.makeDefaultPolicy({ name }),
      () => area.explainPolicy({ recipient: "a@example.org", by: { case: "name", value: name } }),
    ];
    for (const check of looks) await expect(check()).rejects.toEqual(code("policy.not_found"));
    // The longest time that a message may wait: 14 days, and one hour of caching.
    const stored = await account.policies.findOfMessage("news");
    expect(stored?.expireAt).toEqual(waitingUntil && timestampDate(waitingUntil));
    const keptMs = (stored?.expireAt?.getTime() ?? 0) - identity.time.clock.now().getTime();
    expect(keptMs).toBe(14 * 86_400_000 + 3_600_000);
  });

  it("is replaced by a new one with its name, also for waiting messages, without its password", async () => {
    await put(news({ transports: [relay("relay.example.com", "s3cret")] }));
    await owner.policies.deletePolicy({ name: "news" });
    const again = relay("relay.example.com", "new");
    const smtp = again.kind?.case === "smtp" ? again.kind.value : {};
    const without: Transport = { kind: { case: "smtp", value: { ...smtp, password: "" } } };
    await expect(put(news({ transports: [without] }))).rejects.toEqual(code("request.validation_failed"));
    await put(news({ priority: "bulk" }));
    const found = await account.policies.findOfMessage("news");
    expect(found).toMatchObject({ priority: "bulk" });
    expect([found?.retiredAt, found?.expireAt]).toEqual([undefined, undefined]);
  });

  it("is recorded in the audit log with its former content, without passwords", async () => {
    await put(news({ transports: [relay("relay.example.com", "s3cret")] }));
    await owner.policies.deletePolicy({ name: "news" });
    const [entry] = await account.audit.list({ actions: ["policy.delete"], limit: 1 });
    expect(entry).toMatchObject({ target: { kind: "policy", name: "news" }, outcome: "changed" });
    expect(entry?.changes).toContainEqual(expect.objectContaining({ field: "name" }));
    expect(JSON.stringify(entry)).not.toContain("s3cret");
  });
});

describe("a policy that the operator stored", () => {
  const OWNED = "policy.operator_owned";

  it("cannot be replaced, deleted or made the default by a member, and is unchanged", async () => {
    const { policy } = await identity.operator.policies.putPolicy({
      accountId,
      policy: news({ transports: [relay("10.0.0.1", "s3cret")] }),
    });
    const revision = policy?.revision ?? "";
    const before = await state();
    const changes: (() => Promise<unknown>)[] = [
      () => owner.policies.putPolicy({ policy: news() }),
      () => owner.policies.putPolicy({ policy: news(), basedOn: { case: "revision", value: revision } }),
      () => owner.policies.putPolicy({ policy: news(), basedOn: { case: "revision", value: "" } }),
      () => owner.policies.deletePolicy({ name: "news", revision }),
      () => owner.policies.makeDefaultPolicy({ name: "news" }),
    ];
    for (const change of changes) await expect(change()).rejects.toEqual(code(OWNED));
    expect(await state()).toEqual(before);
    expect((await owner.policies.getPolicy({ name: "news" })).policy?.storedBy).toBe("operator");
  });

  it("stays so if an early release stored no author, except for the initial policy of an account", async () => {
    const policies = identity.db.collection("policies");
    const old = { accountId, default: false, updatedAt: new Date() };
    const direct = {
      ...old,
      _id: `${accountId}.old` as never,
      name: "old",
      transports: [{ kind: "direct" }],
    };
    await policies.insertOne(direct);
    await policies.updateOne({ accountId, name: "sandbox" }, { $unset: { storedBy: "" } });
    await expect(owner.policies.putPolicy({ policy: news({ name: "old" }) })).rejects.toEqual(code(OWNED));
    await owner.policies.putPolicy({ policy: news({ name: "sandbox" }) });
  });
});

describe("the policy of system mail", () => {
  const accountId = SYSTEM_ACCOUNT;

  it("is the one that the operator stored last, and cannot be found by another caller", async () => {
    const { policies } = identity.operator;
    const put = (name: string) => policies.putPolicy({ accountId, policy: news({ name }) });
    expect((await put("one")).policy?.default).toBe(true);
    expect((await put("two")).policy?.default).toBe(true);
    expect(
      (await policies.listPolicies({ accountId })).policies.map(({ name, default: is }) => [name, is]),
    ).toEqual([
      ["one", false],
      ["two", true],
    ]);
    await expect(policies.deletePolicy({ accountId, name: "two" })).rejects.toEqual(
      code("policy.is_default"),
    );
    const area = owner.policies;
    const name = "two";
    const calls: (() => Promise<unknown>)[] = [
      () => area.getPolicy({ accountId, name }),
      () => area.listPolicies({ accountId }),
      () => area.putPolicy({ accountId, policy: news({ name }) }),
      () => area.makeDefaultPolicy({ accountId, name: "one" }),
      () => area.deletePolicy({ accountId, name: "one" }),
      () => area.explainPolicy({ accountId, recipient: "a@example.org", by: { case: "name", value: name } }),
    ];
    for (const call of calls) await expect(call()).rejects.toEqual(code("account.unknown"));
    const { policies: own } = await area.listPolicies({});
    expect(own.map((policy) => policy.name)).toEqual(["sandbox"]);
  });

  it("belongs to an account that has no members", async () => {
    const { operator } = identity;
    const calls: (() => Promise<unknown>)[] = [
      () => operator.users.createUser({ accountId, email: "eve@example.net", role: "owner" }),
      () => operator.invitations.createInvitation({ accountId, email: "eve@example.net", role: "owner" }),
      () => operator.keys.createKey({ accountId, name: "eve", kind: "account" }),
      () => operator.webhooks.createWebhook({ accountId, settings: { url: "https://example.net/" } }),
    ];
    for (const call of calls) await expect(call()).rejects.toEqual(code("account.unknown"));
  });
});

describe("members", () => {
  it("cannot use a private address in a policy, in any form", async () => {
    const hidden = [relay("10.0.0.1")];
    const rules = [{ domains: ["example.org"], transports: [relay("::1")] }];
    const revision = await put(news());
    const before = await state();
    const again = news({ transports: hidden, rules });
    for (const basedOn of [
      { case: "revision", value: revision } as const,
      { case: "nothing", value: true } as const,
      { case: undefined },
    ]) {
      const name = basedOn.case === "nothing" ? "mine" : "news";
      const refusal = await owner.policies
        .putPolicy({ policy: { ...again, name }, basedOn })
        .catch((thrown) => thrown);
      expect(refusal.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
        "/transports/0/smtp/servers/0/host",
        "/rules/0/transports/0/smtp/servers/0/host",
      ]);
    }
    expect(await state()).toEqual(before);
    const explaining = owner.policies.explainPolicy({
      recipient: "a@example.org",
      by: { case: "policy", value: again },
    });
    await expect(explaining).rejects.toEqual(code("request.validation_failed"));
  });

  it("can store the maximum number of policies of an account, and no more", async () => {
    const { db } = identity;
    const policy = { accountId, default: false, transports: [], updatedAt: new Date() };
    const many = Array.from({ length: 999 }, (_, n) => ({
      ...policy,
      _id: `${accountId}.p${n}` as never,
      name: `p${n}`,
    }));
    await db.collection("policies").insertMany(many);
    await expect(put(news())).rejects.toEqual(code("policy.too_many"));
    // An existing policy can still be replaced.
    await put({ name: "p1", transports: [sandbox] });
  });
});
