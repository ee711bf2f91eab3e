import type { MessageInitShape } from "@bufbuild/protobuf";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { PolicySchema } from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import type { AreaClients } from "../../src/rpc/client.ts";
import { newIdInBucket } from "../../src/shared/ids.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { messageDocument } from "../harness/message-document.ts";
import { repetitions } from "../harness/repetitions.ts";

type Policy = MessageInitShape<typeof PolicySchema>;

let identity: Identity;
let accountId: string;
let owner: AreaClients;
beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  accountId = await identity.openAccount();
  owner = identity.as({ session: (await identity.memberOf(accountId)).token });
});

const relay = (changes: object = {}) => ({
  kind: {
    case: "smtp" as const,
    value: { servers: [{ host: "relay.example.com" }], username: "ada", password: "s3cret", ...changes },
  },
});
const news = (changes: Policy = {}): Policy => ({ name: "news", transports: [relay()], ...changes });
const code = (name: string) => expect.objectContaining({ code: name });
const put = async (policy: Policy) => (await owner.policies.putPolicy({ policy })).policy;
const versions = async (name = "news") => (await owner.policies.listPolicyVersions({ name })).versions;
const stored = () => identity.store.forAccount(accountId).policies.find("news");

describe("versions of a policy", () => {
  it("have number, revision and author, newest first, and contain no password in clear", async () => {
    const first = await put(news());
    const second = await put(news({ priority: "bulk" }));
    const member = expect.objectContaining({ kind: "user", name: expect.stringContaining("@") });
    expect(await versions()).toEqual([
      expect.objectContaining({ version: 2, revision: second?.revision, author: member, current: true }),
      expect.objectContaining({ version: 1, revision: first?.revision, author: member, current: false }),
    ]);
    const found = await owner.policies.getPolicyVersion({ name: "news", version: "1" });
    expect(found.policy).toMatchObject({ priority: "transactional", name: "news" });
    expect(
      JSON.stringify(found, (_, value) => (typeof value === "bigint" ? String(value) : value)),
    ).not.toContain("s3cret");
    const documents = await identity.db
      .collection("settingVersions")
      .find({ accountId, name: "news" })
      .toArray();
    expect(documents).toHaveLength(2);
    expect(JSON.stringify(documents)).not.toContain("s3cret");
  });

  it("are read page by page", async () => {
    for (let n = 1; n <= 5; n++) await put(news({ maxAgeSeconds: 1_000 + n }));
    const numbers: number[] = [];
    for (let pageToken = ""; ; ) {
      const page = await owner.policies.listPolicyVersions({ name: "news", pageSize: 2, pageToken });
      numbers.push(...page.versions.map(({ version }) => version));
      pageToken = page.nextPageToken;
      if (pageToken === "") break;
    }
    expect(numbers).toEqual([5, 4, 3, 2, 1]);
  });

  it("equal a plain list of the states, also with writers of a release without versions and deletions", async () => {
    const step = fc.record({
      what: fc.constantFrom("put", "put", "put", "old", "delete"),
      age: fc.integer({ min: 1_000, max: 9_000 }),
    });
    const policies = () => identity.db.collection("policies");
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        accountId = await identity.openAccount();
        owner = identity.as({ session: (await identity.memberOf(accountId)).token });
        /** Maximum ages, oldest first, and whether their author is known. */
        const model: { age: number; isKnown: boolean }[] = [];
        let exists = false;
        for (const { what, age } of steps) {
          if (what === "put") {
            await put(news({ maxAgeSeconds: age }));
            model.push({ age, isKnown: true });
            exists = true;
          } else if (what === "old" && exists) {
            const at = new Date(Date.now() + model.length);
            const $set = { maxAgeMs: age * 1_000, updatedAt: at, revision: `rev_old_${model.length}` };
            await policies().updateOne({ accountId, name: "news" }, { $set });
            // Two such writes without another one leave one state.
            if (model.at(-1)?.isKnown === false) model.pop();
            model.push({ age, isKnown: false });
          } else if (what === "delete" && exists) {
            await owner.policies.deletePolicy({ name: "news" });
            exists = false;
          }
          if (!exists) continue;
          const listed = await versions();
          const shown = await Promise.all(
            listed.map(async ({ version, author }) => {
              const found = await owner.policies.getPolicyVersion({ name: "news", version: String(version) });
              return { version, age: found.policy?.maxAgeSeconds, isKnown: author !== undefined };
            }),
          );
          const expected = model.map((one, at) => ({ version: at + 1, ...one })).reverse();
          expect(shown).toEqual(expected);
          expect(listed.map(({ current }) => current)).toEqual(expected.map((_, at) => at === 0));
        }
      }),
      { numRuns: repetitions(12, 60) },
    );
  });

  it("begin with the present state of a policy of a former release", async () => {
    await put(news());
    await identity.db.collection("settingVersions").deleteMany({ accountId });
    const found = await versions();
    expect(found.map(({ version, current, author }) => [version, current, author])).toEqual([
      [1, true, undefined],
    ]);
    await put(news({ priority: "bulk" }));
    expect((await versions()).map(({ version }) => version)).toEqual([2, 1]);
  });

  it("are the newest 100", async () => {
    await put(news());
    const [document] = await identity.db.collection("settingVersions").find({ accountId }).toArray();
    const { policies } = identity.store.forAccount(accountId);
    if (!document || !(await policies.find("news"))) throw new Error("there is no version");
    await identity.db.collection("settingVersions").updateOne({ accountId }, { $set: { number: 100 } });
    await identity.db
      .collection<{ _id: string }>("settingVersions")
      .insertOne({ ...document, _id: "first", number: 1, revision: "rev_first" } as never);
    await put(news({ priority: "bulk" }));
    expect((await versions()).map(({ version }) => version)).toEqual([101, 100]);
  });

  it("go with a deleted policy, and continue if it is created again", async () => {
    await put(news());
    await owner.policies.deletePolicy({ name: "news" });
    const expiring = { accountId, name: "news", expireAt: { $exists: true } };
    const count = () => identity.db.collection("settingVersions").countDocuments(expiring);
    expect(await count()).toBe(1);
    await expect(versions()).rejects.toEqual(code("policy.not_found"));
    await put(news());
    expect([await count(), (await versions()).length]).toEqual([0, 2]);
  });

  it("are unknown to another account, and unknown numbers are refused", async () => {
    await put(news());
    const stranger = await identity.openAccount();
    const other = identity.as({ session: (await identity.memberOf(stranger)).token });
    const asked = { name: "news", version: "1" };
    await expect(other.policies.getPolicyVersion(asked)).rejects.toEqual(code("policy.not_found"));
    for (const version of ["0", "2", "-1", "x", "99999999999"])
      await expect(owner.policies.getPolicyVersion({ name: "news", version })).rejects.toEqual(
        code("policy.version_not_found"),
      );
  });
});

