import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { faultCodes } from "../../../contracts/common/fault-codes.ts";
import { StatusSchema } from "../../../gen/google/rpc/status_pb.ts";
import { fault } from "../../shared/fault.ts";
import { fromStatus, toStatus } from "./status-details.ts";

it.each(Object.keys(faultCodes) as (keyof typeof faultCodes)[])(
  "%s crosses gRPC with nothing lost",
  (code) => {
    const sent = fault(code, {
      public: "Said to the caller.",
      internal: "said to the log",
      errors: [{ pointer: "/to/0", code: "address.empty", message: "Empty." }],
      retryAfterSeconds: 7,
      rateLimits: [{ name: "key", quota: 3, windowSeconds: 1, remaining: 0, resetSeconds: 1 }],
    });
    const received = fromStatus(toStatus({ fault: sent, traceId: "sx_1" }));
    expect(received.traceId).toBe("sx_1");
    const { public: sentence, errors, retryAfterSeconds, rateLimits } = received.fault;
    expect([received.fault.code, sentence, retryAfterSeconds]).toEqual([code, "Said to the caller.", 7]);
    expect(errors).toEqual(sent.errors);
    expect(rateLimits).toEqual(sent.rateLimits);
    expect(JSON.stringify(received.fault)).not.toContain("said to the log");
  },
);

it("a status of another origin becomes the nearest code", () => {
  expect(fromStatus(create(StatusSchema, { code: 14 })).fault.code).toBe("core.unavailable");
  expect(fromStatus(create(StatusSchema, { code: 4 })).fault.code).toBe("core.timeout");
  expect(fromStatus(create(StatusSchema, { code: 2 })).fault.code).toBe("internal.error");
});
