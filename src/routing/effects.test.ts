import { expect, it } from "vitest";
import { DSN, FORWARD, SMTP_SUBMIT, SYSTEM_MAIL, TEMPLATE_TEST } from "../shared/operations.ts";
import { trackedOf } from "./effects.ts";

const policy = { tracking: { opens: true, clicks: true } };
const nothing = { opens: false, clicks: false };

it("tracking settings of a message override those of its policy, each field separately", () => {
  const operation = "email.send";
  expect(trackedOf({ operation }, {})).toEqual(nothing);
  expect(trackedOf({ operation }, policy)).toEqual(policy.tracking);
  expect(trackedOf({ operation, tracking: { clicks: false } }, policy)).toEqual({
    opens: true,
    clicks: false,
  });
  expect(trackedOf({ operation, tracking: { opens: true } }, {})).toEqual({ opens: true, clicks: false });
});

it.each([DSN, FORWARD, SYSTEM_MAIL])("messages of the operation %s are not tracked", (operation) => {
  expect(trackedOf({ operation, tracking: { opens: true } }, policy)).toEqual(nothing);
});

it("mail submitted over SMTP is tracked according to its policy", () => {
  expect(trackedOf({ operation: SMTP_SUBMIT }, policy)).toEqual(policy.tracking);
});

it("template tests are tracked like real messages", () => {
  expect(trackedOf({ operation: TEMPLATE_TEST }, policy)).toEqual(policy.tracking);
});
