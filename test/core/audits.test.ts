import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createRefusalRecord } from "../../src/core/audits/refusal-record.ts";
import { fault } from "../../src/shared/fault.ts";
import { createLogger } from "../../src/shared/logger.ts";
import type { MemberRole } from "../../src/store/documents.ts";
import { createStore } from "../../src/store/store.ts";
import { testAudit } from "../harness/audit.ts";
import { failingDb } from "../harness/failing-db.ts";
import { type Identity, openIdentity, PASSWORD } from "../harness/identity.ts";
import { testSealing } from "../harness/sealing.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let identity: Identity;
let accountId: string;
/** Unauthenticated clients of each test have their own network. */
let network = 0;

beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  network++;
  accountId = await identity.openAccount();
  // Windows of the earlier tests are over.
  identity.time.pass(HOUR_MS);
  identity.refusals.flush();
});

async function member(role: MemberRole = "owner", of = accountId) {
  const { token, ...user } = await identity.memberOf(of, role);
  return { ...identity.as({ session: token }), ...user, token };
}

const addressOf = (host: number, net = network) => `198.51.${net}.${host}`;
const guess = (email: string, clientAddress = addressOf(1)) =>
  identity
    .as({ clientAddress })
    .sessions.signIn({ email, password: "wrong" })
    .catch(({ code }) => code);

/** Refusals of the account, newest first, after all are written. */
async function refusals() {
  await identity.refusals.idle();
  return (await identity.operator.audits.listEntries({ accountId, filter: { outcome: "refused" } })).entries;
}

async function refusalsOfStrangers(actorId = addressOf(1)) {
  await identity.refusals.idle();
  const filter = { outcome: "refused", actorId };
  return (await identity.operator.audits.listEntries({ installation: true, filter })).entries;
}

async function all<T>(parts: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const part of parts) found.push(part);
  return found;
}

