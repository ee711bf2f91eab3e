import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createKeyAuthenticator } from "../../src/core/access/authenticate-key.ts";
import { type FirstRun, prepareFirstRun } from "../../src/core/first-run.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { hashSecret } from "../../src/shared/secrets.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { type FailureTime, failingDb } from "../harness/failing-db.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const collections = ["accounts", "users", "apiKeys", "senders", "policies", "workspaces", "installation"];
const times: readonly FailureTime[] = ["before", "after"];
const HOUR_MS = 3_600_000;

let opened: TestStore;
let store: Store;

beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
});
afterAll(() => opened.close());
const empty = () => Promise.all(collections.map((name) => opened.db.collection(name).deleteMany({})));
beforeEach(empty);

const counts = async () =>
  Object.fromEntries(
    await Promise.all(
      collections.map(async (name) => [name, await opened.db.collection(name).countDocuments()]),
    ),
  );
const oneAccount = {
  accounts: 1,
  users: 1,
  apiKeys: 3,
  senders: 1,
  policies: 1,
  workspaces: 1,
  installation: 1,
};

/** A start at a given time, in a folder with files of earlier starts, with its own store. */
const prepare = ({ kept = [] as readonly FirstRun[], use = store, atMs = Date.now() } = {}) =>
  prepareFirstRun({ store: use, kept, clock: { ...systemClock, now: () => new Date(atMs) } });

async function opens({ apiKey, smtpUsername, smtpPassword: password }: FirstRun): Promise<boolean> {
  const keys = createKeyAuthenticator({ keys: store.acrossAccounts.keys, clock: systemClock, cacheMs: 0 });
  const demand = { scope: "email.send", surface: "grpc", clientAddress: "" } as const;
  try {
    await keys.authenticate(apiKey, { ...demand, kind: "account" });
    await keys.authenticate(smtpUsername, { ...demand, kind: "smtp", password });
    return true;
  } catch {
    return false;
  }
}

async function make(options: Parameters<typeof prepare>[0] = {}): Promise<FirstRun> {
  const prepared = await prepare(options);
  expect([prepared.isNew, await prepared.make()]).toEqual([true, true]);
  return prepared.expected as FirstRun;
}

it("creates one account that can send, and nothing before it is called", async () => {
  const prepared = await prepare();
  expect(Object.values(await counts())).toEqual(Array(collections.length).fill(0));
  expect(await prepared.make()).toBe(true);
  expect(await counts()).toEqual(oneAccount);
  expect(await opens(prepared.expected as FirstRun)).toBe(true);
  const { _id: accountId } = await store.accounts.resolve("");
  expect(await store.forAccount(accountId).policies.findDefault()).toMatchObject({ name: "sandbox" });
  expect(await store.forAccount(accountId).senders.hasAny(["hello@example.com"])).toBe(true);
});

it("creates a workspace that the deliverability key opens, also when it replaces unprinted credentials", async () => {
  const opened = async ({ deliverabilityApiKey }: FirstRun) => {
    const key = await store.acrossAccounts.keys.findByHash(hashSecret(deliverabilityApiKey));
    return key?.workspaceId;
  };
  const made = await make();
  const { _id: accountId } = await store.accounts.resolve("");
  const [workspace, ...others] = await store.forAccount(accountId).workspaces.list();
  expect([workspace, others]).toMatchObject([{ name: "Default", first: true }, []]);
  expect(await opened(made)).toBe(workspace?._id);
  const later = await prepare({ atMs: Date.now() + HOUR_MS });
  expect(await later.make()).toBe(true);
  expect(await opened(later.expected as FirstRun)).toBe(workspace?._id);
  expect(await store.forAccount(accountId).workspaces.list()).toEqual([workspace]);
});

it("creates one account among processes that start at once, and only its keys are valid", async () => {
  const starts = await Promise.all(Array.from({ length: 5 }, () => prepare()));
  const made = await Promise.all(starts.map((start) => start.make()));
  expect(made.filter(Boolean)).toHaveLength(1);
  expect(await counts()).toEqual(oneAccount);
  const open = await Promise.all(starts.map(({ expected }) => opens(expected as FirstRun)));
  expect(open).toEqual(made);
});

