import { describe, expect, it } from "vitest";
import { derivedMessageId, isTraceId, newId, newTraceId } from "./ids.ts";

it("ids are unique, tell their kind, and sort by the time they were made", () => {
  const early = newId("msg", new Date("2030-01-01T00:00:00.000Z"));
  const late = newId("msg", new Date("2030-01-01T00:00:00.001Z"));
  expect(early).toMatch(/^msg_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(early < late).toBe(true);
  const now = new Date();
  expect(new Set(Array.from({ length: 10_000 }, () => newId("msg", now))).size).toBe(10_000);
});

it("trace ids are told from anything else", () => {
  expect(isTraceId(newTraceId(new Date()))).toBe(true);
  expect(["", "sx_", "msg_01m7yjfh8ee56psw05wjkxtbt6", "sx_01m7yjfh8ee56psw05wjkxtbt!"].some(isTraceId)).toBe(
    false,
  );
});

describe("the id of a message that follows from another one", () => {
  const id = newId("msg", new Date());

  it("is an id of a message, the same each time", () => {
    expect(derivedMessageId(id, "dsn failed")).toMatch(/^msg_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(derivedMessageId(id, "dsn failed")).toBe(derivedMessageId(id, "dsn failed"));
  });

  it("is another for each message and purpose", () => {
    const ids = [id, newId("msg", new Date())].flatMap((each) =>
      ["dsn failed", "dsn delayed"].map((purpose) => derivedMessageId(each, purpose)),
    );
    expect(new Set([...ids, id]).size).toBe(5);
  });
});
