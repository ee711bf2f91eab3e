import { beforeEach, expect, it } from "vitest";
import type { MessageDocument } from "../../store/documents.ts";
import type { DueQuery } from "../../store/queue-store.ts";
import { createPending } from "./pending.ts";
import { createQueueReader, type QueueReaderOptions } from "./queue-reader.ts";

const START_MS = Date.UTC(2030, 0, 1);
let nowMs = START_MS;
let queries: DueQuery[] = [];
let stored: MessageDocument[] = [];
let made = 0;
let held = [1];
beforeEach(() => {
  held = [1];
  nowMs = START_MS;
  queries = [];
  stored = [];
});

function message(accountId: string, dueMs: number): MessageDocument {
  const id = `m${made++}`;
  const at = new Date(dueMs);
  const fields = { accountId, recipientDomain: "example.net", partition: 1, priority: "transactional" };
  return {
    _id: id,
    contentId: id,
    sizeBytes: 1,
    attempts: 0,
    epoch: 1,
    updatedAt: at,
    nextAttemptAt: at,
    ...fields,
  } as MessageDocument;
}

/** A reader of a queue in which it takes a while to look at everything. */
function reading(sweepMs: number) {
  const lease = { epoch: 1, since: new Date(START_MS) };
  const pending = createPending({ epochOf: () => 1, isUnderWay: () => false });
  const options = {
    queue: {
      findDue: async (query: DueQuery) => {
        if (query.priority === "bulk") return [];
        queries.push(query);
        if (!query.from || query.from.getTime() < START_MS - 60_000) nowMs += sweepMs;
        const { from = new Date(0), now, except, limit } = query;
        const left = new Set(except.map(({ accountId }) => accountId));
        return stored
          .filter(({ accountId, nextAttemptAt: at = now }) => at >= from && at <= now && !left.has(accountId))
          .slice(0, limit);
      },
    },
    loadContents: async () => new Map(),
    partitions: { held: () => held, lease: () => lease },
    pending,
    clock: { now: () => new Date(nowMs), monotonicMs: () => nowMs },
    enqueue: (one: MessageDocument, epoch: number) => void pending.admit(one, epoch, undefined),
  } as unknown as QueueReaderOptions;
  return { reader: createQueueReader(options), pending };
}

it("does not look through a large backlog again and again, but finds at once what becomes due behind it", async () => {
  const { reader, pending } = reading(2_000);
  const hourAgoMs = START_MS - 3_600_000;
  stored = Array.from({ length: 8_000 }, (_, i) => message("acc_flood", hourAgoMs + i));
  for (let i = 0; i < 20 && pending.crowded("transactional").length === 0; i++) await reader.read();
  expect(pending.size("transactional")).toBe(5_000);
  // One that looks through all of it, and leaves out whose it is.
  await reader.read();
  const before = queries.length;
  for (let i = 0; i < 5; i++) {
    nowMs += 1_000;
    const late = message("acc_other", nowMs);
    stored.push(late);
    await reader.read();
    expect(pending.knows(late, 1)).toBe(true);
  }
  const sweeps = queries.slice(before).filter(({ from }) => !from || from.getTime() < START_MS - 60_000);
  expect(sweeps).toEqual([]);
  held = [1, 2];
  await reader.read();
  expect(queries.at(-1)?.from).toBeUndefined();
});