describe("a comparison of two versions", () => {
  it("names each field that differs, and a password without its values", async () => {
    await put(news());
    const rules = [{ domains: ["example.org"], transports: [relay()] }];
    const changed = relay({ password: "another", tls: "implicit" });
    await put(news({ transports: [changed], rules, priority: "bulk" }));
    const { before, after, changes } = await owner.policies.comparePolicyVersions({ name: "news" });
    expect([before, after]).toEqual([1, 2]);
    const shown = changes.map(({ field, before: from, after: to, secret }) => [field, from, to, secret]);
    expect(shown).toEqual(
      expect.arrayContaining([
        ["transports.0.smtp.password", undefined, undefined, true],
        ["transports.0.smtp.tls", '"required"', '"implicit"', false],
        ["priority", '"transactional"', '"bulk"', false],
        ["rules", "[]", expect.stringContaining("example.org"), false],
      ]),
    );
    expect(JSON.stringify(shown)).not.toMatch(/s3cret|another/);
    await expect(owner.policies.comparePolicyVersions({ name: "news", after: "1" })).rejects.toEqual(
      code("policy.version_not_found"),
    );
  });
});

describe("a restored version", () => {
  it("is a new revision with the former content and passwords", async () => {
    await put(news());
    const present = await put({ name: "news", transports: [{ kind: { case: "sandbox", value: {} } }] });
    const asked = { name: "news", version: 1, revision: present?.revision ?? "" };
    const { policy } = await owner.policies.restorePolicy(asked);
    expect(policy?.revision).not.toBe(present?.revision);
    expect((await stored())?.transports[0]).toMatchObject({ username: "ada", password: "s3cret" });
    expect((await versions())[0]).toMatchObject({ version: 3, restoredVersion: 1, current: true });
    await expect(owner.policies.restorePolicy(asked)).rejects.toEqual(code("policy.stale"));
    expect(await versions()).toHaveLength(3);
  });

  it("gets the present password of its servers", async () => {
    await put(news());
    await put(news({ transports: [relay({ password: "rotated" })], priority: "bulk" }));
    await owner.policies.restorePolicy({ name: "news", version: 1 });
    expect((await stored())?.transports[0]).toMatchObject({ password: "rotated" });
  });

  it("is refused to a member if the operator stored it, and nothing is changed", async () => {
    const { operator } = identity;
    await operator.policies.putPolicy({ accountId, policy: news() });
    await operator.policies.deletePolicy({ accountId, name: "news" });
    const mine = await put({ name: "news", transports: [{ kind: { case: "sandbox", value: {} } }] });
    const asked = { name: "news", version: 1, revision: mine?.revision ?? "" };
    await expect(owner.policies.restorePolicy(asked)).rejects.toEqual(code("policy.operator_owned"));
    expect((await stored())?.revision).toBe(mine?.revision);
  });
});

