import fc from "fast-check";
import { Binary } from "mongodb";
import { describe, expect, it } from "vitest";
import { newId } from "../../shared/ids.ts";
import { packEntries, type ReadEntry, unpackEntries } from "./packed-entries.ts";

const at = fc.date({ min: new Date(0), max: new Date("2200-01-01T00:00:00Z"), noInvalidDate: true });
const messageId = fc.oneof(
  at.map((time) => newId("alr", time).replace("alr_", "msg_")),
  // Ids of other forms: too short, with letters that no id has, and beyond any time.
  fc.string(),
  fc.stringMatching(/^msg_[0-9a-z]{26}$/),
  fc.constant(`msg_${"z".repeat(26)}`),
);
const entry: fc.Arbitrary<ReadEntry> = fc
  .record({
    messageId,
    accountId: fc.constantFrom("", "acc_1", "acc_2"),
    kind: fc.constantFrom("accepted", "delivered", "opened"),
    at,
    attempt: fc.nat(),
    category: fc.option(fc.constantFrom("mailbox.unknown", ""), { nil: undefined }),
    event: fc.constantFrom("none", "regular", "other"),
  })
  .map(({ event, category, ...rest }) => ({
    ...rest,
    ...(event === "regular" && { eventId: `${rest.messageId}.${rest.attempt}.${rest.kind}` }),
    ...(event === "other" && { eventId: `${rest.messageId}.h1ü.${rest.kind}` }),
    ...(category !== undefined && { category }),
  }));

describe("packed entries", () => {
  it("are what was packed, whatever their ids and times", () => {
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        expect(unpackEntries(packEntries(entries))).toEqual(entries);
      }),
    );
  });

  it("take 25 bytes for an event of a message", () => {
    const now = new Date("2030-01-01T00:00:00Z");
    const entries = Array.from({ length: 1_000 }, (): ReadEntry => {
      const id = newId("alr", now).replace("alr_", "msg_");
      const time = new Date(now.getTime() + 1_500);
      return {
        eventId: `${id}.1.delivered`,
        messageId: id,
        accountId: "acc_1",
        kind: "delivered",
        at: time,
        attempt: 1,
      };
    });
    expect(packEntries(entries).packed.length() / entries.length).toBeLessThan(25);
  });

  it("are refused if they are cut, or if names are missing", () => {
    const packed = packEntries([
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
});
