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
