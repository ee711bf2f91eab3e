import { expect, it } from "vitest";
import { DSN, FORWARD, SMTP_SUBMIT, SYSTEM_MAIL, TEMPLATE_TEST } from "../shared/operations.ts";
import { trackedOf } from "./effects.ts";

const policy = { tracking: { opens: true, clicks: true } };
const nothing = { opens: false, clicks: false };

it("what a message says of tracking goes before its policy, each part by itself", () => {
  const operation = "email.send";
  expect(trackedOf({ operation }, {})).toEqual(nothing);
  expect(trackedOf({ operation }, policy)).toEqual(policy.tracking);
  expect(trackedOf({ operation, tracking: { clicks: false } }, policy)).toEqual({
    opens: true,
    clicks: false,
  });
  expect(trackedOf({ operation, tracking: { opens: true } }, {})).toEqual({ opens: true, clicks: false });
});

it.each([DSN, FORWARD, SYSTEM_MAIL])("nothing is tracked of messages by %s", (operation) => {
  expect(trackedOf({ operation, tracking: { opens: true } }, policy)).toEqual(nothing);
});

it("mail that comes over SMTP is tracked as its policy says", () => {
  expect(trackedOf({ operation: SMTP_SUBMIT }, policy)).toEqual(policy.tracking);
});

it("templates are tried out as they are sent", () => {
  expect(trackedOf({ operation: TEMPLATE_TEST }, policy)).toEqual(policy.tracking);
});
