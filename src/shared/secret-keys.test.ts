import { expect, it } from "vitest";
import { newSecretKey, parseSecretKey } from "./secret-keys.ts";

const bytes = Buffer.from(Array.from({ length: 32 }, (_, n) => (n * 37 + 251) % 256));

it("a key is the same in hexadecimal, in base64 and in base64 for URLs", () => {
  const hex = parseSecretKey(bytes.toString("hex"));
  expect(hex).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{8}$/) });
  for (const text of [
    bytes.toString("hex").toUpperCase(),
    bytes.toString("base64"),
    bytes.toString("base64url"),
    bytes.toString("base64").slice(0, -1),
  ]) {
    expect(parseSecretKey(text)).toEqual(hex);
  }
});

it("what has not 32 bytes, or is cut off, is no key", () => {
  for (const text of [
    "",
    "secret",
    bytes.toString("hex").slice(1),
    `${bytes.toString("hex")}0`,
    bytes.subarray(1).toString("base64"),
    `${bytes.toString("base64")}=`,
    bytes.toString("base64").replace(/^./, " "),
    Buffer.concat([bytes, bytes]).toString("base64"),
  ]) {
    expect(parseSecretKey(text)).toBeUndefined();
  }
});

it("the id of a key stays what it is, and what encrypts is neither the id nor the key itself", () => {
  const key = parseSecretKey("00".repeat(32));
  expect(key?.id).toBe("7f83477c");
  expect(key?.cipherKey.equals(Buffer.alloc(32))).toBe(false);
  expect(key?.cipherKey.toString("hex")).not.toContain(key?.id);
});

it("new keys are letters and digits, each another one", () => {
  const keys = Array.from({ length: 20 }, newSecretKey);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set(keys.map((key) => parseSecretKey(key)?.id)).size).toBe(20);
});
