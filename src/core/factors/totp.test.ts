import { expect, it } from "vitest";
import { newTotpSecret, stepOfCode, totpUrl } from "./totp.ts";

/** From RFC 6238, appendix B: "12345678901234567890". Its codes are shortened to six digits here. */
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const at = (seconds: number) => new Date(seconds * 1000);

it.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_234_567_890, "005924"],
  [20_000_000_000, "353130"],
])("the code at %i s is %s", async (seconds, code) => {
  expect(await stepOfCode(SECRET, code, at(seconds))).toBe(Math.floor(seconds / 30));
  expect(await stepOfCode(SECRET, `${code.slice(0, 3)} ${code.slice(3)}`, at(seconds))).toBeDefined();
});

it("accepts a code one step early and one late, and returns its step", async () => {
  for (const seconds of [30, 59, 89]) expect(await stepOfCode(SECRET, "287082", at(seconds))).toBe(1);
  for (const seconds of [90, 120]) expect(await stepOfCode(SECRET, "287082", at(seconds))).toBeUndefined();
});

it.each(["", "28708", "2870820", "28708x", "287083"])("%j is not a code", async (code) => {
  expect(await stepOfCode(SECRET, code, at(59))).toBeUndefined();
});

it("creates a secret of 160 bits with an address that apps can read", async () => {
  const [secret, another] = [await newTotpSecret(), await newTotpSecret()];
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(secret).not.toBe(another);
  const url = new URL(await totpUrl(secret, "ada@example.com"));
  expect(url.protocol).toBe("otpauth:");
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    secret,
    issuer: "Hermod",
    digits: "6",
    period: "30",
  });
  expect(decodeURIComponent(url.pathname)).toContain("ada@example.com");
});
