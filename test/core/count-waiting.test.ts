import { timestampDate } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newIdInBucket } from "../../src/shared/ids.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { messageDocument } from "../harness/message-document.ts";
import { repetitions } from "../harness/repetitions.ts";

const START_MS = Date.UTC(2030, 0, 1);

let identity: Identity;
let accountId: string;
beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  accountId = await identity.openAccount();
});

const messages = () => identity.db.collection<MessageDocument>("messages");

async function stored(...some: readonly Partial<MessageDocument>[]): Promise<void> {
  const documents = some.map((changes, at) =>
    messageDocument({
      _id: newIdInBucket("msg", new Date(START_MS + at), at % 65_536),
      accountId,
      ...changes,
    }),
  );
  if (documents.length > 0) await messages().insertMany(documents);
}

const count = async (top = 0) => {
  const found = await identity.operator.counters.countWaiting({ accountId, top });
  return {
    waiting: Number(found.waiting),
    scheduled: Number(found.scheduled),
    others: Number(found.otherWaiting),
    oldestMs: found.oldestAt && timestampDate(found.oldestAt).getTime(),
    destinations: found.destinations.map(({ domain, waiting, oldestAt }) => ({
      domain,
      waiting: Number(waiting),
      oldestMs: oldestAt && timestampDate(oldestAt).getTime(),
    })),
    isPartial: found.isPartial,
  };
};

describe("a count of the queue", () => {
  it("equals a plain count of the messages, with exact totals for any number of listed destinations", async () => {
    const one = fc.record({
      state: fc.constantFrom("queued", "deferred", "scheduled", "delivered", "bounced", "cancelled"),
      domain: fc.constantFrom("a.example", "b.example", "gmail.com", "xn--bcher-kva.example"),
      at: fc.nat(100_000),
      isOthers: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(one, { maxLength: 40 }), fc.integer({ min: 1, max: 3 }), async (all, top) => {
        accountId = await identity.openAccount();
        const other = await identity.openAccount();
        await stored(
          ...all.map(({ state, domain, at, isOthers }) => ({
            state: state as MessageDocument["state"],
            recipientDomain: domain,
            createdAt: new Date(START_MS + at),
            ...(isOthers && { accountId: other }),
          })),
        );
        const own = all.filter(({ isOthers }) => !isOthers);
        const waiting = own.filter(({ state }) => state === "queued" || state === "deferred");
        const byDomain = [...new Set(waiting.map(({ domain }) => domain))]
          .map((name) => {
            const some = waiting.filter(({ domain }) => domain === name);
            const oldestMs = START_MS + Math.min(...some.map(({ at }) => at));
            return { domain: name, waiting: some.length, oldestMs };
          })
          .sort((a, b) => b.waiting - a.waiting || (a.domain < b.domain ? -1 : 1));
        const listed = byDomain.slice(0, top);
        expect(await count(top)).toEqual({
          waiting: waiting.length,
          scheduled: own.filter(({ state }) => state === "scheduled").length,
          others: waiting.length - listed.reduce((sum, { waiting: n }) => sum + n, 0),
          oldestMs: byDomain.length === 0 ? undefined : Math.min(...byDomain.map(({ oldestMs }) => oldestMs)),
          destinations: listed,
          isPartial: false,
        });
      }),
      { numRuns: repetitions(15, 50) },
    );
  });

  it("counts a destination with messages on more than one page of the index", async () => {
    const at = (domain: string, n: number) =>
      Array.from({ length: n }, (_, ms) => ({
        state: "queued" as const,
        recipientDomain: domain,
        createdAt: new Date(START_MS + ms),
      }));
    await stored(...at("a.example", 990), ...at("b.example", 1_500), ...at("c.example", 20));
    const { waiting, destinations, oldestMs } = await count();
    expect([waiting, oldestMs]).toEqual([2_510, START_MS]);
    expect(destinations.map(({ domain, waiting: n }) => [domain, n])).toEqual([
      ["b.example", 1_500],
      ["a.example", 990],
      ["c.example", 20],
    ]);
  });

  it("refuses a number of destinations above its maximum", async () => {
    await expect(count(101)).rejects.toMatchObject({
      code: "request.validation_failed",
      errors: [{ pointer: "/top" }],
    });
  });
});
