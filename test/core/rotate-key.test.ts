import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createKeyAuthenticator, type KeyAuthenticator } from "../../src/core/access/authenticate-key.ts";
import { keys } from "../../src/core/keys/keys.ts";
import { type CoreClient, createCoreClient } from "../../src/rpc/client.ts";
import { createCoreServer } from "../../src/rpc/server.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { testAudit } from "../harness/audit.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";
import { createTestTime, type TestTime } from "../harness/test-time.ts";

const HOUR_MS = 3_600_000;

let opened: TestStore;
let store: Store;
let time: TestTime;
let authenticator: KeyAuthenticator;
let core: Pick<CoreClient, "keys">;

beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
  await store.accounts.insert({ _id: "acc_1", name: "one", createdAt: new Date() }, testAudit);
});
afterAll(() => opened.close());
beforeEach(() => {
  time = createTestTime();
  const { clock } = time;
  authenticator = createKeyAuthenticator({ keys: store.acrossAccounts.keys, clock, cacheMs: 60_000 });
  const server = createCoreServer({
    host: "127.0.0.1",
    port: 0,
    tokens: { operator: "operator" },
    clock,
    log: createLogger("silent"),
  });
  keys.serve(server, { store, authenticator, clock });
  core = createCoreClient(server.localCalls("operator", 60_000));
});

const use = (secret: string) =>
  authenticator.authenticate(secret, {
    kind: "account",
    scope: "email.send",
    surface: "http",
    clientAddress: "192.0.2.1",
  });
const expired = { code: "auth.key_expired" };

describe("a key that is rotated", () => {
  it("stays valid for the overlap together with the new one, and then has its final state", async () => {
    const restricted = { scopeMode: "restricted", scopes: ["email.send"], senders: ["example.com"] };
    const made = await core.keys.createKey({
      name: "shop",
      allowedAddresses: ["192.0.2.0/24"],
      ...restricted,
    });
    await use(made.secret);
    const rotated = await core.keys.rotateKey({ key: made.key?.prefix ?? "", overlapSeconds: 3600 });
    expect(rotated.key).toMatchObject({ name: "shop", allowedAddresses: ["192.0.2.0/24"], ...restricted });
    expect(rotated.key?.lastUsedAt).toBeUndefined();
    expect(rotated.former).toMatchObject({ id: made.key?.id, supersededAt: expect.anything() });
    await use(made.secret);
    await use(rotated.secret);
    time.pass(HOUR_MS);
    await expect(use(made.secret)).rejects.toMatchObject({
      ...expired,
      public: expect.stringContaining("another key had replaced it"),
    });
    await use(rotated.secret);
  });

  it("ends immediately without an overlap, despite caches", async () => {
    const made = await core.keys.createKey({});
    await use(made.secret);
    const rotated = await core.keys.rotateKey({ key: made.key?.id ?? "" });
    await expect(use(made.secret)).rejects.toMatchObject(expired);
    await use(rotated.secret);
  });

  it("has a new password if it is a sending key", async () => {
    const made = await core.keys.createKey({ kind: "smtp" });
    const rotated = await core.keys.rotateKey({ key: made.key?.id ?? "" });
    expect(rotated.password).not.toBe("");
    expect(rotated.password).not.toBe(made.password);
    const demand = { kind: "smtp", scope: "email.send", surface: "http", clientAddress: "" } as const;
    await authenticator.authenticate(rotated.secret, { ...demand, password: rotated.password });
    await expect(
      authenticator.authenticate(rotated.secret, { ...demand, password: made.password }),
    ).rejects.toMatchObject({ code: "auth.key_invalid" });
  });

  it("cannot be rotated again, and neither can a revoked, expired or unknown key", async () => {
    const names: string[] = [];
    const once = await core.keys.createKey({});
    await core.keys.rotateKey({ key: once.key?.id ?? "", overlapSeconds: 60 });
    names.push(once.key?.id ?? "");
    const revoked = await core.keys.createKey({});
    await core.keys.revokeKey({ key: revoked.key?.id ?? "" });
    names.push(revoked.key?.id ?? "");
    const before = (await core.keys.listKeys({})).keys.length;
    for (const key of names)
      await expect(core.keys.rotateKey({ key })).rejects.toMatchObject({ code: "key.not_active" });
    await expect(core.keys.rotateKey({ key: "key_none" })).rejects.toMatchObject({ code: "key.unknown" });
    await expect(core.keys.rotateKey({ key: names[0] ?? "", overlapSeconds: 10 ** 7 })).rejects.toMatchObject(
      {
        errors: [{ pointer: "/overlap_seconds", code: "field.invalid" }],
      },
    );
    expect((await core.keys.listKeys({})).keys).toHaveLength(before);
  });

  it("is rotated once by parallel calls", async () => {
    const made = await core.keys.createKey({});
    const request = { key: made.key?.id ?? "", overlapSeconds: 60 };
    const tries = await Promise.allSettled([1, 2, 3, 4].map(() => core.keys.rotateKey(request)));
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

describe("a key with an expiry", () => {
  it("expires together with its successor", async () => {
    const expiresAt = { seconds: BigInt(Math.floor(time.clock.now().getTime() / 1000) + 3600), nanos: 0 };
    const made = await core.keys.createKey({ expiresAt });
    const rotated = await core.keys.rotateKey({ key: made.key?.id ?? "", overlapSeconds: 86_400 });
    await use(made.secret);
    time.pass(HOUR_MS);
    for (const secret of [made.secret, rotated.secret])
      await expect(use(secret)).rejects.toMatchObject(expired);
  });

  it("cannot expire in the past", async () => {
    const expiresAt = { seconds: BigInt(Math.floor(time.clock.now().getTime() / 1000) - 1), nanos: 0 };
    await expect(core.keys.createKey({ expiresAt })).rejects.toMatchObject({
      errors: [{ pointer: "/expires_at", code: "field.invalid" }],
    });
  });
});

it("a key can be renamed", async () => {
  const made = await core.keys.createKey({ name: "shop" });
  const { key } = await core.keys.renameKey({ key: made.key?.prefix ?? "", name: "store" });
  expect(key).toMatchObject({ id: made.key?.id, name: "store" });
  await expect(core.keys.renameKey({ key: key?.id ?? "", name: "x".repeat(101) })).rejects.toMatchObject({
    errors: [{ pointer: "/name", code: "field.too_long" }],
  });
  await expect(core.keys.renameKey({ key: "key_none", name: "x" })).rejects.toMatchObject({
    code: "key.unknown",
  });
});