describe("an explanation of a message", () => {
  async function attempted(revision: string): Promise<string> {
    const now = identity.time.clock.now();
    const _id = newIdInBucket("msg", now, 1);
    const message = messageDocument({ _id, accountId, policy: "news", recipient: "bob@example.org" });
    await identity.db.collection<MessageDocument>("messages").insertOne(message);
    await identity.store.acrossAccounts.events.insertMissing([
      {
        _id: `${_id}.1.deferred`,
        bucket: message.bucket,
        accountId,
        messageId: _id,
        traceId: message.traceId,
        kind: "deferred",
        attempt: 1,
        at: now,
        expireAt: new Date(now.getTime() + 86_400_000),
        decidedBy: { policy: "news", revision, rules: 0 },
      } as never,
    ]);
    return _id;
  }

  it("has the policy of the attempt beside the present one, or says that it is no longer kept", async () => {
    const first = await put(news({ priority: "bulk" }));
    const messageId = await attempted(first?.revision ?? "");
    const same = await owner.policies.explainPolicy({ messageId });
    expect(same.attempted).toMatchObject({ version: 1, current: true, attempt: 1 });
    await put(news());
    const explained = await owner.policies.explainPolicy({ messageId });
    expect(explained).toMatchObject({ recipient: "bob@example.org", priority: { value: "transactional" } });
    expect(explained.attempted).toMatchObject({
      version: 1,
      current: false,
      explanation: { priority: { value: "bulk" } },
    });
    const forgotten = await owner.policies.explainPolicy({ messageId: await attempted("rev_gone") });
    expect(forgotten.attempted).toMatchObject({
      version: 0,
      reason: expect.stringContaining("no longer keeps"),
    });
    expect(forgotten.attempted?.explanation).toBeUndefined();
  });

  it("is refused with a recipient, and for a message of another account", async () => {
    const messageId = await attempted((await put(news()))?.revision ?? "");
    await expect(owner.policies.explainPolicy({ messageId, recipient: "ada@example.org" })).rejects.toEqual(
      code("request.validation_failed"),
    );
    const stranger = await identity.openAccount();
    const other = identity.as({ session: (await identity.memberOf(stranger)).token });
    await expect(other.policies.explainPolicy({ messageId })).rejects.toEqual(code("message.unknown"));
  });
});
