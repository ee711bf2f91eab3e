import { readdirSync } from "node:fs";
import path from "node:path";
import { type DescFile, type DescMethod, ScalarType } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { permissions } from "../../contracts/common/permissions.ts";
import { AuditService } from "../../gen/hermod/audit/v1/audit_service_pb.ts";
import { MessageService } from "../../gen/hermod/message/v1/message_service_pb.ts";
import { areas } from "../../src/roles/areas.ts";
import { actionOf, READS } from "../../src/rpc/audits.ts";
import type { CallerIdentity, Principal } from "../../src/rpc/caller-identity.ts";
import {
  type Access,
  type Callers,
  createMethodCallers,
  permitted,
  roleOf,
  SIGNED_IN,
  WORKERS,
} from "../../src/rpc/callers.ts";
import { Fault, fault } from "../../src/shared/fault.ts";

const { NO_SIDE_EFFECTS } = MethodOptions_IdempotencyLevel;
const GENERATED = path.resolve("gen/hermod");

/** Every method of every service in proto/. */
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
const named = new Map<DescMethod, Access>();
for (const { service, callers: others } of areas) {
  callers.add(service, others);
  for (const method of service.methods) named.set(method, others[method.localName] ?? { roles: [] });
}
const methods = await allMethods();
const pathOf = (method: (typeof methods)[number]) => `/${method.parent.typeName}/${method.name}`;

/** Fields with an id of an account's resource, which others may know or guess. */
const ids = new Set(["id", "message_id", "key_id", "trace_id"]);
/** Methods with the account of their key. */
const withoutAccount = [
  ...["SendEmail", "GetEmail", "CancelEmail"].map((name) => `/hermod.email.v1.EmailService/${name}`),
  "/hermod.alert.v1.AlertService/IngestAlert",
  "/hermod.alert.v1.AlertService/IngestAlerts",
  "/hermod.heartbeat.v1.HeartbeatService/PingHeartbeat",
  "/hermod.intel.v1.IntelService/GetReport",
];

/** Methods for any session, about the session's user only. */
const aboutOneself = [
  "/hermod.audit.v1.AuditService/ListOwnEntries",
  "/hermod.invitation.v1.InvitationService/JoinAccount",
  "/hermod.user.v1.UserService/RequestEmailChange",
  "/hermod.user.v1.UserService/LeaveAccount",
  "/hermod.user.v1.UserService/CreateOwnAccount",
];

/** Methods with changes but without an entry in the audit log. */
const unaudited = [
  // Alerts and incidents have their own histories.
  "AlertService/IngestAlert",
  "AlertService/IngestAlerts",
  "AlertService/SendAlert",
  "BounceService/ForwardMail",
  // Received reports are in the report inbox of the domain.
  "BounceService/ReportAggregates",
  "DispatchService/Subscribe",
  // The result is an event of the domain.
  "DomainService/CheckDomain",
  "EmailService/SendEmail",
  "EmailService/SendEmailBatch",
  // A started setup has no effect until it is confirmed.
  "FactorService/BeginPasskey",
  "FactorService/BeginTotp",
  // The heartbeat has its pings.
  "HeartbeatService/PingHeartbeat",
  // The link counts it.
  "ReportService/OpenReportLink",
  // It is a log itself.
  "RequestService/RecordRequests",
  "SessionService/BeginOidc",
  "SessionService/BeginOidcLink",
  "SessionService/BeginPasskeyProof",
  "SessionService/BeginPasskeySignIn",
  "SubmissionService/SubmitMessage",
  "SubmissionService/SubmitMessageBatch",
  // Nothing is stored: the answer has the result.
  "TargetService/TestTarget",
  // Events of messages.
  "TrackingService/RecordHits",
  // Sends a mail, with which its reader can make a change.
  "UserService/RequestEmailChange",
  "UserService/RequestPasswordReset",
  "UserService/RequestSignUp",
  // The result is in the domain's history.
  "WatchService/CheckWatchedDomain",
  // In the inbox, as above.
  "WatchService/UploadReport",
  // It is in the list of deliveries.
  "WebhookService/SendTestEvent",
];