describe("a refusal", () => {
  it("of a member contains the requested operation and the reason", async () => {
    const { keys, userId, email } = await member("viewer");
    await expect(keys.revokeKey({ key: "hm_live_1" })).rejects.toMatchObject({
      code: "auth.permission_missing",
    });
    await expect(keys.listKeys({})).resolves.toBeDefined();
    expect(await refusals()).toMatchObject([
      {
        actor: { kind: "user", id: userId, name: email },
        clientAddress: "192.0.2.1",
        clientAgent: "test",
        sessionId: expect.stringMatching(/^ses_/),
        action: "key.revoke",
        target: { kind: "key", id: "hm_live_1" },
        reason: "auth.permission_missing",
        count: 1,
      },
    ]);
  });

  it("is also recorded for a grant beyond the member's permissions and for a missing reauthentication", async () => {
    const { members, keys } = await member("admin");
    const boss = await member("owner");
    await members.removeMember({ user: boss.userId }).catch(() => undefined);
    identity.time.pass(HOUR_MS);
    await keys.createKey({ name: "all" }).catch(() => undefined);
    expect((await refusals()).map(({ action, reason }) => [action, reason])).toEqual([
      ["key.create", "auth.reauthentication_required"],
      ["member.remove", "member.grant_exceeded"],
    ]);
  });

  it("is not recorded for an invalid request or an unknown resource", async () => {
    const { keys, members } = await member();
    await expect(keys.renameKey({ key: "key_none", name: "x" })).rejects.toMatchObject({
      code: "key.unknown",
    });
    await expect(members.changeRole({ user: "x", role: "god" })).rejects.toBeDefined();
    await expect(keys.listKeys({ accountId: "acc_other" })).rejects.toBeDefined();
    expect(await refusals()).toEqual([]);
  });

  it("is only counted beyond ten in a minute of one user", async () => {
    const { keys } = await member("viewer");
    for (let n = 0; n < 25; n++) await keys.createKey({}).catch(() => undefined);
    expect(await refusals()).toHaveLength(10);
    identity.refusals.flush();
    expect(await refusals()).toHaveLength(10);
    identity.time.pass(MINUTE_MS);
    identity.refusals.flush();
    const [count, ...others] = await refusals();
    expect(count).toMatchObject({ count: 15, since: expect.anything(), actor: { kind: "user" } });
    expect(others).toHaveLength(10);
  });

  it("for a wrong password is recorded in the user's accounts, and in the user's own list", async () => {
    const { email, userId, audits } = await member();
    expect(await guess(email.toUpperCase())).toBe("auth.credentials_invalid");
    const expected = {
      actor: { kind: "stranger", id: addressOf(1) },
      action: "session.sign_in",
      target: { kind: "user", id: userId, name: email },
      reason: "auth.credentials_invalid",
      accountId,
    };
    expect(await refusals()).toMatchObject([expected]);
    const own = await audits.listOwnEntries({});
    expect(own.entries.filter(({ outcome }) => outcome === "refused")).toMatchObject([expected]);
  });

  it("does not contain text from an address field unless it is an address", async () => {
    await guess("my secret password");
    await guess("nobody@example.com");
    const names = (await refusalsOfStrangers()).map(({ target }) => target?.name);
    expect(names).toEqual(["nobody@example.com", ""]);
  });

  it("from an unauthenticated network has three entries an hour, and a count of the others", async () => {
    for (let n = 0; n < 20; n++) {
      await guess(`nobody-${n}@example.com`);
      // The throttle permits everyone an attempt now and then.
      identity.time.pass(MINUTE_MS);
    }
    expect(await refusalsOfStrangers()).toHaveLength(3);
    identity.time.pass(HOUR_MS);
    identity.refusals.flush();
    const [count, ...others] = await refusalsOfStrangers();
    expect(count).toMatchObject({ count: 17, action: "session.sign_in" });
    expect(others).toHaveLength(3);
    // Entries of unauthenticated clients have a shorter retention time.
    const [stored] = await identity.store.audit.installation.list({ actorId: addressOf(1), limit: 1 });
    expect(stored?.expireAt.getTime()).toBeLessThanOrEqual((stored?.at.getTime() ?? 0) + 30 * DAY_MS);
  });

  it("from more than a hundred networks is counted together", async () => {
    for (let host = 0; host < 130; host++) await guess("nobody@example.com", addressOf(host));
    await identity.refusals.idle();
    expect(await refusalsOfStrangers(addressOf(120))).toEqual([]);
    identity.time.pass(HOUR_MS);
    identity.refusals.flush();
    const [others] = await refusalsOfStrangers("others");
    expect(others).toMatchObject({ count: 30, actor: { kind: "stranger" }, clientAddress: "" });
  });

  it("is recorded for an expired session, but not for a request without a session", async () => {
    const { accounts } = identity.as({ session: "x", clientAddress: addressOf(1) });
    await expect(accounts.getAccount({})).rejects.toMatchObject({ code: "auth.session_invalid" });
    const without = identity.as({ clientAddress: addressOf(1) });
    await expect(without.accounts.getAccount({})).rejects.toMatchObject({ code: "auth.session_missing" });
    expect(await refusalsOfStrangers()).toMatchObject([
      { action: "session.use", target: { name: "account.get_account" }, reason: "auth.session_invalid" },
    ]);
  });

  it("does not stop the answer if the log cannot be written, and the next one is written", async () => {
    const failing = failingDb(identity.db, 1, "before");
    const store = createStore(failing.db, testSealing);
    const { record, idle } = createRefusalRecord({
      store,
      clock: identity.time.clock,
      log: createLogger("silent"),
    });
    const audit = { ...testAudit, action: "key.create" };
    const refused = { fault: fault("auth.permission_missing"), audit, principal: undefined, target: "" };
    record({ ...refused, accountId });
    await idle();
    expect(failing.failed()).toBe(true);
    expect(await refusals()).toEqual([]);
    record({ ...refused, accountId });
    await idle();
    expect(await refusals()).toHaveLength(1);
  });
});

