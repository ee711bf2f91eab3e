import { expect, it } from "vitest";
import { roleAddress } from "./role-address.ts";

const DOMAIN = "Bounce.example.com";

it.each([
  ["postmaster@bounce.example.com", "postmaster@bounce.example.com"],
  ["PostMaster@BOUNCE.example.COM", "postmaster@bounce.example.com"],
  ["Abuse@bounce.example.com", "abuse@bounce.example.com"],
  ["POSTMASTER", "postmaster@bounce.example.com"],
  ["abuse", undefined],
  ["", undefined],
  ["postmaster@example.com", undefined],
  ["postmaster@bounce.example.com.", undefined],
  ["postmaster+x@bounce.example.com", undefined],
  ["complaints@bounce.example.com", undefined],
])("%s is %s", (address, expected) => {
  expect(roleAddress(address, DOMAIN)).toBe(expected);
});

it("has no roles without a bounce domain", () => {
  expect(roleAddress("postmaster", undefined)).toBeUndefined();
});
