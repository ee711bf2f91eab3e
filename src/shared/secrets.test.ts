import { expect, it } from "vitest";
import { hashSecret, newSecret, secretKind, secretPrefix } from "./secrets.ts";

it("a key tells its kind, and a mistyped one is told without asking anybody", () => {
  for (const kind of ["live", "dlv", "smtp"] as const) {
    const secret = newSecret(kind);
    expect(secret).toMatch(new RegExp(`^hm_${kind}_[A-Za-z0-9_-]{43}[0-9a-f]{6}$`));
    expect(secretKind(secret)).toBe(kind);
    for (let i = 0; i < secret.length; i++) {
      const other = secret[i] === "A" ? "B" : "A";
      expect(secretKind(secret.slice(0, i) + other + secret.slice(i + 1))).toBeUndefined();
    }
  }
});

it("the stored prefix and hash do not give the key away", () => {
  const secret = newSecret("live");
  expect(secret.startsWith(secretPrefix(secret))).toBe(true);
  expect(secretPrefix(secret).length).toBe("hm_live_".length + 8);
  expect(hashSecret(secret)).not.toContain(secret.slice(8, 20));
});
