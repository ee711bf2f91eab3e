import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AuditEntryDocument } from "../../src/store/audit/entry-document.ts";
import type { AuditedWrites } from "../../src/store/audited-writes.ts";
import { testAudit, testWrites } from "../harness/audit.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

interface Shelf {
  readonly _id: string;
  readonly accountId: string;
  readonly name: string;
  readonly tags?: readonly string[] | undefined;
  readonly at?: Date | undefined;
}

let opened: TestStore;
let writes: AuditedWrites;
beforeAll(async () => {
  opened = await openTestStore();
  writes = testWrites(opened.db);
});
afterAll(() => opened.close());

const shelves = () => opened.db.collection<Shelf>("workspaces");
const audited = () => writes.of("workspace", shelves(), ({ name }) => `is ${name}`);
const entries = () => opened.db.collection<AuditEntryDocument>("auditEntries").countDocuments();
const stored = (_id: string) => shelves().findOne({ _id });
let made = 0;
const shelf = (): Shelf => ({ _id: `ws_${made++}`, accountId: "acc_1", name: "first" });

const state = fc.record(
  {
    name: fc.constantFrom("first", "second"),
    tags: fc.option(fc.array(fc.constantFrom("a", "b"), { maxLength: 2 }), { nil: undefined }),
    at: fc.option(fc.constantFrom(new Date(1), new Date(2)), { nil: undefined }),
  },
  { requiredKeys: ["name"] },
);

it("stores a changed document as a replacement stores it", async () => {
  const changes = fc.asyncProperty(state, state, async (former, next) => {
    const { _id, accountId } = shelf();
    await audited().add({ ...former, _id, accountId }, testAudit);
    const wanted = { ...next, _id, accountId };
    await audited().change({ _id, accountId }, testAudit, () => wanted);
    const changed = await stored(_id);
    await shelves().replaceOne({ _id }, wanted, { ignoreUndefined: true });
    expect(changed).toEqual(await stored(_id));
  });
  await fc.assert(changes, { numRuns: 40 });
});

it("writes neither the document nor an entry if no field differs", async () => {
  const first = await audited().add(shelf(), testAudit);
  const before = await entries();
  const sent: string[] = [];
  const listen = ({ commandName }: { readonly commandName: string }) => sent.push(commandName);
  opened.db.client.on("commandStarted", listen);
  const same = await audited().change({ _id: first._id }, testAudit, (one) => ({ ...one }));
  opened.db.client.off("commandStarted", listen);
  expect(same).toEqual(first);
  expect(sent).not.toContain("update");
  expect(await entries()).toBe(before);
});

it("refuses a stale revision and writes nothing", async () => {
  const { _id } = await audited().add(shelf(), testAudit);
  const before = await entries();
  const stale = { ifRevision: "is another" };
  const renamed = audited().change({ _id }, testAudit, (one) => ({ ...one, name: "second" }), stale);
  await expect(renamed).rejects.toMatchObject({ code: "resource.stale" });
  await expect(audited().take({ _id }, testAudit, stale)).rejects.toMatchObject({ code: "resource.stale" });
  expect((await stored(_id))?.name).toBe("first");
  expect(await entries()).toBe(before);
});

it("removes a document with an entry, and answers null for one that does not exist", async () => {
  const first = await audited().add(shelf(), testAudit);
  const before = await entries();
  const taken = await audited().take({ _id: first._id }, testAudit, { ifRevision: "is first" });
  expect(taken).toEqual(first);
  expect(await stored(first._id)).toBeNull();
  expect(await audited().take({ _id: first._id }, testAudit)).toBeNull();
  expect(await audited().change({ _id: first._id }, testAudit, (one) => one)).toBeNull();
  expect(await entries()).toBe(before + 1);
});

it("keeps neither document nor entry of a transaction that fails", async () => {
  const first = shelf();
  const before = await entries();
  const failing = writes.transact(async (session) => {
    await audited().insert(session, testAudit, first);
    throw new Error("it fails");
  });
  await expect(failing).rejects.toMatchObject({ code: "store.unavailable" });
  expect(await stored(first._id)).toBeNull();
  expect(await entries()).toBe(before);
});

it("inserts once: a key in use fails at the first attempt", async () => {
  const first = await audited().add(shelf(), testAudit);
  let attempts = 0;
  const listen = ({ commandName }: { readonly commandName: string }) => {
    if (commandName === "insert") attempts++;
  };
  opened.db.client.on("commandStarted", listen);
  await expect(audited().add(first, testAudit)).rejects.toMatchObject({ code: "store.unavailable" });
  opened.db.client.off("commandStarted", listen);
  expect(attempts).toBe(1);
});
