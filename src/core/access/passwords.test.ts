import { expect, it } from "vitest";
import { createPasswords, hashPassword } from "./passwords.ts";

it("hashes a password with Argon2id and OWASP's first parameters", async () => {
  const passwords = createPasswords();
  for (const made of [
    await passwords.hash("eleven purple bicycles"),
    await hashPassword("as many green ones"),
  ]) {
    expect(made).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  }
});

it("compares with a hash of any cost, and without a hash", async () => {
  const quick = createPasswords({ memoryCost: 8, timeCost: 1, parallelism: 1 });
  const hash = await quick.hash("eleven purple bicycles");
  const passwords = createPasswords();
  expect(await passwords.matches("eleven purple bicycles", hash)).toBe(true);
  expect(await passwords.matches("twelve purple bicycles", hash)).toBe(false);
  expect(await passwords.matches("nobody's", undefined)).toBe(false);
});
