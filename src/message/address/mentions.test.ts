import { expect, it } from "vitest";
import { mentionsAddress, withoutAddress } from "./mentions.ts";

const KEY = "ada@example.com";

it.each([
  "ada@example.com",
  "550 5.1.1 <Ada@Example.COM>: no such user",
  "acc_1:ada@example.com:",
  "Write to ada@example.com.",
  '"ada@example.com"',
  "bada@example.com, ADA@example.com",
  "ada@example.com?",
])("finds the address in %j", (text) => {
  expect(mentionsAddress(text, KEY)).toBe(true);
  expect(mentionsAddress(withoutAddress(text, KEY), KEY)).toBe(false);
});

it.each([
  "",
  "bada@example.com",
  "a.ada@example.com",
  "ada@example.com.au",
  "ada@example.community",
  "ada@example.com-mail.net",
  "éada@example.com",
])("does not find the address in %j", (text) => {
  expect(mentionsAddress(text, KEY)).toBe(false);
  expect(withoutAddress(text, KEY)).toBe(text);
});

it("finds every form of the same letters", () => {
  expect(mentionsAddress("JOSE\u0301@example.com", "jos\u00e9@example.com")).toBe(true);
});

it("leaves the rest of the text unchanged", () => {
  expect(withoutAddress("For Ada@example.com: OK, Bob@example.com", KEY)).toBe(
    "For [erased]: OK, Bob@example.com",
  );
  expect(withoutAddress("İ Ada@example.com", KEY)).not.toContain("da@");
});
