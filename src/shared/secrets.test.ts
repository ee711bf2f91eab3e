import { expect, it } from "vitest";
import { hashSecret, newPassword, newSecret, randomWord, secretKind, secretPrefix } from "./secrets.ts";

it("a key contains its kind, and a mistyped one is recognized without a query", () => {
  for (const kind of ["live", "dlv", "smtp"] as const) {
    const secret = newSecret(kind);
    expect(secret).toMatch(new RegExp(`^hm_${kind}_[A-Za-z0-9]{43}[0-9a-f]{6}$`));
    expect(secretKind(secret)).toBe(kind);
    for (let i = 0; i < secret.length; i++) {
      const other = secret[i] === "A" ? "B" : "A";
      expect(secretKind(secret.slice(0, i) + other + secret.slice(i + 1))).toBeUndefined();
    }
  }
});

it("keys of former releases, which have - and _ in them, stay valid", () => {
  expect(secretKind("hm_live_-oPdIq5zxXrwOxG4nIHvVHgfxeXDCGPKgm_dfFGyZkE54b02b")).toBe("live");
  expect(secretKind("hm_dlv_-FcqRVVQVF_VaUE7gPifuRRhr8yLpGnKHOW5b5F_AHId6902d")).toBe("dlv");
  expect(secretKind("hm_smtp_-KqB6vEd0DvD4i6rGl8H6xXwbSqnk_GWUjggJ53PKsk365317")).toBe("smtp");
  expect(secretKind("hm_live_-oPdIq5zxXrwOxG4nIHvVHgfxeXDCGPKgm_dfFGyZkE54b02c")).toBeUndefined();
});

it("a secret has only letters and digits, which no shell, URL or option parser interprets", () => {
  for (let i = 0; i < 300; i++) {
    expect(newPassword()).toMatch(/^[A-Za-z0-9]{33}$/);
    expect(newSecret("smtp").slice("hm_smtp_".length)).toMatch(/^[A-Za-z0-9]{49}$/);
  }
});

it.each([12, 24, 32])("a random word for %i bytes holds as many bits, each character as likely", (bytes) => {
  const { length } = randomWord(bytes);
  expect(length * Math.log2(62)).toBeGreaterThanOrEqual(bytes * 8);
  expect((length - 1) * Math.log2(62)).toBeLessThan(bytes * 8);
  const seen = new Map<string, number>();
  const words = 100_000 / length;
  for (let i = 0; i < words; i++) {
    for (const character of randomWord(bytes)) seen.set(character, (seen.get(character) ?? 0) + 1);
  }
  expect(seen.size).toBe(62);
  // 1,613 of each; eight standard deviations either way. A byte modulo 62 would give some of them 1,953.
  for (const count of seen.values()) expect(Math.abs(count - 1_613)).toBeLessThan(320);
});

it("the stored prefix and hash do not give the key away", () => {
  const secret = newSecret("live");
  expect(secret.startsWith(secretPrefix(secret))).toBe(true);
  expect(secretPrefix(secret).length).toBe("hm_live_".length + 8);
  expect(hashSecret(secret)).not.toContain(secret.slice(8, 20));
});