describe("every method of the core", () => {
  it("is one of the known methods", () => {
    expect(methods.length).toBeGreaterThan(30);
  });

  it.each(methods.map((method) => [pathOf(method), method] as const))(
    "%s defines its callers",
    (_, method) => {
      expect(named.get(method)).toBeDefined();
      expect(() => callers.checkRole("operator", method)).not.toThrow();
    },
  );

  it("with an id also has the account that owns it", () => {
    const taking = methods.filter(
      (method) => method.input.fields.some(({ name }) => ids.has(name)) && !method.input.field.accountId,
    );
    expect(taking.map(pathOf).sort()).toEqual([...withoutAccount].sort());
  });

  it("is only for the operator unless customers or workers need it", () => {
    const keyed = methods.filter((method) => named.get(method)?.roles.length && !named.get(method)?.session);
    const others = keyed.map(pathOf);
    expect(others.map((method) => method.slice(method.indexOf(".v1.") + 4)).sort()).toEqual([
      "AlertService/IngestAlert",
      "AlertService/IngestAlerts",
      "BounceService/CheckReturnPath",
      "BounceService/ForwardMail",
      "BounceService/ReportAggregates",
      "BounceService/ReportBounce",
      "BounceService/ReportNotices",
      "DispatchService/Subscribe",
      "DomainService/FindDomainLink",
      "EmailService/CancelEmail",
      "EmailService/GetEmail",
      "EmailService/ListEmails",
      "EmailService/SendEmail",
      "EmailService/SendEmailBatch",
      "HeartbeatService/PingHeartbeat",
      "IncidentService/FindIncidentLink",
      "IncidentService/FollowIncidentLink",
      "IntelService/AddDomain",
      "IntelService/CreateClient",
      "IntelService/GenerateReport",
      "IntelService/GetReport",
      "IntelService/ListBlacklistStatus",
      "IntelService/ListClients",
      "IntelService/ListDomains",
      "IntelService/ListWorkspaces",
      "InvitationService/AcceptInvitation",
      "InvitationService/FindInvitation",
      "KeyService/CheckKey",
      "ReportService/OpenReportLink",
      "RequestService/RecordRequests",
      "SenderService/ConfirmSender",
      "SenderService/FindSenderLink",
      "SessionService/BeginOidc",
      "SessionService/BeginPasskeySignIn",
      "SessionService/CheckSession",
      "SessionService/FinishOidc",
      "SessionService/GetSignInOptions",
      "SessionService/SignIn",
      "SessionService/SignInWithPasskey",
      "SubmissionService/Authenticate",
      "SubmissionService/CheckSender",
      "SubmissionService/FindSubmission",
      "SubmissionService/SubmitMessage",
      "SubmissionService/SubmitMessageBatch",
      "TrackingService/GetTokenKey",
      "TrackingService/RecordHits",
      "UnsubscribeService/CheckToken",
      "UnsubscribeService/Unsubscribe",
      "UserService/CompletePasswordReset",
      "UserService/CompleteSignUp",
      "UserService/ConfirmEmailChange",
      "UserService/FindEmailChange",
      "UserService/FindPasswordReset",
      "UserService/FindSignUp",
      "UserService/RequestPasswordReset",
      "UserService/RequestSignUp",
    ]);
  });
});

