import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { EXPORTS } from "../../src/core/messages.ts";
import { createSlots } from "../../src/core/slots.ts";
import type { AreaClients } from "../../src/rpc/client.ts";
import { newIdInBucket } from "../../src/shared/ids.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { queuedMessage } from "../harness/queued-message.ts";

let identity: Identity;
let accountId: string;
let owner: AreaClients;

beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  accountId = await identity.openAccount();
  owner = identity.as({ session: (await identity.memberOf(accountId, "viewer")).token });
});

/** Stores messages, each a second older than the previous one. */
async function stored(...changes: Partial<MessageDocument>[]): Promise<string[]> {
  const now = identity.time.clock.now();
  const documents = changes.map((change, index) => {
    const at = new Date(now.getTime() - index * 1_000);
    const _id = newIdInBucket("msg", at, 1);
    return queuedMessage(at, { _id, bucket: 1, accountId, ...change });
  });
  await identity.store.acrossAccounts.messages.insertMany(documents);
  return documents.map(({ _id }) => _id);
}

type Asked = Parameters<AreaClients["messages"]["exportMessages"]>[0];

async function exported(asked: Asked): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const { data } of owner.messages.exportMessages(asked)) parts.push(data);
  return Buffer.concat(parts).toString();
}

const rowsOf = (csv: string) => parse(csv, { columns: true }) as Record<string, string>[];

describe("an export of messages", () => {
  it("contains exactly the matching messages, newest first, in several parts", async () => {
    const ids = await stored(
      ...Array.from({ length: 700 }, (_, index) => ({
        tags: index % 3 === 0 ? ["shop"] : [],
        subject: "x".repeat(100),
      })),
    );
    expect(rowsOf(await exported({})).map(({ id }) => id)).toEqual(ids);
    const tagged = ids.filter((_, index) => index % 3 === 0);
    expect(rowsOf(await exported({ filter: { tags: ["shop"] } })).map(({ id }) => id)).toEqual(tagged);
    expect(rowsOf(await exported({ filter: { tags: ["none"] } }))).toEqual([]);
    const filter = { states: ["queued"], tags: ["shop"] };
    const lines = (await exported({ filter, format: "ndjson" })).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(tagged);
  });

  it("is not interpreted as formulas by spreadsheets, and has times in UTC", async () => {
    const at = identity.time.clock.now();
    await stored({
      subject: '=cmd|"/c calc"',
      tags: ["-1"],
      metadata: { order: "17, 18" },
      template: { name: "welcome", version: 2 },
    } as never);
    const [row] = rowsOf(await exported({ format: "csv" }));
    expect(row).toMatchObject({
      subject: `'=cmd|"/c calc"`,
      tags: '["-1"]',
      metadata: '{"order":"17, 18"}',
      template_version: "2",
      created_at: at.toISOString(),
      send_at: "",
    });
  });

  it("has a message in NDJSON in the form of the list", async () => {
    await stored({ subject: "Grüße\n", metadata: { a: "b" } });
    const message = JSON.parse(await exported({ format: "ndjson" }));
    expect(message).toMatchObject({
      subject: "Grüße\n",
      state: "queued",
      account_id: accountId,
      metadata: { a: "b" },
    });
  });

  it.each([
    [{ format: "xml" }, "/format"],
    [{ filter: { states: ["gone"] } }, "/filter/states/0"],
  ])("is refused for an invalid request (%j)", async (asked, pointer) => {
    await expect(exported(asked)).rejects.toMatchObject({ errors: [{ pointer }] });
  });

  it("contains nothing of another account, and has an entry in the audit log", async () => {
    const [mine] = await stored({});
    const other = await identity.operator.accounts.createAccount({ name: "Other" });
    await stored({ accountId: other.account?.id ?? "" });
    expect(rowsOf(await exported({})).map(({ id }) => id)).toEqual([mine]);
    const { entries } = await identity.operator.audits.listEntries({
      accountId,
      filter: { action: "message.export" },
    });
    expect(entries).toMatchObject([{ outcome: "read" }]);
  });

  it("frees its slot when its reader or the export ends first", async () => {
    await stored(...Array.from({ length: 700 }, () => ({ subject: "x".repeat(500) })));
    for (let round = 0; round < 6; round++) {
      for await (const _ of owner.messages.exportMessages({})) break;
      // The core notices it a moment later.
      await sleep(0);
    }
    expect(rowsOf(await exported({}))).toHaveLength(700);
  });
});

it("are limited to four per account and sixteen in total", () => {
  const places = createSlots(EXPORTS);
  const busy = expect.objectContaining({ code: "service.busy", retryAfterSeconds: 30 });
  const own = Array.from({ length: 4 }, () => places.take("acc_1"));
  expect(() => places.take("acc_1")).toThrow(busy);
  own.pop()?.();
  places.take("acc_1");
  for (let index = 0; index < 12; index++) places.take(`acc_${2 + Math.floor(index / 4)}`);
  expect(() => places.take("acc_9")).toThrow(busy);
  own.pop()?.();
  places.take("acc_9");
});
