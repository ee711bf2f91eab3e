import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createIdempotencyKeys } from "./idempotency-keys.ts";

describe("the idempotency keys of a form", () => {
  it("are equal for a retry, and differ for an edited request and for the next request after a success", () => {
    const request = fc.record({ subject: fc.constantFrom("a", "b", "c") });
    const sending = fc.record({ request, succeeds: fc.boolean() });
    fc.assert(
      fc.property(fc.array(sending, { maxLength: 20 }), (sendings) => {
        let count = 0;
        const keys = createIdempotencyKeys(() => `key ${count++}`);
        const used = sendings.map(({ request: body, succeeds }) => {
          const key = keys.keyFor({ ...body });
          if (succeeds) keys.renew();
          return { key, body, succeeds };
        });
        used.forEach(({ key, body }, index) => {
          const former = used[index - 1];
          const isRetry = former !== undefined && !former.succeeds && former.body.subject === body.subject;
          expect(former?.key === key).toBe(isRetry);
        });
        // A key never has two bodies.
        for (const { key, body } of used)
          for (const other of used) if (other.key === key) expect(other.body).toEqual(body);
      }),
    );
  });
});