it("creates everything or nothing when any write fails, and the next start completes it", async () => {
  for (const time of times) {
    for (let nth = 1; ; nth++) {
      await empty();
      const failing = failingDb(opened.db, nth, time);
      const first = await prepare({ use: createStore(failing.db, testSealing) });
      await first.make().catch(() => undefined);
      const kept = first.expected as FirstRun;
      const isMade = await opens(kept);
      expect(isMade ? await counts() : Object.values(await counts())).toEqual(
        isMade ? oneAccount : Array(collections.length).fill(0),
      );
      if (!failing.failed()) break;
      const next = await prepare({ kept: [kept] });
      expect([next.isNew, next.isNew && (await next.make())]).toEqual([!isMade, !isMade]);
      expect(await opens(next.expected as FirstRun)).toBe(true);
      expect(await counts()).toEqual(oneAccount);
    }
  }
});

it("removes the keys that an interrupted start of an earlier release has left", async () => {
  const left = await make();
  for (const name of ["accounts", "installation"]) await opened.db.collection(name).deleteMany({});
  const used = { $set: { lastUsedAt: new Date() } };
  await opened.db.collection("apiKeys").updateOne({ kind: "account" }, used);
  const made = await make({ kept: [left] });
  expect([await opens(left), await opens(made)]).toEqual([false, true]);
  expect(await counts()).toEqual(oneAccount);
});

describe("a later start", () => {
  it("prints the keys again while none of them was used or revoked", async () => {
    const made = await make();
    expect(await prepare({ kept: [made] })).toMatchObject({ expected: made, isNew: false });
    const { _id: accountId } = await store.accounts.resolve("");
    for (const mark of ["lastUsedAt", "revokedAt"]) {
      const change = { [mark]: new Date() };
      await opened.db.collection("apiKeys").updateOne({ accountId, kind: "smtp" }, { $set: change });
      expect((await prepare({ kept: [made] })).expected).toBeUndefined();
      await opened.db.collection("apiKeys").updateOne({ accountId, kind: "smtp" }, { $unset: change });
    }
  });

  it("finds them among the files of interrupted starts", async () => {
    const other = (await prepare()).expected as FirstRun;
    const made = await make();
    expect((await prepare({ kept: [other, made] })).expected).toEqual(made);
    expect((await prepare({ kept: [other] })).expected).toBeUndefined();
  });

  it("keeps printed keys valid, although the file is missing", async () => {
    const start = await prepare();
    await start.make();
    await start.markShown();
    const later = await prepare({ atMs: Date.now() + HOUR_MS });
    expect([later.expected, later.isNew]).toEqual([undefined, false]);
  });

  it("gives the account other keys if the first ones were never printed, but not while they may be about to be", async () => {
    const lost = await make();
    const { _id: accountId } = await store.accounts.resolve("");
    expect((await prepare()).isNew).toBe(false);
    const [made, never] = await Promise.all(
      [1, 2].map(async () => {
        const start = await prepare({ atMs: Date.now() + HOUR_MS });
        return { start, isMade: await start.make() };
      }),
    ).then((starts) => starts.sort((a, b) => Number(b.isMade) - Number(a.isMade)));
    expect([made?.isMade, never?.isMade]).toEqual([true, false]);
    expect([await opens(lost), await opens(made?.start.expected as FirstRun)]).toEqual([false, true]);
    expect(await store.accounts.resolve("")).toMatchObject({ _id: accountId });
    expect(await counts()).toEqual(oneAccount);
  });

  it("keeps keys that were used although they were not printed", async () => {
    await make();
    await opened.db
      .collection("apiKeys")
      .updateOne({ kind: "account" }, { $set: { lastUsedAt: new Date() } });
    expect((await prepare({ atMs: Date.now() + HOUR_MS })).isNew).toBe(false);
  });
});
