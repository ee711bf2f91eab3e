import { expect, it } from "vitest";
import { createRateLimits } from "./rate-limits.ts";

const refused = { code: "rate.limited" };

it("counts each recipient of a submission", async () => {
  const limits = createRateLimits({ perKey: 10, perAccount: 0 });
  await limits.consume("key", "account", 6);
  await limits.consume("key", "account", 4);
  await expect(limits.consume("key", "account")).rejects.toMatchObject(refused);
  await limits.consume("other key", "account");
});

it("lets a submission to more recipients than the limit through, and those after it wait as long as it costs", async () => {
  const limits = createRateLimits({ perKey: 0, perAccount: 10 });
  await limits.consume("key", "account", 45);
  await expect(limits.consume("other key", "account")).rejects.toMatchObject({
    ...refused,
    retryAfterSeconds: 5,
  });
  await limits.consume("key", "other account");
});

it("charges what the key's limit refuses to nobody else", async () => {
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

it("charges what the account's limit refuses to no key", async () => {
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
