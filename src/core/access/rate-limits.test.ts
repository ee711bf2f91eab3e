import { afterEach, expect, it, vi } from "vitest";
import { createRateLimits } from "./rate-limits.ts";

const refused = { code: "rate.limited" };

afterEach(() => {
  vi.useRealTimers();
});

it("counts each recipient of a submission", async () => {
  const limits = createRateLimits({ perKey: 10, perAccount: 0 });
  await limits.consume("key", "account", 6);
  await limits.consume("key", "account", 4);
  await expect(limits.consume("key", "account")).rejects.toMatchObject(refused);
  await limits.consume("other key", "account");
});

it("accepts a submission to more recipients than the limit, and delays later ones by its cost", async () => {
  const limits = createRateLimits({ perKey: 0, perAccount: 10 });
  await limits.consume("key", "account", 45);
  await expect(limits.consume("other key", "account")).rejects.toMatchObject({
    ...refused,
    retryAfterSeconds: 5,
  });
  await limits.consume("key", "other account");
});

it("does not charge the account for sends that the key's limit refuses", async () => {
  const limits = createRateLimits({ perKey: 2, perAccount: 10 });
  const flood = await Promise.allSettled(
    Array.from({ length: 50 }, () => limits.consume("eager", "account")),
  );
  expect(flood.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  await expect(limits.consume("eager", "account")).rejects.toMatchObject({
    ...refused,
    rateLimits: [
      { name: "key", remaining: 0 },
      { name: "account", remaining: 8 },
    ],
  });
  for (const key of ["a", "b", "c", "d"]) {
    await limits.consume(key, "account");
    await limits.consume(key, "account");
  }
  await expect(limits.consume("e", "account")).rejects.toMatchObject(refused);
});

it("does not charge the key for sends that the account's limit refuses", async () => {
  const limits = createRateLimits({ perKey: 3, perAccount: 2 });
  await limits.consume("other", "account");
  await limits.consume("other", "account");
  for (let attempt = 0; attempt < 20; attempt++) {
    await expect(limits.consume("key", "account")).rejects.toMatchObject({
      ...refused,
      rateLimits: [
        { name: "key", remaining: 3 },
        { name: "account", remaining: 0 },
      ],
    });
  }
  for (const account of ["b", "c", "d"]) await limits.consume("key", account);
  await expect(limits.consume("key", "e")).rejects.toMatchObject(refused);
});

it("reads the use of an account without counting, and no use after its window has ended", async () => {
  vi.useFakeTimers();
  const limits = createRateLimits({ perKey: 0, perAccount: 10 });
  await limits.consume("key", "account", 3);
  const used = { name: "account", quota: 10, windowSeconds: 1, remaining: 7, resetSeconds: 1 };
  for (let reads = 0; reads < 20; reads++) expect(await limits.readAccount("account")).toEqual(used);
  expect(await limits.readAccount("other")).toEqual({ ...used, remaining: 10 });
  // The clock moves, and the timer that removes the window is late.
  vi.setSystemTime(Date.now() + 1_001);
  expect(await limits.readAccount("account")).toEqual({ ...used, remaining: 10 });
});

it("caps the use of an account at the limit, with the windows that a large submission costs", async () => {
  vi.useFakeTimers();
  const limits = createRateLimits({ perKey: 0, perAccount: 10 });
  await limits.consume("key", "account", 45);
  expect(await limits.readAccount("account")).toMatchObject({ remaining: 0, resetSeconds: 5 });
});

it("reads no use without a limit", async () => {
  const limits = createRateLimits({ perKey: 5, perAccount: 0 });
  await limits.consume("key", "account");
  expect(await limits.readAccount("account")).toBeUndefined();
});
