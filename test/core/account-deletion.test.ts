import type { Document } from "mongodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAccountDeletions } from "../../src/core/accounts/delete-account.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { testAudit } from "../harness/audit.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";
import { createTestTime, type TestTime } from "../harness/test-time.ts";

const MINUTE_MS = 60_000;

describe("deleting an account", () => {
  let identity: Identity;
  let first: string;
  beforeAll(async () => {
    identity = await openIdentity();
    first = await identity.openAccount("The operator's");
    identity.time.pass(1);
  });
  afterAll(() => identity.close());

  it("removes its keys, members and name immediately, and nothing of other accounts", async () => {
    const [id, other] = [await identity.openAccount("Going"), await identity.openAccount("Staying")];
    const [owner, stranger] = [await identity.memberOf(id), await identity.memberOf(other)];
    await identity.operator.users.createUser({ email: stranger.email, accountId: id, role: "viewer" });
    const made = await identity.operator.keys.createKey({ accountId: id, name: "shop" });
    const kept = await identity.operator.keys.createKey({ accountId: other, name: "shop" });
    const session = identity.as({ session: owner.token });
    await session.accounts.deleteAccount({});

    const unknown = { code: "account.unknown" };
    await expect(identity.operator.accounts.getAccount({ accountId: id })).rejects.toMatchObject(unknown);
    await expect(identity.operator.accounts.deleteAccount({ accountId: id })).rejects.toMatchObject(unknown);
    const check = (apiKey: string) =>
      identity.frontEnd.keys.checkKey({ apiKey, kind: "account", scope: "email.send" });
    await expect(check(made.secret)).rejects.toMatchObject({ code: "auth.key_invalid" });
    await check(kept.secret);
    expect(await session.sessions.getSession({})).toMatchObject({
      accountId: "",
      memberships: [],
      permissions: [],
    });
    await expect(session.members.listMembers({})).rejects.toMatchObject({ code: "auth.permission_missing" });
    const of = identity.as({ session: stranger.token });
    const { memberships } = await of.sessions.getSession({});
    expect(memberships.map(({ accountId }) => accountId)).toEqual([other]);
  });

  it("requires the owner, and a password that was just verified", async () => {
    const id = await identity.openAccount("Acme");
    const [owner, admin] = [await identity.memberOf(id), await identity.memberOf(id, "admin")];
    await expect(identity.as({ session: admin.token }).accounts.deleteAccount({})).rejects.toMatchObject({
      code: "auth.permission_missing",
    });
    const { accounts } = identity.as({ session: owner.token });
    await expect(accounts.deleteAccount({ accountId: first })).rejects.toMatchObject({
      code: "account.unknown",
    });
    identity.time.pass(11 * MINUTE_MS);
    await expect(accounts.deleteAccount({})).rejects.toMatchObject({
      code: "auth.reauthentication_required",
    });
    expect(await accounts.getAccount({})).toMatchObject({ account: { name: "Acme" } });
  });

  it("is refused for the first account, which sends Hermod's own mail, and without an account id", async () => {
    const { accounts } = identity.operator;
    await expect(accounts.deleteAccount({ accountId: first })).rejects.toMatchObject({
      code: "account.first",
    });
    await expect(accounts.deleteAccount({ accountId: "" })).rejects.toMatchObject({
      code: "account.unknown",
    });
    expect(await accounts.getAccount({ accountId: first })).toMatchObject({ account: { id: first } });
  });

  it("revokes invitations to the account", async () => {
    const id = await identity.openAccount("Acme");
    const email = "late@example.com";
    await identity.operator.invitations.createInvitation({ accountId: id, email, role: "viewer" });
    await identity.operator.accounts.deleteAccount({ accountId: id });
    const invited = { token: identity.tokenTo(email), password: "several uncommon words of mine" };
    await expect(identity.as({}).invitations.acceptInvitation(invited)).rejects.toMatchObject({
      code: "invitation.unknown",
    });
  });
});