describe("the audit log", () => {
  const audits = new Map(
    areas.flatMap(({ service, audits: all }) =>
      service.methods.map((method) => [method as DescMethod, all[method.localName]] as const),
    ),
  );

  it("contains the changes of every method, unless it is listed", () => {
    const changing = methods.filter(({ idempotency }) => idempotency !== NO_SIDE_EFFECTS);
    const without = changing.filter((method) => (audits.get(method)?.kind ?? "none") === "none");
    const short = without.map(pathOf).map((method) => method.slice(method.indexOf(".v1.") + 4));
    expect(short.sort()).toEqual(unaudited);
  });

  it("contains no changes of methods without changes", () => {
    const reading = methods.filter(({ idempotency }) => idempotency === NO_SIDE_EFFECTS);
    expect(reading.filter((method) => audits.get(method)?.kind === "change").map(pathOf)).toEqual([]);
  });

  it("finds the target of a refusal in the request", () => {
    const targets = methods.flatMap((method) => {
      const target = audits.get(method)?.target;
      return target === undefined ? [] : [{ target, field: method.input.field[target] }];
    });
    expect(targets.length).toBeGreaterThan(10);
    expect(targets.filter(({ field }) => field?.scalar !== ScalarType.STRING)).toEqual([]);
  });

  it("names an action by its resource", () => {
    const actions = methods.map((method) => actionOf(method, audits.get(method) ?? READS));
    expect(actions.filter((action) => !/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/.test(action))).toEqual([]);
    expect(actions).toContain("key.list_keys");
  });
});

it("a stream of answers uses the account of the session, as any answer does", async () => {
  const ada = { accountId: "acc_1", permissions: new Set(["audit.read"]) } as unknown as Principal;
  const all = createMethodCallers(async () => ada);
  const access = permitted("audit.read");
  all.add(AuditService, {
    listEntries: access,
    listOwnEntries: access,
    listActions: access,
    exportEntries: access,
  });
  const identity = { session: "token", clientAddress: "", clientAgent: "" };
  const ask = (request: { accountId: string }) =>
    all.admit({ role: "front_end", identity }, AuditService.method.exportEntries, request);
  await expect(ask({ accountId: "acc_2" })).rejects.toMatchObject({ code: "account.unknown" });
  const own = { accountId: "" };
  await ask(own);
  expect(own.accountId).toBe("acc_1");
});

describe("a method for sessions", () => {
  const ofSessions = methods.filter((method) => named.get(method)?.session);
  const permissionOf = (method: DescMethod) => named.get(method)?.session?.permission;

  it("names an existing permission, unless it is about the session's user", () => {
    expect(ofSessions.length).toBeGreaterThan(10);
    const without = ofSessions.filter((method) => permissionOf(method) === undefined);
    const elsewhere = without.filter(({ parent }) => parent.name !== "SessionService").map(pathOf);
    expect(elsewhere.filter((method) => !method.includes(".FactorService/"))).toEqual(aboutOneself);
    const asked = ofSessions.flatMap((method) => permissionOf(method) ?? []);
    expect(asked.filter((permission) => !(permission in permissions))).toEqual([]);
  });

  it("uses the account of the session if it requires a permission", () => {
    const inAccount = ofSessions.filter((method) => permissionOf(method) !== undefined);
    expect(inAccount.filter(({ input }) => !input.field.accountId).map(pathOf)).toEqual([]);
  });

  it("changes nothing with a read permission", () => {
    const reading = ofSessions.filter((method) => /\.read\w*$/.test(permissionOf(method) ?? ""));
    expect(reading.filter(({ idempotency }) => idempotency !== NO_SIDE_EFFECTS).map(pathOf)).toEqual([]);
  });
});

it("an unlisted method is only for the operator", () => {
  const { checkRole } = createMethodCallers();
  const method = MessageService.method.getMessage;
  const forbidden = expect.objectContaining({ code: "auth.caller_forbidden" });
  for (const role of ["front_end", "worker"] as const)
    expect(() => checkRole(role, method)).toThrow(forbidden);
  expect(() => checkRole("operator", method)).not.toThrow();
});