describe("the log", () => {
  it("is visible to permitted members of its own account only", async () => {
    const { keys, audits, email } = await member();
    const other = await identity.operator.accounts.createAccount({ name: "Globex" });
    const stranger = await member("owner", other.account?.id ?? "");
    const { key } = await keys.createKey({ name: "shop" });
    const filter = { targetId: key?.id ?? "" };
    expect((await audits.listEntries({ filter })).entries).toMatchObject([
      { action: "key.create", actor: { name: email }, accountId },
    ]);
    expect((await stranger.audits.listEntries({ filter })).entries).toEqual([]);
    await expect(stranger.audits.listEntries({ accountId, filter })).rejects.toMatchObject({
      code: "account.unknown",
    });
    for (const role of ["developer", "support", "viewer"] as const) {
      const { audits: theirs } = await member(role);
      const refused = { code: "auth.permission_missing" };
      await expect(theirs.listEntries({ filter })).rejects.toMatchObject(refused);
      await expect(all(theirs.exportEntries({ filter }))).rejects.toMatchObject(refused);
    }
  });

  it("of the installation is visible only to the operator", async () => {
    const { audits } = await member();
    const refused = { code: "auth.caller_forbidden" };
    await expect(audits.listEntries({ installation: true })).rejects.toMatchObject(refused);
    await expect(all(audits.exportEntries({ installation: true }))).rejects.toMatchObject(refused);
    const filter = { action: "account.create", targetId: accountId };
    const { entries } = await identity.operator.audits.listEntries({ installation: true, filter });
    expect(entries).toMatchObject([{ actor: { kind: "operator" }, accountId: "", target: { name: "Acme" } }]);
  });

  it("of a deleted account is visible to the operator", async () => {
    // The first account stays, and ids of the same millisecond have no order.
    identity.time.pass(1);
    const { account } = await identity.operator.accounts.createAccount({ name: "Globex" });
    const { id = "" } = account ?? {};
    await identity.operator.accounts.deleteAccount({ accountId: id });
    const { entries } = await identity.operator.audits.listEntries({ accountId: id });
    expect(entries.map(({ action }) => action)).toContain("account.create");
    const never = "acc_00000000000000000000000000";
    await expect(identity.operator.audits.listEntries({ accountId: never })).rejects.toMatchObject({
      code: "account.unknown",
    });
  });

  it("has a list for each user: sign-ins, sessions, passwords and roles, in all accounts", async () => {
    const { audits, email, userId, members } = await member();
    const boss = await member();
    await identity.as({}).sessions.signIn({ email, password: PASSWORD });
    await boss.members.changeRole({ user: userId, role: "viewer" });
    await expect(members.removeMember({ user: boss.userId })).rejects.toBeDefined();
    await identity.refusals.idle();
    const { entries } = await audits.listOwnEntries({});
    const actions = entries.map(({ action }) => action);
    expect(actions).toEqual(
      expect.arrayContaining(["session.sign_in", "member.change_role", "member.remove"]),
    );
    expect((await boss.audits.listOwnEntries({})).entries.map(({ action }) => action)).not.toContain(
      "session.sign_in",
    );
    const [first] = entries;
    const page = await audits.listOwnEntries({ pageSize: 1 });
    expect(page).toMatchObject({ entries: [{ id: first?.id }], nextPageToken: first?.id });
  });

  it("is searched by resource, and page by page", async () => {
    const { keys, audits } = await member();
    const made = await keys.createKey({ name: "one" });
    await keys.renameKey({ key: made.key?.id ?? "", name: "two" });
    const first = await audits.listEntries({ filter: { action: "key" }, pageSize: 1 });
    expect(first.entries).toMatchObject([
      { action: "key.rename", changes: [{ field: "name", before: '"one"', after: '"two"', secret: false }] },
    ]);
    const { nextPageToken: pageToken } = first;
    const next = await audits.listEntries({ filter: { action: "key" }, pageSize: 1, pageToken });
    expect(next).toMatchObject({ entries: [{ action: "key.create" }], nextPageToken: "" });
  });

  const at = timestampFromDate(new Date(5));
  it.each([
    ["no action", { filter: { action: "nothing" } }, "/filter/action"],
    ["half a resource", { filter: { action: "ke" } }, "/filter/action"],
    ["no outcome", { filter: { outcome: "done" } }, "/filter/outcome"],
    ["what is no id", { filter: { actorId: "x".repeat(513) } }, "/filter/actor_id"],
    ["an empty span", { filter: { from: at, until: at } }, "/filter/until"],
    ["a long page", { pageSize: 1001 }, "/page_size"],
    ["another list's page", { pageToken: "key_1" }, "/page_token"],
  ])("refuses to search for %s", async (_what, request, pointer) => {
    const { audits } = await member();
    await expect(audits.listEntries(request)).rejects.toMatchObject({ errors: [{ pointer }] });
  });
});

