import { describe, expect, it } from "vitest";
import type { SuppressionDocument } from "./documents.ts";
import { mergeSuppression } from "./merge-suppression.ts";

const day = (number: number) => new Date(Date.UTC(2026, 0, number));
const base = { accountId: "acc_1", addressKey: "ann@example.net", address: "ann@example.net" };
const bounce: SuppressionDocument = {
  _id: "x",
  ...base,
  reason: "hard_bounce",
  detail: "550 5.1.1",
  messageId: "msg_1",
  createdAt: day(1),
  expireAt: day(20),
};

describe("a repeated addition of an address", () => {
  it("takes the stronger reason with its details, and keeps the creation time", () => {
    const complaint = { ...base, reason: "complaint", detail: "abuse", createdAt: day(2) } as const;
    const merged = mergeSuppression(bounce, complaint);
    expect(merged).toEqual({ _id: "x", ...complaint, createdAt: day(1) });
  });

  it("keeps the causing message and the note if an equal reason has none", () => {
    const again = { ...base, address: "Ann@example.net", reason: "hard_bounce", createdAt: day(2) } as const;
    expect(mergeSuppression(bounce, { ...again, expireAt: day(20) })).toEqual(bounce);
    const noted = { ...again, detail: "imported" };
    expect(mergeSuppression(bounce, noted)).toMatchObject({ detail: "imported", messageId: "msg_1" });
  });

  it("uses the time of the addition, even if its own creation time is before the end of the other entry", () => {
    const imported = { ...base, reason: "hard_bounce", createdAt: day(2) } as const;
    const complaint = { ...bounce, reason: "complaint" } as const;
    expect(mergeSuppression(complaint, imported, day(21))).toEqual({ _id: "x", ...imported });
  });

  it("keeps the stronger reason", () => {
    const complaint = { _id: "x", ...base, reason: "complaint", createdAt: day(1) } as const;
    expect(mergeSuppression(complaint, { ...bounce, createdAt: day(2) })).toEqual(complaint);
  });

  it("never expires earlier, for either reason", () => {
    const manual = { ...base, reason: "manual", createdAt: day(2), expireAt: day(10) } as const;
    expect(mergeSuppression(bounce, manual)).toMatchObject({ reason: "manual", expireAt: day(20) });
    expect(mergeSuppression(bounce, { ...manual, expireAt: day(30) })).toMatchObject({ expireAt: day(30) });
    const { expireAt: _, ...forEver } = manual;
    expect(mergeSuppression(bounce, forEver)).not.toHaveProperty("expireAt");
    expect(mergeSuppression({ _id: "x", ...forEver }, bounce)).not.toHaveProperty("expireAt");
  });

  it("starts again after the expiry of an entry that still exists", () => {
    const again = { ...base, reason: "hard_bounce", createdAt: day(21), expireAt: day(40) } as const;
    expect(mergeSuppression({ ...bounce, reason: "complaint" }, again)).toEqual({ _id: "x", ...again });
  });
});