it("a token is valid only for its own role, and similar tokens are invalid", () => {
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

/** Callers of MessageService, with the same access for each method. */
function callersOf(access: Access, authorize?: Parameters<typeof createMethodCallers>[0]) {
  const all = createMethodCallers(authorize);
  const everyMethod = MessageService.methods.map(({ localName }) => [localName, access] as const);
  all.add(MessageService, Object.fromEntries(everyMethod) as Callers<typeof MessageService.method>);
  return all;
}

const { getMessage } = MessageService.method;

it("a caller other than the operator names the account", async () => {
  const { admit } = callersOf(WORKERS);
  const worker = { role: "worker", identity: undefined } as const;
  await expect(admit(worker, getMessage, { id: "msg_1", accountId: "" })).rejects.toMatchObject({
    code: "request.validation_failed",
    errors: [{ pointer: "/account_id", code: "field.required" }],
  });
  expect(await admit(worker, getMessage, { id: "msg_1", accountId: "acc_1" })).toMatchObject({
    actor: "account",
  });
  const operator = { role: "operator", identity: undefined } as const;
  expect(await admit(operator, getMessage, { id: "msg_1", accountId: "" })).toMatchObject({
    actor: "operator",
  });
});

describe("a method for holders of sessions", () => {
  const ada: Principal = {
    userId: "usr_ada",
    name: "ada@example.com",
    sessionId: "ses_1",
    accountId: "acc_1",
    permissions: new Set(["messages.read"]),
    hasTwoFactors: false,
  };
  const identity: CallerIdentity = { session: "token", clientAddress: "192.0.2.1", clientAgent: "curl" };

  async function authorize({ session }: CallerIdentity, permission: string | undefined): Promise<Principal> {
    if (session !== "token") throw fault("auth.session_missing");
    if (permission !== undefined && !ada.permissions.has(permission)) throw fault("auth.permission_missing");
    return ada;
  }
  const asking = (access: Access, request: object, presented: object = {}) =>
    callersOf(access, authorize).admit(
      { role: "front_end", identity, ...presented } as never,
      getMessage,
      request,
    );

  it("is called for the account of the session, with or without it in the request", async () => {
    for (const accountId of ["", "acc_1"]) {
      const request = { id: "msg_1", accountId };
      expect(await asking(permitted("messages.read"), request)).toEqual({
        actor: "account",
        identity,
        principal: ada,
      });
      expect(request.accountId).toBe("acc_1");
    }
  });

  it.each([
    ["another account", permitted("messages.read"), { accountId: "acc_2" }, {}, "account.unknown"],
    ["a permission that the role lacks", permitted("keys.write"), {}, {}, "auth.permission_missing"],
    ["no session", SIGNED_IN, {}, { identity: undefined }, "auth.session_missing"],
    ["a worker", SIGNED_IN, {}, { role: "worker" }, "auth.caller_forbidden"],
  ] as const)("refuses %s", async (_what, access, named, presented, code) => {
    const refused = await asking(access, { id: "msg_1", accountId: "", ...named }, presented).catch((e) => e);
    expect(refused).toBeInstanceOf(Fault);
    expect(refused).toMatchObject({ code });
  });

  it("is also for the operator, who needs no session and may omit the account", async () => {
    const request = { id: "msg_1", accountId: "" };
    for (const without of [undefined, { ...identity, session: "" }]) {
      const operator = { role: "operator", identity: without };
      expect(await asking(permitted("keys.write"), request, operator)).toMatchObject({ actor: "operator" });
    }
    expect(request.accountId).toBe("");
  });

  it("applies a session that the operator sends", async () => {
    const operator = { role: "operator" };
    await expect(asking(permitted("keys.write"), { accountId: "" }, operator)).rejects.toMatchObject({
      code: "auth.permission_missing",
    });
    expect(await asking(SIGNED_IN, { accountId: "" }, operator)).toMatchObject({ principal: ada });
  });

  it("is refused if sessions cannot be authorized", async () => {
    const { admit } = callersOf(SIGNED_IN);
    await expect(admit({ role: "front_end", identity }, getMessage, { accountId: "" })).rejects.toMatchObject(
      {
        code: "auth.session_invalid",
      },
    );
  });
});
