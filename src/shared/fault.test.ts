import { expect, it } from "vitest";
import { validationFault } from "./fault.ts";
import { receivedText } from "./fault-text.ts";

it("names a hundred faults and counts the others", () => {
  const errors = Array.from({ length: 2_500 }, (_, index) => ({
    pointer: `/k${index}`,
    code: "field.unknown" as const,
    message: "There is no such field.",
  }));
  const failed = validationFault(errors.map((one) => ({ ...one, message: receivedText(one.message) })));
  expect(failed.public).toBe("2500 fields are not valid.");
  expect(failed.errors).toEqual(errors.slice(0, 100));
  expect(failed.omittedErrors).toBe(2_400);
});

it("repeats only as much of the request as is needed to locate the fault", () => {
  const long = "x".repeat(1_000_000);
  const failed = validationFault([
    {
      pointer: `/metadata/${long}/a`,
      code: "field.invalid",
      message: receivedText(`There is no "${long}".`),
    },
  ]);
  expect(failed.errors[0]?.pointer).toBe("/metadata");
  expect(failed.errors[0]?.message).toMatch(/^There is no "x{400,}…$/);
  expect(failed.public.length).toBeLessThanOrEqual(500);
});