describe("the data of a deleted account", () => {
  const [GOING, STAYING] = ["acc_going", "acc_staying"];
  let opened: TestStore;
  let store: Store;
  let time: TestTime;
  let run: () => Promise<void>;
  beforeAll(async () => {
    opened = await openTestStore();
    store = createStore(opened.db, testSealing);
    time = createTestTime();
    run = createAccountDeletions({ store, clock: time.clock, log: createLogger("silent"), proofMs: 60_000 });
    await opened.db
      .collection<{ _id: string; name?: string }>("accounts")
      .insertMany([{ _id: "acc_0" }, { _id: GOING, name: "Going" }]);
    await store.accountDeletions.begin(GOING, { deletedAt: time.clock.now(), deletedBy: "" }, testAudit);
  });
  afterAll(() => opened.close());

  const all = async (name: string): Promise<Document[]> => opened.db.collection(name).find().toArray();

  /** Every collection with an index that begins with the account. */
  async function ofAccounts(): Promise<string[]> {
    const names = (await opened.db.listCollections().toArray()).map(({ name }) => name);
    const indexed = names.map(async (name) => {
      const indexes = await opened.db.collection(name).indexes();
      return indexes.some(({ key }) => Object.keys(key)[0] === "accountId") ? [name] : [];
    });
    // Recorded actions are kept for the retention time of the audit log. Sessions belong to users, who stay.
    const kept = new Set(["auditEntries", "sessions"]);
    return (await Promise.all(indexed))
      .flat()
      .filter((name) => !kept.has(name))
      .sort();
  }

  it("is removed from every collection with account data, and no data of other accounts is", async () => {
    const names = await ofAccounts();
    expect(names.length).toBeGreaterThan(9);
    for (const name of names) {
      const documents = [GOING, STAYING].map(
        (accountId) =>
          ({ _id: `1-${accountId}`, accountId, hash: accountId, tokenHash: accountId }) as Document,
      );
      await opened.db.collection(name).insertMany(documents as never);
    }
    await run();
    const left = await Promise.all(
      names.map(async (name) => [name, (await all(name)).map(({ accountId }) => accountId)]),
    );
    expect(left).toEqual(names.map((name) => [name, [STAYING]]));
  });

  it("is removed with bodies and events, after waiting messages were cancelled", async () => {
    const now = time.clock.now();
    const later = new Date(now.getTime() + 60 * MINUTE_MS);
    const waiting = queuedMessage(now, { _id: "msg_waiting", accountId: GOING, contentId: "cnt_1" });
    const scheduled = queuedMessage(now, {
      _id: "msg_later",
      accountId: GOING,
      contentId: "cnt_2",
      nextAttemptAt: later,
    });
    const { nextAttemptAt: _, ...finished } = queuedMessage(now, {
      _id: "msg_done",
      accountId: GOING,
      contentId: "cnt_3",
    });
    const others = queuedMessage(now, { _id: "msg_other", accountId: STAYING, contentId: "cnt_4" });
    await store.acrossAccounts.messages.insertMany([waiting, scheduled, finished, others]);
    const large = Buffer.alloc(2_500_000, "x");
    await store.acrossAccounts.contents.insertMany(
      [waiting, scheduled, finished, others].map(({ contentId: id, accountId }) => ({
        id,
        accountId,
        body: { kind: "raw" as const, source: large },
        sizeBytes: large.length,
        createdAt: now,
        expireAt: later,
      })),
    );
    const events = [finished, others].map(({ _id, accountId, traceId }) => ({
      _id: `${_id}.1.queued`,
      messageId: _id,
      accountId,
      traceId,
      kind: "queued" as const,
      attempt: 1,
      at: now,
      expireAt: later,
    }));
    await store.acrossAccounts.events.insertMissing(events);

    await run();
    const found = await store.forAccount(GOING).messages.findById(waiting._id);
    expect(found).toMatchObject({ cancelRequestedAt: now, nextAttemptAt: now });
    expect(await store.forAccount(GOING).messages.findById(finished._id)).toBeNull();
    expect((await all("events")).map(({ messageId }) => messageId)).toEqual([others._id]);
    expect(await store.accountDeletions.next()).toMatchObject({ _id: GOING });

    // Cancelled by the owner of its partition.
    await store
      .forAccount(GOING)
      .queue.withdrawBeforeDue(waiting, new Date(0), { at: now, audit: testAudit });
    await run();
    expect((await all("messages")).map(({ _id }) => _id).filter((id) => id !== `1-${STAYING}`)).toEqual([
      others._id,
    ]);
    expect((await all("contents")).map(({ _id }) => _id)).toEqual([others.contentId]);
    expect((await all("chunks")).every(({ _id }) => String(_id).startsWith("cnt_4."))).toBe(true);
  });

  it("is searched for until no new data can appear", async () => {
    await run();
    expect(await store.accountDeletions.next()).toMatchObject({ _id: GOING });
    time.pass(5 * MINUTE_MS);
    await run();
    expect(await store.accountDeletions.next()).toBeNull();
    expect(await store.accountDeletions.find(GOING)).toMatchObject({
      finishedAt: time.clock.now(),
      expireAt: new Date(time.clock.now().getTime() + 60_000),
      // Including those of the earlier tests.
      removed: { messages: 4, contents: 3, chunks: 9, events: 1, apiKeys: 1, suppressions: 1 },
    });
  });
});
