import { create } from "@bufbuild/protobuf";
import { type Any, anyPack, anyUnpack } from "@bufbuild/protobuf/wkt";
import { Metadata } from "@grpc/grpc-js";
import { describe, expect, it } from "vitest";
import { faultCodes } from "../../contracts/common/fault-codes.ts";
import { type ErrorInfo, ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { StatusSchema } from "../../gen/google/rpc/status_pb.ts";
import { type Fault, fault, validationFault } from "../shared/fault.ts";
import { receivedText, say } from "../shared/fault-text.ts";
import { fromServiceError, fromStatus, toOutcomeStatus, toServiceError, toStatus } from "./status.ts";

it.each(Object.keys(faultCodes) as (keyof typeof faultCodes)[])(
  "%s crosses gRPC with nothing lost",
  (code) => {
    const sent = fault(code, {
      public: receivedText("Said to the caller."),
      internal: "said to the log",
      errors: [{ pointer: "/to/0", code: "address.empty", message: receivedText("Empty.") }],
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
])("distinguishes calls that may have been executed: %s", (details, code) => {
  const error = Object.assign(new Error(details), { code: 14, details, metadata: new Metadata() });
  expect(fromServiceError(error).fault.code).toBe(code);
});

it("a status of another origin becomes the nearest code", () => {
  expect(fromStatus(create(StatusSchema, { code: 14 })).fault.code).toBe("core.unavailable");
  expect(fromStatus(create(StatusSchema, { code: 4 })).fault.code).toBe("core.timeout");
  expect(fromStatus(create(StatusSchema, { code: 2 })).fault.code).toBe("internal.error");
});

describe("the params of a fault", () => {
  const across = (sent: Fault) => fromStatus(toStatus({ fault: sent, traceId: "sx_1" })).fault;
  const said = (index: number) => ({
    pointer: `/tags/${index}`,
    code: "field.too_long" as const,
    message: say("at_most_characters", { max: 40 }),
  });

  it("cross gRPC, with those of its fields", () => {
    const use = { users: ['the key "ci"'], name: "a.example" };
    const whole = across(fault("resource.in_use", { public: say("domain_used", use) }));
    expect(whole.text.params).toEqual({ reason: "domain_used", ...use });
    const single = across(validationFault([said(0)]));
    expect(single.text.params).toEqual({ reason: "at_most_characters", max: 40 });
    expect(single.errors).toEqual(validationFault([said(0)]).errors);
    const several = across(validationFault([said(0), said(1)]));
    expect(several.text.params).toEqual({ reason: "fields_not_valid", count: 2 });
    expect(several.errors).toEqual(validationFault([said(0), said(1)]).errors);
  });

  it("are left out of trailing metadata that they do not fit, and texts are not", () => {
    const sent = validationFault(Array.from({ length: 60 }, (_, index) => said(index)));
    const { metadata } = toServiceError({ fault: sent, traceId: "sx_1" });
    const bytes = metadata.getMap()["grpc-status-details-bin"] as Buffer;
    expect(bytes.toString("base64").length).toBeLessThan(8_000);
    const { errors } = across(sent);
    expect(errors.map(({ message }) => message)).toEqual(sent.errors.map(({ message }) => message));
    const withParams = errors.filter(({ params }) => params !== undefined);
    expect(withParams.length).toBeGreaterThan(10);
    expect(withParams.length).toBeLessThan(60);
    const outcome = fromStatus(toOutcomeStatus({ fault: sent, traceId: "sx_1" })).fault;
    expect(outcome.errors).toEqual(sent.errors);
  });

  it("are missing where an older core leaves them out", () => {
    const status = toStatus({ fault: validationFault([said(0)]), traceId: "sx_1" });
    const info = anyUnpack(status.details[0] as Any, ErrorInfoSchema) as ErrorInfo;
    delete info.metadata.fieldParams;
    status.details[0] = anyPack(ErrorInfoSchema, info);
    const { fault: received } = fromStatus(status);
    expect(received.text.params).toEqual({});
    expect(received.errors).toEqual([
      { pointer: "/tags/0", code: "field.too_long", message: "The value must have at most 40 characters." },
    ]);
  });
});
