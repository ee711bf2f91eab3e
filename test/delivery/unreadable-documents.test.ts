import { Binary, BSON } from "mongodb";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createAccountSettings } from "../../src/core/access/account-settings.ts";
import { createCheckSuppression } from "../../src/delivery/queue/check-suppression.ts";
import { createLoadBody } from "../../src/delivery/queue/load-body.ts";
import { systemClock as clock } from "../../src/shared/clock.ts";
import type { MtaStsDocument } from "../../src/store/documents.ts";
import type { ChunkDocument, MessageDocument } from "../../src/store/message-documents.ts";
import type { NewPolicy } from "../../src/store/policy-store.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { testAudit } from "../harness/audit.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { damage, invalidUtf8 } from "../harness/raw-documents.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const now = new Date();
const expireAt = new Date(now.getTime() + 3_600_000);

let opened: TestStore;
let store: Store;

beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
});
afterAll(() => opened.close());

async function storeBody({ contentId: id, accountId }: MessageDocument, subject: string): Promise<void> {
  const content = { from: { address: "ada@example.com" }, to: [], subject, text: "Hello", attachments: [] };
  const body = { kind: "composed", content } as unknown as { kind: "raw"; source: Buffer };
  await store.acrossAccounts.contents.insertMany([
    { id, accountId, body, sizeBytes: 100, createdAt: now, expireAt },
  ]);
}

it("a body of another BSON type affects only its own message", async () => {
  const [damaged, whole, pieces] = [queuedMessage(now), queuedMessage(now), queuedMessage(now)];
  await storeBody(damaged, "Damaged");
  await storeBody(whole, "Whole");
  await damage(opened.db, "contents", damaged.contentId, invalidUtf8("Damaged"));
  const body = { kind: "uploaded", chunkCount: 1 } as const;
  const { contentId: id, accountId } = pieces;
  await store.acrossAccounts.contents.insertMany([
    { id, accountId, body, sizeBytes: 9, createdAt: now, expireAt },
  ]);
  const chunk = { _id: `${id}.0`, data: new Binary(Buffer.from("x")), expireAt, note: "Damaged" };
  await opened.db.collection<ChunkDocument>("chunks").insertOne(chunk);
  await damage(opened.db, "chunks", chunk._id, invalidUtf8("Damaged"));
  const loadBody = createLoadBody({ contents: store.acrossAccounts.contents });
  const loaded = await Promise.allSettled([damaged, whole, pieces].map((message) => loadBody(message)));
  expect(loaded).toMatchObject([
    { status: "rejected", reason: { message: expect.stringMatching(/^the body cannot be read: content: /) } },
    { status: "fulfilled", value: { kind: "composed" } },
    { status: "rejected", reason: { message: expect.stringMatching(/^the body cannot be read: /) } },
  ]);
});

it("an unreadable suppression stops mail only to its own address", async () => {
  const to = (name: string) =>
    queuedMessage(now, { recipient: `${name}@example.net`, recipientDomain: "example.net" });
  for (const name of ["damaged", "listed"]) {
    const address = `${name}@example.net`;
    const detail = `Asked by ${name}`;
    const entry = { addressKey: address, address, reason: "manual" as const, detail, createdAt: now };
    await store.forAccount("acc_test").suppressions.add(entry, testAudit);
  }
  const _id = "acc_test:damaged@example.net:";
  await damage(opened.db, "suppressions", _id, invalidUtf8("Asked by damaged"));
  const check = createCheckSuppression({ suppressions: store.acrossAccounts.suppressions, clock });
  const checked = await Promise.allSettled(["damaged", "listed", "free"].map((name) => check(to(name))));
  expect(checked).toMatchObject([
    { status: "rejected", reason: { message: expect.stringMatching(/^the suppression entry .* detail: /) } },
    { status: "fulfilled", value: { to: "suppressed" } },
    { status: "fulfilled", value: undefined },
  ]);
});

it("an unreadable suppression is listed as such, and can be removed", async () => {
  const { suppressions } = store.forAccount("acc_list");
  const list = () => suppressions.list({ now, limit: 10 });
  const entry = (addressKey: string) => ({ addressKey, policy: "bulk", createdAt: now });
  for (const name of ["a", "b:c", "d"]) {
    const added = {
      ...entry(`${name}@example.net`),
      address: name,
      reason: "complaint" as const,
      detail: "Asked",
    };
    await suppressions.add(added, testAudit);
  }
  await damage(opened.db, "suppressions", "acc_list:b:c@example.net:bulk", invalidUtf8("Asked"));
  const damaged = { addressKey: "b:c@example.net", policy: "bulk", reason: "manual", createdAt: now };
  expect(await list()).toMatchObject([{ address: "a" }, damaged, { address: "d" }]);
  expect(await suppressions.remove(entry("b:c@example.net"), now, testAudit)).toMatchObject(damaged);
  expect(await list()).toMatchObject([{ address: "a" }, { address: "d" }]);
});

it("a suppression with an invalid end stays in force", async () => {
  const entry = { accountId: "acc_test", addressKey: "endless@example.net", address: "endless@example.net" };
  await store
    .forAccount("acc_test")
    .suppressions.add({ ...entry, reason: "manual", createdAt: now }, testAudit);
  await opened.db.collection("suppressions").updateOne(entry, { $set: { expireAt: "soon" } });
  const check = createCheckSuppression({ suppressions: store.acrossAccounts.suppressions, clock });
  const message = queuedMessage(now, { recipient: entry.address, recipientDomain: "example.net" });
  await expect(check(message)).rejects.toThrow(/expireAt: it is not a date/);
});

it.each([
  ["is not UTF-8", invalidUtf8("enforce")],
  [
    "is of another type",
    (bytes: Buffer) => Buffer.from(BSON.serialize({ ...BSON.deserialize(bytes), mx: 7 })),
  ],
])("an MTA-STS policy that %s is replaced by the next fetched one", async (_, edit) => {
  const policy: MtaStsDocument = {
    _id: "example.net",
    policyId: "1",
    mode: "enforce",
    mx: ["mx.example.net"],
    maxAgeSeconds: 3_600,
    fetchedAt: now,
    expireAt,
  };
  await store.mtaStsPolicies.put(policy);
  await damage(opened.db, "mtaStsPolicies", policy._id, edit);
  await expect(store.mtaStsPolicies.find(policy._id)).rejects.toMatchObject({ code: "internal.error" });
  await store.mtaStsPolicies.put({ ...policy, policyId: "2" });
  expect(await store.mtaStsPolicies.find(policy._id)).toMatchObject({
    policyId: "2",
    mx: ["mx.example.net"],
  });
});

it("an unreadable policy is reported as such, and stops no other mail", async () => {
  for (const accountId of ["acc_damaged", "acc_whole"]) {
    const policy: NewPolicy = {
      name: "default",
      default: true,
      storedBy: "operator",
      transports: [
        { kind: "smtp", servers: [{ host: "relay.example", port: 25 }], tls: "none", maxConnections: 1 },
      ],
      updatedAt: now,
    };
    await store.forAccount(accountId).policies.replace(policy.name, () => policy, testAudit);
  }
  await damage(opened.db, "policies", "acc_damaged.default", invalidUtf8("relay.example"));
  const settings = createAccountSettings({ store, clock, cacheMs: 1_000 });
  // Not store.unavailable: the attempt counts, and is made again with growing pauses and not every second.
  await expect(settings.policy("acc_damaged", "default")).rejects.toMatchObject({ code: "internal.error" });
  expect(await settings.policy("acc_whole", "default")).toMatchObject({ accountId: "acc_whole" });
});
