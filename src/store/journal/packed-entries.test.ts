import fc from "fast-check";
import { Binary, BSON } from "mongodb";
import { describe, expect, it } from "vitest";
import { newId } from "../../shared/ids.ts";
import { packPages } from "./event-pages.ts";
import type { JournalEntry } from "./journal-documents.ts";
import { createPacker, unpackEntries } from "./packed-entries.ts";

const at = fc.date({ min: new Date(0), max: new Date("2200-01-01T00:00:00Z"), noInvalidDate: true });
const messageId = fc.oneof(
  at.map((time) => newId("alr", time).replace("alr_", "msg_")),
  // Ids of other forms: too short, with letters that no id has, and beyond any time.
  fc.string(),
  fc.stringMatching(/^msg_[0-9a-z]{26}$/),
  fc.constant(`msg_${"z".repeat(26)}`),
);
const name = fc.constantFrom("", "shop", "ünï", "a\u0000b");
const entry: fc.Arbitrary<JournalEntry> = fc
  .record(
    {
      messageId,
      accountId: fc.constantFrom("", "acc_1", "acc_2"),
      kind: fc.constantFrom("accepted", "delivered", "opened"),
      at,
      attempt: fc.nat(),
      event: fc.constantFrom("none", "regular", "other"),
      category: name,
      provider: name,
      sender: name,
      policy: name,
      source: name,
      key: name,
      template: name,
      tags: fc.array(name),
      dueAt: at,
      first: fc.constant(true),
    },
    { requiredKeys: ["messageId", "accountId", "kind", "at", "attempt", "event"] },
  )
  .map(({ event, ...rest }) => ({
    ...rest,
    ...(event === "regular" && { eventId: `${rest.messageId}.${rest.attempt}.${rest.kind}` }),
    ...(event === "other" && { eventId: `${rest.messageId}.h1ü.${rest.kind}` }),
  })) as never;

const pack = (entries: readonly JournalEntry[]) => {
  const packer = createPacker();
  for (const one of entries) packer.add(one);
  return packer.end();
};

describe("packed entries", () => {
  it("are what was packed, whatever their ids and times", () => {
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        expect(unpackEntries(pack(entries))).toEqual(entries);
      }),
    );
  });

  it("take 35 bytes for an event of a message", () => {
    const now = new Date("2030-01-01T00:00:00Z");
    const entries = Array.from({ length: 1_000 }, (): JournalEntry => {
      const id = newId("alr", now).replace("alr_", "msg_");
      const time = new Date(now.getTime() + 1_500);
      return {
        eventId: `${id}.1.delivered`,
        messageId: id,
        accountId: "acc_1",
        kind: "delivered",
        at: time,
        attempt: 1,
        provider: "google",
        sender: "news.example.com",
        policy: "default",
        source: "api",
        tags: ["shop"],
        key: "key_1",
        dueAt: now,
      };
    });
    expect(pack(entries).packed.length() / entries.length).toBeLessThan(36);
  });

  it("are refused if they are cut, or if names are missing", () => {
    const packed = pack([
      {
        messageId: newId("alr", new Date()).replace("alr_", "msg_"),
        accountId: "acc_1",
        kind: "accepted",
        at: new Date(),
        attempt: 0,
      },
    ]);
    const cut = packed.packed.value().subarray(0, -1);
    expect(() => unpackEntries({ ...packed, packed: new Binary(cut) })).toThrow(RangeError);
    expect(() => unpackEntries({ ...packed, names: [] })).toThrow(RangeError);
  });

  it("fill several documents if their names are long", () => {
    const entries = Array.from(
      { length: 3_000 },
      (_, number): JournalEntry => ({
        messageId: newId("alr", new Date(number)).replace("alr_", "msg_"),
        accountId: "acc_1",
        kind: "accepted",
        at: new Date(number),
        attempt: 0,
        tags: Array.from({ length: 10 }, (__, tag) => `${number} ${tag} ${"x".repeat(60)}`),
      }),
    );
    const pages = packPages(entries, () => ({ _id: "jnl_1", writer: "jnw_1", at: new Date(0) }));
    for (const page of pages) expect(BSON.calculateObjectSize(page)).toBeLessThan(512 * 1024);
    expect(pages.flatMap(unpackEntries)).toEqual(entries);
    expect(pages.map(({ events }) => events)).toEqual(pages.map((page) => unpackEntries(page).length));
  });
});