describe("an export", () => {
  async function exported(request: object): Promise<string> {
    const parts = await all(identity.operator.audits.exportEntries({ accountId, ...request }));
    return Buffer.concat(parts.map(({ data }) => data)).toString();
  }

  it("contains every entry, for any number of them, and has its own entry", async () => {
    const { audit } = identity.store.forAccount(accountId);
    const { entries: before } = await identity.operator.audits.listEntries({ accountId, pageSize: 1000 });
    const act = { target: { kind: "key", id: "key_1", name: '=cmd|"calc"!A1' }, outcome: "read" } as const;
    const now = identity.time.clock.now;
    const by = {
      actor: { kind: "user", id: "usr_1", name: "@ada" },
      sessionId: "",
      clientAddress: "192.0.2.1",
      clientAgent: "line\nbreak",
      action: "key.create",
      traceId: "sx_1",
      now,
    } as const;
    for (let n = 0; n < 1_100; n++) await audit.add(by, act);
    identity.time.pass(1);
    const csv = await exported({});
    const [heading = "", ...lines] = csv.split("\r\n");
    expect(heading.split(",").slice(0, 3)).toEqual(["id", "at", "account_id"]);
    expect(lines.filter(Boolean)).toHaveLength(before.length + 1_100);
    expect(lines[0]).toContain(`,'@ada,`);
    expect(lines[0]).toContain(`,"'=cmd|""calc""!A1",`);
    expect(lines[0]).toContain(`"line\nbreak"`);
    const [own] = (await identity.operator.audits.listEntries({ accountId, pageSize: 1 })).entries;
    expect(own).toMatchObject({ action: "audit.export", outcome: "read", actor: { kind: "operator" } });
  });

  it("contains the entries that match the filter, as one JSON object per line", async () => {
    const { keys } = await member();
    await keys.createKey({ name: "shop" });
    identity.time.pass(1);
    const lines = (await exported({ format: "ndjson", filter: { action: "key.create" } })).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { action: "key.create", account_id: accountId, changes: expect.arrayContaining([]), reason: "" },
    ]);
    expect(await exported({ format: "ndjson", filter: { action: "domain" } })).toBe("");
  });

  it("is refused in an unknown format", async () => {
    await expect(exported({ format: "xml" })).rejects.toMatchObject({ errors: [{ pointer: "/format" }] });
    await expect(exported({ format: "constructor" })).rejects.toMatchObject({
      errors: [{ pointer: "/format" }],
    });
  });

  it("ends when the client stops reading", async () => {
    for await (const _ of identity.operator.audits.exportEntries({ accountId })) break;
    identity.time.pass(1);
    expect(await exported({})).toContain("audit.export");
  });
});
