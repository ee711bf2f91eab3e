import { expect, it } from "vitest";
import { createTestTime } from "../../../test/harness/test-time.ts";
import { createIdsInOrder, timeOfId } from "../../shared/ids.ts";
import type { JournalSpan, JournalTailDocument } from "../../store/journal-tail-store.ts";
import { createJournalTail } from "./journal-tail.ts";

const START_MS = Date.UTC(2030, 0, 1);

function make() {
  const time = createTestTime(START_MS);
  const documents: JournalTailDocument[] = [];
  const nextId = createIdsInOrder("jnl");
  const within = ({ fromMs, throughMs }: JournalSpan) =>
    documents
      .filter(({ _id }) => timeOfId(_id).getTime() >= fromMs && timeOfId(_id).getTime() <= throughMs)
      .sort((a, b) => (a._id < b._id ? -1 : 1));
  const source = {
    list: async (span: JournalSpan) => within(span).slice(0, span.limit),
    latest: async (span: JournalSpan) => within(span).toReversed().slice(0, span.limit),
    listIds: async (span: JournalSpan) =>
      within(span)
        .toReversed()
        .slice(0, span.limit)
        .map(({ _id }) => _id),
    findMany: async (ids: readonly string[]) => documents.filter(({ _id }) => ids.includes(_id)),
  };
  return {
    time,
    tail: createJournalTail({ source, clock: time.clock }),
    /** @param agoMs age of the document's id when it is written */
    write(name: string, agoMs = 0): void {
      const at = new Date(time.clock.now().getTime() - agoMs);
      const entry = { messageId: name, accountId: "acc_1", kind: "accepted", at, attempt: 0 };
      documents.push({ _id: nextId(at), entries: [entry] });
    },
  };
}

type Tail = ReturnType<typeof make>["tail"];
const namesIn = ({ events }: Awaited<ReturnType<Tail["next"]>>) =>
  events.flatMap(({ changes }) => changes.map(({ messageId }) => messageId));

it("reports settled documents once, in the order of time", async () => {
  const { tail, time, write } = make();
  await tail.begin();
  write("b");
  write("a", 10);
  expect(namesIn(await tail.next())).toEqual([]);
  time.pass(1_000);
  write("c");
  expect(namesIn(await tail.next())).toEqual(["a", "b"]);
  time.pass(1_000);
  expect(namesIn(await tail.next())).toEqual(["c"]);
  time.pass(1_000);
  expect(namesIn(await tail.next())).toEqual([]);
});

it("reports a document that another process wrote late, after all earlier ones", async () => {
  const { tail, time, write } = make();
  await tail.begin();
  time.pass(5_000);
  const before = (await tail.next()).position;
  write("late", 3_000);
  const batch = await tail.next();
  expect(namesIn(batch)).toEqual(["late"]);
  expect(batch.events[0]?.position).toEqual({ throughMs: before.throughMs, late: 1 });
  expect(namesIn(await tail.next())).toEqual([]);
});

it("does not report a change again that was reported before it was stored", async () => {
  const { tail, time, write } = make();
  await tail.begin();
  write("once");
  time.pass(1_000);
  expect(namesIn(await tail.next())).toEqual(["once"]);
  write("once");
  time.pass(1_000);
  expect(namesIn(await tail.next())).toEqual([]);
});

it("misses no document if there are more than it reads at once", async () => {
  const { tail, time, write } = make();
  await tail.begin();
  const names = Array.from({ length: 2_500 }, (_, n) => `m${n}`);
  for (const [n, name] of names.entries()) {
    if (n % 5 === 0) time.pass(1);
    write(name);
  }
  time.pass(2_000);
  const heard = [];
  for (let batch = 0; batch < 10; batch++) heard.push(...namesIn(await tail.next()));
  expect(heard).toEqual(names);
});

it("begins with the last minute, and reports the position from which it is complete", async () => {
  const { tail, time, write } = make();
  write("old");
  time.pass(30_000);
  write("young");
  time.pass(31_500);
  const batch = await tail.begin();
  expect(namesIn(batch)).toEqual(["young"]);
  expect(batch.since?.throughMs).toBe(batch.position.throughMs - 60_001);
  expect(namesIn(await tail.next())).toEqual([]);
});

it("restarts after it could not read for a long time", async () => {
  const { tail, time, write } = make();
  await tail.begin();
  write("missed");
  time.pass(120_000);
  const batch = await tail.next();
  expect(batch.since).toBeDefined();
  expect(namesIn(batch)).toEqual([]);
});
