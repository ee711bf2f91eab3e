import { randomBytes } from "node:crypto";
import type { CommandStartedEvent, Document } from "mongodb";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type CapturedMessage, createSandboxStore } from "../../src/store/sandbox-store.ts";
import { createSealedBodyStore } from "../../src/store/sealing/sealed-body.ts";
import { testAudit, testWrites } from "../harness/audit.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

let opened: TestStore;
let store: ReturnType<typeof createSandboxStore>;
let removals: Document[] = [];

beforeAll(async () => {
  opened = await openTestStore();
  opened.db.client.on("commandStarted", ({ commandName, command }: CommandStartedEvent) => {
    if (commandName === "delete" && command.delete === "sandboxMessages") removals.push(command);
  });
  store = createSandboxStore(opened.db, testWrites(opened.db), createSealedBodyStore(opened.db, testSealing));
});
afterAll(() => opened.close());
afterEach(async () => {
  await store.acrossAccounts.clear(testAudit);
  removals = [];
});

function message(n: number, accountId: string, sizeBytes = 10): CapturedMessage {
  return {
    id: `msg_${String(n).padStart(6, "0")}`,
    accountId,
    traceId: `sx_${n}`,
    envelopeFrom: "ada@example.com",
    envelopeTo: ["bob@example.net"],
    from: "ada@example.com",
    subject: "Hello",
    capturedAt: new Date(),
    expireAt: new Date("2126-01-01T00:00:00Z"),
    source: randomBytes(sizeBytes),
  };
}
const countOf = (collection: string) => opened.db.collection(collection).countDocuments();

it("removes large messages completely when it is cleared, and leaves those of other accounts intact", async () => {
  const large = 2.5 * 1024 * 1024;
  const kept = message(2, "acc_2", large);
  await store.acrossAccounts.insertMissing([message(1, "acc_1", large), kept, message(3, "acc_1")]);
  expect(await countOf("chunks")).toBe(6);
  expect(await store.forAccount("acc_1").clear(testAudit)).toBe(2);
  expect(await countOf("chunks")).toBe(3);
  const found = await store.forAccount("acc_2").find(kept.id);
  expect(Buffer.compare(found?.source ?? Buffer.alloc(0), kept.source)).toBe(0);
  expect(await store.acrossAccounts.clear(testAudit)).toBe(1);
  expect([await countOf("chunks"), await countOf("sandboxMessages")]).toEqual([0, 0]);
});

it("clears many messages in steps of 500", async () => {
  await store.acrossAccounts.insertMissing(Array.from({ length: 1_201 }, (_, n) => message(n, "acc_1")));
  expect(await store.forAccount("acc_1").clear(testAudit)).toBe(1_201);
  const lengths = removals.map(({ deletes }) => deletes[0].q._id.$in.length);
  expect(lengths).toEqual([500, 500, 201]);
  expect(await store.acrossAccounts.list({ beforeId: undefined, limit: 1 })).toEqual([]);
});
