import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  BUCKETS,
  bucketOf,
  bucketOfNames,
  createIdsInOrder,
  derivedMessageId,
  idBound,
  isId,
  isTraceId,
  newId,
  newIdInBucket,
  newTraceId,
  submittedIds,
} from "./ids.ts";

const MESSAGE_ID = /^msg_[0-9a-hjkmnp-tv-z]{26}$/;

it("ids are unique, contain their kind, and sort by time of creation", () => {
  const early = newId("key", new Date("2030-01-01T00:00:00.000Z"));
  const late = newId("key", new Date("2030-01-01T00:00:00.001Z"));
  expect(early).toMatch(/^key_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(early < late).toBe(true);
  const now = new Date();
  expect(new Set(Array.from({ length: 10_000 }, () => newId("key", now))).size).toBe(10_000);
});

it("trace ids are distinguished from other texts", () => {
  expect(isTraceId(newTraceId(new Date()))).toBe(true);
  expect(["", "sx_", "msg_01m7yjfh8ee56psw05wjkxtbt6", "sx_01m7yjfh8ee56psw05wjkxtbt!"].some(isTraceId)).toBe(
    false,
  );
});

describe("the bucket of an id", () => {
  it("is part of the id of a message and of its content", () => {
    const now = new Date();
    for (let bucket = 0; bucket < BUCKETS; bucket += 13) {
      const id = newIdInBucket("msg", now, bucket);
      expect(id).toMatch(MESSAGE_ID);
      expect(bucketOf(id)).toBe(bucket);
      expect(bucketOf(newIdInBucket("cnt", now, bucket))).toBe(bucket);
    }
  });

  it("leaves ids of one bucket and one moment unique, and in the order of time", () => {
    const now = new Date("2030-01-01T00:00:00.000Z");
    const ids = Array.from({ length: 10_000 }, () => newIdInBucket("msg", now, 65_535));
    expect(new Set(ids).size).toBe(10_000);
    const later = newIdInBucket("msg", new Date(now.getTime() + 1), 0);
    expect(ids.every((id) => id < later)).toBe(true);
  });

  it("is one of 65,536 for an id without a bucket", () => {
    expect(bucketOf("msg_01m7yjfh8ezzzzzzzzzzzzzzzz")).toBe(65_535);
    expect(bucketOf("msg_01m7yjfh8e0000000000000000")).toBe(0);
  });

  it("is derived evenly from the names of a request, and depends on where a name ends", () => {
    expect(bucketOfNames("acc_1", "email.send", "k")).toBe(bucketOfNames("acc_1", "email.send", "k"));
    expect(bucketOfNames("a", "bc")).not.toBe(bucketOfNames("ab", "c"));
    const counts = new Array<number>(16).fill(0);
    for (let n = 0; n < 16_000; n++) {
      const part = Math.floor((bucketOfNames("acc_1", "email.send", `key-${n}`) / BUCKETS) * 16);
      counts[part] = (counts[part] ?? 0) + 1;
    }
    // Six standard deviations.
    expect(counts.every((count) => Math.abs(count - 1_000) < 190)).toBe(true);
  });
});

describe("the id of a message that follows from another one", () => {
  const id = newIdInBucket("msg", new Date(), 4_711);

  it("is an id of a message in the same bucket, the same each time", () => {
    expect(derivedMessageId(id, "dsn failed")).toMatch(MESSAGE_ID);
    expect(derivedMessageId(id, "dsn failed")).toBe(derivedMessageId(id, "dsn failed"));
    expect(bucketOf(derivedMessageId(id, "dsn failed"))).toBe(4_711);
  });

  it("is another for each message and purpose", () => {
    const ids = [id, newIdInBucket("msg", new Date(), 4_711)].flatMap((each) =>
      ["dsn failed", "dsn delayed"].map((purpose) => derivedMessageId(each, purpose)),
    );
    expect(new Set([...ids, id]).size).toBe(5);
  });
});

describe("the ids of a submission that may be repeated", () => {
  const submissionId = newId("sub", new Date());
  const { firstPrefix, bucket, at } = submittedIds(submissionId, "acc_1");

  it("are the same each time, all in the bucket that is asked for", () => {
    const ids = [0, 1, 2].map((position) => at(position, 99));
    expect(ids).toEqual([0, 1, 2].map((position) => submittedIds(submissionId, "acc_1").at(position, 99)));
    expect(ids.map(bucketOf)).toEqual([99, 99, 99]);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(MESSAGE_ID);
  });

  it("begin with the same prefix whatever the bucket, and with another for each account", () => {
    for (const any of [0, bucket, 65_535]) expect(at(0, any).startsWith(firstPrefix)).toBe(true);
    expect(at(1, bucket).startsWith(firstPrefix)).toBe(false);
    expect(submittedIds(submissionId, "acc_2").firstPrefix).not.toBe(firstPrefix);
  });

  it("are what 0.1 made of them, so that a submission that it stored is not stored again", () => {
    const digest = createHash("sha256")
      .update(`${submissionId.replace("sub", "msg")} acc_1 0`)
      .digest();
    const text = [...digest.subarray(0, 16)]
      .map((byte) => "0123456789abcdefghjkmnpqrstvwxyz"[byte & 31])
      .join("");
    expect(at(0, bucket)).toBe(`msg_${submissionId.slice(4, 14)}${text}`);
  });
});

describe("ids in order", () => {
  it("are in the order of creation within a millisecond, and differ from another maker's", () => {
    const [one, other] = [createIdsInOrder("aud"), createIdsInOrder("aud")];
    const now = new Date();
    const ids = Array.from({ length: 2_000 }, () => one(now));
    expect(ids).toEqual(ids.toSorted());
    expect(new Set([...ids, ...ids.map(() => other(now))]).size).toBe(2 * ids.length);
    expect(ids.every((id) => isId("aud", id))).toBe(true);
    expect(one(new Date(now.getTime() + 1)) > (ids.at(-1) ?? "")).toBe(true);
  });

  it("lie between the bounds of their time", () => {
    const [now, next] = [new Date(1_700_000_000_000), new Date(1_700_000_000_001)];
    const id = createIdsInOrder("aud")(now);
    expect([idBound("aud", next), id, idBound("aud", now)].toSorted()).toEqual([
      idBound("aud", now),
      id,
      idBound("aud", next),
    ]);
  });
});
