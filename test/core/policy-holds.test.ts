import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createHolds } from "../../src/delivery/queue/holds.ts";
import type { AreaClients } from "../../src/rpc/client.ts";
import { newIdInBucket } from "../../src/shared/ids.ts";
import { holdId } from "../../src/store/hold-document.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { MAX_HOLDS_OF_ACCOUNT } from "../../src/store/policy-hold-document.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { messageDocument } from "../harness/message-document.ts";

let identity: Identity;
let accountId: string;
let owner: AreaClients;
let email: string;
beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  accountId = await identity.openAccount();
  const member = await identity.memberOf(accountId);
  email = member.email;
  owner = identity.as({ session: member.token });
});

const code = (name: string) => expect.objectContaining({ code: name });
const hold = (changes: { destination?: string; reason?: string } = {}) =>
  owner.policies.holdPolicyQueue({ name: "sandbox", reason: "The relay is down", ...changes });
const release = (destination = "") => owner.policies.releasePolicyQueue({ name: "sandbox", destination });
const queue = () => owner.policies.getPolicyQueue({ name: "sandbox" });

let count = 0;
async function waiting(changes: Partial<MessageDocument> = {}): Promise<MessageDocument> {
  const at = new Date(identity.time.clock.now().getTime() - 60_000);
  const message = messageDocument({
    _id: newIdInBucket("msg", at, count++ % 65_536),
    accountId,
    policy: "sandbox",
    state: "queued",
    recipientDomain: "example.org",
    recipient: "bob@example.org",
    createdAt: at,
    ...changes,
  });
  await identity.db.collection<MessageDocument>("messages").insertOne(message);
  return message;
}

/** The holds as another worker reads them. */
async function heldByWorker(message: MessageDocument): Promise<boolean> {
  const { holds, acrossAccounts } = identity.store;
  const read = createHolds({ holds, policyHolds: acrossAccounts.policyHolds });
  await read.refresh();
  return read.isHeld(message);
}

describe("a hold of a policy", () => {
  it("covers messages of its policy, account and destination, until it is released", async () => {
    const here = await waiting();
    const elsewhere = await waiting({ recipientDomain: "example.net", recipient: "bob@example.net" });
    const others = { ...here, policy: "other" };
    const strangers = { ...here, accountId: await identity.openAccount() };
    const all = [here, elsewhere, others, strangers];
    const held = () => Promise.all(all.map(heldByWorker));
    expect(await held()).toEqual([false, false, false, false]);
    await hold({ destination: "Example.ORG" });
    expect(await held()).toEqual([true, false, false, false]);
    await hold();
    expect(await held()).toEqual([true, true, false, false]);
    await release();
    expect(await held()).toEqual([true, false, false, false]);
    await release("example.org");
    expect(await held()).toEqual([false, false, false, false]);
    await expect(release()).rejects.toEqual(code("queue.hold_unknown"));
  });

  it("is kept by its id, even if its fields are damaged", async () => {
    const message = await waiting();
    await hold();
    await identity.db
      .collection("policyHolds")
      .updateOne({ accountId }, { $set: { policy: 1, destination: {} }, $unset: { reason: "" } });
    expect(await heldByWorker(message)).toBe(true);
    await identity.db.collection("policyHolds").deleteMany({ accountId });
  });

  it("is shown with author and reason in the queue, at the message and in its timeline", async () => {
    const message = await waiting();
    await waiting({ recipientDomain: "example.net", recipient: "eve@example.net", state: "deferred" });
    await waiting({ policy: "other" });
    const { hold: added } = await hold({ destination: "example.org" });
    expect((await hold({ destination: "example.org", reason: "again" })).hold).toEqual(added);
    expect(added).toMatchObject({
      owner: "account",
      reason: "The relay is down",
      heldBy: { kind: "user", name: email },
    });
    expect(await queue()).toMatchObject({
      waiting: 2n,
      held: false,
      holds: [added],
      destinations: [
        { domain: "example.net", waiting: 1n, held: false },
        { domain: "example.org", waiting: 1n, held: true },
      ],
    });
    const found = await owner.messages.getMessage({ id: message._id });
    expect(found.hold).toEqual(added);
    expect(found.timeline.at(-1)).toMatchObject({
      kind: "held",
      detail: `Held by ${email}: The relay is down`,
    });
    const attention = await owner.accounts.getAttention({});
    expect([attention.holdCount, attention.holds]).toEqual([1, [added]]);
    await release("example.org");
    expect((await owner.messages.getMessage({ id: message._id })).hold).toBeUndefined();
    expect((await owner.accounts.getAttention({})).holdCount).toBe(0);
  });

  it("of the operator is shown, without a reason for several accounts, and stays after a release", async () => {
    const { operator } = identity;
    const selection = { destination: "example.org" };
    await operator.queues.holdQueue({ selection, reason: "incident of another customer" });
    const message = await waiting();
    const found = await owner.messages.getMessage({ id: message._id });
    expect(found.hold).toMatchObject({ owner: "operator", reason: "", destination: "example.org" });
    await expect(release("example.org")).rejects.toEqual(code("queue.hold_unknown"));
    expect(await heldByWorker(message)).toBe(true);
    await operator.queues.releaseQueue({ selection });
    const own = { accountId, policy: "sandbox" };
    await operator.queues.holdQueue({ selection: own, reason: "please call" });
    expect(await queue()).toMatchObject({
      held: true,
      holds: [{ owner: "operator", reason: "please call" }],
    });
    await operator.queues.releaseQueue({ selection: own });
  });

  it("needs a reason, a domain and a policy that exists", async () => {
    for (const changes of [{ reason: " " }, { reason: "x".repeat(201) }, { destination: "no domain" }])
      await expect(hold(changes)).rejects.toEqual(code("request.validation_failed"));
    const none = owner.policies.holdPolicyQueue({ name: "none", reason: "why" });
    await expect(none).rejects.toEqual(code("policy.not_found"));
    expect((await queue()).holds).toEqual([]);
  });

  it("is refused beyond the limit of the account", async () => {
    const { policyHolds } = identity.store.forAccount(accountId);
    const heldBy = { kind: "user", id: "usr_1", name: email } as const;
    await identity.db.collection<{ _id: string }>("policyHolds").insertMany(
      Array.from({ length: MAX_HOLDS_OF_ACCOUNT }, (_, n) => {
        const selection = { accountId, policy: "sandbox", destination: `d${n}.example` };
        return { _id: holdId(selection), ...selection, reason: "", heldAt: new Date(), heldBy };
      }),
    );
    await expect(hold()).rejects.toEqual(code("queue.too_many_holds"));
    expect((await policyHolds.oldest(1)).count).toBe(MAX_HOLDS_OF_ACCOUNT);
    await identity.db.collection("policyHolds").deleteMany({ accountId });
  });

  it("works for a deleted policy that messages still use", async () => {
    const policy = { name: "news", transports: [{ kind: { case: "sandbox" as const, value: {} } }] };
    await owner.policies.putPolicy({ policy });
    const message = await waiting({ policy: "news" });
    await owner.policies.deletePolicy({ name: "news" });
    await owner.policies.holdPolicyQueue({ name: "news", reason: "wait" });
    expect(await heldByWorker(message)).toBe(true);
    expect(await owner.policies.getPolicyQueue({ name: "news" })).toMatchObject({
      deleted: true,
      waiting: 1n,
    });
    await owner.policies.releasePolicyQueue({ name: "news" });
  });
});
