import { describe, expect, it } from "vitest";
import type { Retention } from "../../api/accounts.ts";
import { bodyOf, fieldsOf, shortened, timesOf } from "./retention-times.ts";

const retention: Retention = {
  content_days: { kept: 7, most: 30, own: true },
  message_days: { kept: 60, most: 60, own: false },
  request_days: { kept: 7, most: 7, own: false },
  sandbox_hours: { kept: 168, most: 168, own: false },
  audit_days: 400,
  revision: "r1",
};

describe("retention times", () => {
  it("fill the form with the account's own times only, and send no others", () => {
    const fields = fieldsOf(retention);
    expect(fields).toEqual({ content_days: "7", message_days: "", request_days: "", sandbox_hours: "" });
    expect(bodyOf(fields)).toEqual({ content_days: 7 });
  });

  it("name each time that becomes shorter, compared with the time in effect", () => {
    const fields = fieldsOf(retention);
    expect(shortened(retention, fields)).toEqual([]);
    expect(shortened(retention, { ...fields, content_days: "", message_days: "60" })).toEqual([]);
    expect(shortened(retention, { ...fields, content_days: "6", message_days: "59" })).toEqual([
      "content_days",
      "message_days",
    ]);
  });

  it("have hours for captured mail, and the time of the audit log last", () => {
    expect(timesOf(retention).map(({ name, unit }) => [name, unit])).toEqual([
      ["content_days", "days"],
      ["message_days", "days"],
      ["request_days", "days"],
      ["sandbox_hours", "hours"],
      ["audit_days", "days"],
    ]);
  });
});
