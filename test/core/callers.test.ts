import { readdirSync } from "node:fs";
import path from "node:path";
import type { DescFile, DescMethod } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { MessageService } from "../../gen/hermod/message/v1/message_service_pb.ts";
import { areas } from "../../src/roles/areas.ts";
import {
  type CallerRole,
  type Callers,
  createMethodCallers,
  roleOf,
  WORKERS,
} from "../../src/rpc/callers.ts";

const GENERATED = path.resolve("gen/hermod");

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

const callers = createMethodCallers();
const named = new Map<DescMethod, readonly CallerRole[]>();
for (const { service, callers: others } of areas) {
  callers.add(service, others);
  for (const method of service.methods) named.set(method, others[method.localName] ?? []);
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

  it.each(methods.map((method) => [pathOf(method), method] as const))(
    "%s names who may call it",
    (_, method) => {
      expect(named.get(method)).toBeDefined();
      expect(() => callers.checkRole("operator", method)).not.toThrow();
    },
  );

  it("that takes an id takes the account whose it is", () => {
    const taking = methods.filter(
      (method) => method.input.fields.some(({ name }) => ids.has(name)) && !method.input.field.accountId,
    );
    expect(taking.map(pathOf)).toEqual(withoutAccount);
  });

  it("is the operator's alone unless customers or workers need it", () => {
    const others = methods.filter((method) => named.get(method)?.length).map(pathOf);
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

it("a method that nobody has added is for nobody but the operator", () => {
  const { checkRole } = createMethodCallers();
  const method = MessageService.method.getMessage;
  const forbidden = expect.objectContaining({ code: "auth.caller_forbidden" });
  for (const role of ["front_end", "worker"] as const)
    expect(() => checkRole(role, method)).toThrow(forbidden);
  expect(() => checkRole("operator", method)).not.toThrow();
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

it("a caller other than the operator names the account", () => {
  const { add, checkCaller } = createMethodCallers();
  const everyMethod = MessageService.methods.map(({ localName }) => [localName, WORKERS] as const);
  add(MessageService, Object.fromEntries(everyMethod) as Callers<typeof MessageService.method>);
  const method = MessageService.method.getMessage;
  expect(() => checkCaller("worker", method, { id: "msg_1", accountId: "" })).toThrow(
    expect.objectContaining({
      code: "request.validation_failed",
      errors: [expect.objectContaining({ pointer: "/account_id", code: "field.required" })],
    }),
  );
  expect(() => checkCaller("worker", method, { id: "msg_1", accountId: "acc_1" })).not.toThrow();
  expect(() => checkCaller("operator", method, { id: "msg_1", accountId: "" })).not.toThrow();
});
