import { create } from "@bufbuild/protobuf";
import { Metadata } from "@grpc/grpc-js";
import { expect, it } from "vitest";
import { faultCodes } from "../../contracts/common/fault-codes.ts";
import { StatusSchema } from "../../gen/google/rpc/status_pb.ts";
import { fault } from "../shared/fault.ts";
import { fromServiceError, fromStatus, toStatus } from "./status.ts";

it.each(Object.keys(faultCodes) as (keyof typeof faultCodes)[])(
  "%s crosses gRPC with nothing lost",
  (code) => {
    const sent = fault(code, {
      public: "Said to the caller.",
      internal: "said to the log",
      errors: [{ pointer: "/to/0", code: "address.empty", message: "Empty." }],
      retryAfterSeconds: 7,
      rateLimits: [{ name: "key", quota: 3, windowSeconds: 1, remaining: 0, resetSeconds: 1 }],
      refusedKey: { keyId: "key_1", accountId: "acc_1" },
    });
    const received = fromStatus(toStatus({ fault: sent, traceId: "sx_1" }));
    expect(received.traceId).toBe("sx_1");
    const { public: sentence, errors, retryAfterSeconds, rateLimits } = received.fault;
    expect([received.fault.code, sentence, retryAfterSeconds]).toEqual([code, "Said to the caller.", 7]);
    expect(errors).toEqual(sent.errors);
    expect(rateLimits).toEqual(sent.rateLimits);
    expect(received.fault.refusedKey).toEqual(sent.refusedKey);
    expect(JSON.stringify(received.fault)).not.toContain("said to the log");
  },
);

it.each([
  ["No connection established. Last error: connect ECONNREFUSED 127.0.0.1:1", "core.unavailable"],
  ["Name resolution failed for target dns:core", "core.unavailable"],
  ["Connection dropped", "core.connection_lost"],
  ["read ECONNRESET", "core.connection_lost"],
])("tells whether a call may have been carried out: %s", (details, code) => {
  const error = Object.assign(new Error(details), { code: 14, details, metadata: new Metadata() });
  expect(fromServiceError(error).fault.code).toBe(code);
});

it("a status of another origin becomes the nearest code", () => {
  expect(fromStatus(create(StatusSchema, { code: 14 })).fault.code).toBe("core.unavailable");
  expect(fromStatus(create(StatusSchema, { code: 4 })).fault.code).toBe("core.timeout");
  expect(fromStatus(create(StatusSchema, { code: 2 })).fault.code).toBe("internal.error");
});
