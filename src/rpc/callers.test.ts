import { readdirSync } from "node:fs";
import path from "node:path";
import type { DescFile } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { MessageService } from "../../gen/hermod/message/v1/message_service_pb.ts";
import { callerRoles, callersOf, checkCaller, mayCall, requireAccount, roleOf } from "./callers.ts";

const GENERATED = path.resolve(import.meta.dirname, "../../../gen/hermod");

/** Every method of every service that is defined in proto/. */
async function allMethods() {
  const names = readdirSync(GENERATED, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith("_pb.ts"),
  );
  const modules = await Promise.all(names.map((name) => import(path.join(GENERATED, name))));
  const files = modules.flatMap((module: Record<string, unknown>) =>
    Object.values(module).filter((value): value is DescFile => (value as DescFile)?.kind === "file"),
  );
  return files.flatMap(({ services }) => services.flatMap(({ methods }) => methods));
}

const methods = await allMethods();
const pathOf = (method: (typeof methods)[number]) => `/${method.parent.typeName}/${method.name}`;

/** What names one thing of an account's by an id that others may know or guess. */
const ids = new Set(["id", "message_id", "key_id", "trace_id"]);
/** Their ids are of no account: a worker's, and the trace of what comes with a key or a signed address. */
const withoutAccount = ["/hermod.email.v1.EmailService/SendEmail"];

describe("every method of the core", () => {
  it("is one of those known to be there", () => {
    expect(methods.length).toBeGreaterThan(30);
  });

  it.each(methods.map(pathOf))("%s names who may call it", (method) => {
    expect(callersOf(method)).toBeDefined();
    expect(mayCall("operator", method)).toBe(true);
  });

  it("that takes an id takes the account whose it is", () => {
    const taking = methods.filter(
      (method) => method.input.fields.some(({ name }) => ids.has(name)) && !method.input.field.accountId,
    );
    expect(taking.map(pathOf)).toEqual(withoutAccount);
  });

  it("is the operator's alone unless customers or workers need it", () => {
    const others = methods.map(pathOf).filter((method) => callersOf(method)?.length);
    expect(others.map((method) => method.slice(method.indexOf(".v1.") + 4)).sort()).toEqual([
      "BounceService/CheckReturnPath",
      "BounceService/ForwardMail",
      "BounceService/ReportBounce",
      "DispatchService/Subscribe",
      "EmailService/SendEmail",
      "EmailService/SendEmailBatch",
      "KeyService/CheckKey",
      "SubmissionService/Authenticate",
      "SubmissionService/CheckSender",
      "SubmissionService/FindSubmission",
      "SubmissionService/SubmitMessage",
      "SubmissionService/SubmitMessageBatch",
      "UnsubscribeService/CheckToken",
      "UnsubscribeService/Unsubscribe",
    ]);
  });
});

it("a method that nobody knows is for nobody but the operator", () => {
  expect(callerRoles.filter((role) => mayCall(role, "/hermod.email.v1.EmailService/Forge"))).toEqual([
    "operator",
  ]);
});

it("a token is its own role's, and nothing like it is anybody's", () => {
  const tokens = { operator: "one", front_end: "two", worker: undefined };
  const given = [
    "Bearer one",
    "Bearer two",
    "Bearer ",
    "Bearer undefined",
    "one",
    "Bearer one ",
    "bearer one",
    "",
  ];
  expect(given.map((authorization) => roleOf(authorization, tokens))).toEqual([
    "operator",
    "front_end",
    ...Array(6).fill(undefined),
  ]);
});

it("who is not the operator names the account", () => {
  const method = MessageService.method.getMessage;
  expect(() => requireAccount(method, { id: "msg_1", accountId: "" })).toThrow(
    expect.objectContaining({
      code: "request.validation_failed",
      errors: [expect.objectContaining({ pointer: "/account_id", code: "field.required" })],
    }),
  );
  expect(() => requireAccount(method, { id: "msg_1", accountId: "acc_1" })).not.toThrow();
  expect(() => checkCaller("operator", method, { id: "msg_1", accountId: "" })).not.toThrow();
});
