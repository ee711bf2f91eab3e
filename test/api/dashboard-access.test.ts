import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needsReentry } from "../../contracts/common/reentry.ts";
import { sessionRouteOf } from "../../contracts/common/session-access.ts";
import { dashboard as contract } from "../../contracts/index.ts";
import { roles } from "../../src/core/access/roles.ts";
import { newSecret } from "../../src/shared/secrets.ts";
import type { MemberRole } from "../../src/store/documents.ts";
import { testAudit } from "../harness/audit.ts";
import { type Asked, type Dashboard, type Method, openDashboard } from "../harness/dashboard.ts";
import { type Target, targets } from "../harness/dashboard-targets.ts";
import { PASSWORD } from "../harness/identity.ts";

/** Checks every route of the dashboard with every kind of refused access. A new route is included automatically. */
const routes = Object.values(contract).flatMap((router) =>
  Object.entries(router).map(([name, route]) => {
    const { access, faults } = sessionRouteOf(route);
    return { name, method: route.method as Method, path: route.path, access, faults };
  }),
);
const guarded = routes.filter(({ access }) => access !== "anyone");
const changing = guarded.filter(({ method }) => method !== "GET");
const roleNames = Object.keys(roles) as MemberRole[];
/** Accesses that need no permission in the account. */
const withoutPermission = ["signed_in", "half_signed_in", "before_second_factor", "before_password_change"];
const isAllowed = ({ access }: (typeof routes)[number], role: MemberRole) =>
  withoutPermission.includes(access) || (roles[role] as ReadonlySet<string>).has(access);
const refused = guarded
  .map((route) => ({ ...route, without: roleNames.filter((role) => !isAllowed(route, role)) }))
  .filter(({ without }) => without.length > 0);
const allowed = guarded.flatMap((route) =>
  roleNames.filter((role) => isAllowed(route, role)).map((role) => ({ ...route, role })),
);

let world: Dashboard;
let accountId: string;
/** A session that waits for its second factor. */
let pending: string;
/** A session of a user who must replace the initial password. */
let initial: string;
/** A session that has ended. */
let ended: string;
/** A session of each role, for requests without changes. */
const sessions = new Map<MemberRole, string>();

beforeAll(async () => {
  world = await openDashboard();
  accountId = await world.identity.openAccount();
  // Ids of later accounts must sort after it: the first account cannot be deleted.
  world.identity.time.pass(1);
  // These users stay when others are removed.
  for (const role of roleNames) sessions.set(role, (await world.identity.memberOf(accountId, role)).token);
  pending = await pendingSession();
  initial = await initialSession();
  const left = await world.identity.memberOf(accountId);
  await world.identity.store.sessions.endAll({ userId: left.userId, email: "", accountId: "" }, testAudit);
  ended = left.token;
});
afterAll(() => world.close());

const ofRole = (role: MemberRole) => sessions.get(role) ?? "";

async function pendingSession(): Promise<string> {
  const { identity } = world;
  const { email, userId } = await identity.memberOf(accountId);
  const now = identity.time.clock.now();
  const totp = { _id: userId, secret: "JBSWY3DPEHPK3PXP", createdAt: now };
  await identity.store.factors.beginTotp(totp);
  await identity.store.factors.confirmTotp(totp, 0, { userId, email, accountId }, testAudit);
  return (await identity.as({}).sessions.signIn({ email, password: PASSWORD })).token;
}

async function initialSession(): Promise<string> {
  const email = `initial-${randomUUID()}@example.com`;
  const { password } = await world.identity.operator.users.createUser({ email, accountId, role: "owner" });
  return (await world.identity.as({}).sessions.signIn({ email, password })).token;
}

const targetOf = async (
  { name }: { readonly name: string },
  { userId, email }: { readonly userId: string; readonly email: string },
): Promise<Target | undefined> => targets[name]?.({ world, accountId, self: { userId, email } });

/** Target of the last read route: reads change nothing, so that all roles use one target. */
let read: { readonly name: string; readonly target: Target | undefined } | undefined;

async function callerOf(route: (typeof routes)[number], role: MemberRole) {
  if (route.method !== "GET") {
    const member = await world.identity.memberOf(accountId, role);
    return { token: member.token, target: await targetOf(route, member) };
  }
  if (read?.name !== route.name)
    read = { name: route.name, target: await targetOf(route, await world.identity.memberOf(accountId)) };
  return { token: ofRole(role), target: read.target };
}

const pathOf = (path: string, params: Readonly<Record<string, string>> = {}) =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? "missing"));

async function ask(route: (typeof routes)[number], asked: Asked, target?: Target) {
  const body = asked.body ?? target?.body;
  const query = target?.query ? `?${new URLSearchParams(target.query)}` : "";
  return world.ask(route.method, `${pathOf(route.path, target?.params)}${query}`, {
    ...asked,
    ...(body && { body }),
  });
}

/** Headers of requests that pages of the dashboard never send. */
const ELSEWHERE: readonly Record<string, string>[] = [
  { "sec-fetch-site": "cross-site", origin: "http://dashboard.test" },
  { "sec-fetch-site": "same-site" },
  { "sec-fetch-site": "none" },
  { "sec-fetch-site": "same-origin, cross-site" },
  { origin: "https://evil.example" },
  { origin: "http://dashboard.test.evil.example" },
  { origin: "null" },
  { origin: "https://dashboard.test" },
  { origin: "http://dashboard.test:8080" },
  { origin: "http://evil@dashboard.test" },
  { origin: "http://evil:secret@dashboard.test" },
  { origin: "http://dashboard.test/" },
  { origin: "http://dashboard.test/path" },
  { origin: "HTTP://DASHBOARD.TEST" },
  {},
];

async function expectCrossSite(route: (typeof routes)[number], headers: Record<string, string>) {
  const answer = await world.app.inject({
    method: route.method,
    url: pathOf(route.path),
    headers: { host: "dashboard.test", ...headers },
    cookies: { hermod: ofRole("owner") },
  });
  expect([headers, answer.statusCode, answer.json().code]).toEqual([headers, 403, "request.cross_site"]);
}

describe("every route of the dashboard", () => {
  it("has test data", () => {
    expect(Object.keys(targets).sort()).toEqual(routes.map(({ name }) => name).sort());
  });

  it.each(guarded)("$name refuses requests without a session", async (route) => {
    const answer = await ask(route, {});
    expect([answer.status, answer.problem.code]).toEqual([401, "auth.session_missing"]);
  });

  it.each(routes)("$name refuses keys", async (route) => {
    const token = ofRole("owner");
    for (const headers of [
      { "x-api-key": newSecret("live") },
      { authorization: `Bearer ${newSecret("dlv")}` },
    ]) {
      for (const asked of [{ headers }, { headers, token }]) {
        const answer = await ask(route, asked);
        expect([answer.status, answer.problem.code]).toEqual([403, "auth.key_not_accepted"]);
      }
    }
  });

  it.each(guarded)("$name refuses ended sessions, and the browser forgets them", async (route) => {
    const answer = await ask(route, { token: ended });
    expect([answer.status, answer.problem.code]).toEqual([401, "auth.session_invalid"]);
    expect(answer.cookies).toMatchObject([{ name: "hermod", value: "", expires: new Date(0) }]);
  });

  it.each(guarded)("$name requires sessions to have shown their second factor ($access)", async (route) => {
    const answer = await ask(route, { token: pending });
    const isOpen = ["half_signed_in", "before_second_factor"].includes(route.access);
    if (isOpen) expect(answer.problem?.code).not.toBe("auth.second_factor_required");
    else expect([answer.status, answer.problem.code]).toEqual([403, "auth.second_factor_required"]);
    // Sign-out ends it.
    if (isOpen) pending = await pendingSession();
  });

  it.each(guarded)(
    "$name refuses a session with an initial password, unless it reads or ends the session or changes the password ($access)",
    async (route) => {
      const isOpen = ["getSession", "signOut", "changePassword"].includes(route.name);
      // A refusal comes before any read: it needs no target.
      const target = isOpen ? await targetOf(route, await world.identity.memberOf(accountId)) : undefined;
      const answer = await ask(route, { token: initial }, target);
      if (isOpen) expect(answer.problem?.code).not.toBe("auth.password_change_required");
      else expect([answer.status, answer.problem.code]).toEqual([403, "auth.password_change_required"]);
      if (isOpen) initial = await initialSession();
    },
  );

  it.each(guarded)(
    "$name requires a factor from the last ten minutes if and only if it is listed",
    async (route) => {
      const { identity } = world;
      const { token, userId, email } = await identity.memberOf(accountId);
      const target = await targetOf(route, { userId, email });
      const authenticatedAt = new Date(identity.time.clock.now().getTime() - 10 * 60_000);
      await identity.db.collection("sessions").updateMany({ userId }, { $set: { authenticatedAt } });
      const answer = await ask(route, { token }, target);
      const refusal = [403, "auth.reauthentication_required"];
      const isListed = needsReentry(route.name);
      if (isListed) expect([answer.status, answer.problem.code]).toEqual(refusal);
      else expect(answer.problem?.code).not.toBe("auth.reauthentication_required");
      // Once a member has ended the user's sessions in an account, older sessions need a factor to switch to it. The
      // removal of many watched domains needs one, other actions on them do not.
      const isSometimes = ["switchAccount", "changeWatchedDomains"].includes(route.name);
      expect(route.faults.includes("auth.reauthentication_required")).toBe(isListed || isSometimes);
    },
  );

  it("that changes data is listed for re-entry or named here as an exception", () => {
    const others = Object.values(WITHOUT_REENTRY).flat();
    expect(others.filter(needsReentry)).toEqual([]);
    const unlisted = changing.filter(({ name }) => !needsReentry(name)).map(({ name }) => name);
    expect(unlisted.sort()).toEqual(others.sort());
    const reading = guarded.filter(({ method, name }) => method === "GET" && needsReentry(name));
    expect(reading.map(({ name }) => name)).toEqual(["exportAccount"]);
  });

  it.each(changing.map((route, index) => ({ ...route, index })))(
    "$name refuses other sites",
    async ({ index, ...route }) => {
      // One check runs before all routes: each route meets it in two ways, and the next test covers all.
      for (const headers of [ELSEWHERE[index % ELSEWHERE.length] ?? {}, { origin: "https://evil.example" }])
        await expectCrossSite(route, headers);
    },
  );

  it.each(ELSEWHERE)("a change is refused for a page of another site (%j)", async (headers) => {
    for (const route of changing.filter(({ name }) => ["createKey", "updateClient"].includes(name)))
      await expectCrossSite(route, headers);
  });

  it.each(allowed)("$name accepts a role ($role) with its permission", async ({ role, ...route }) => {
    const { token, target } = await callerOf(route, role);
    const answer = await ask(route, { token }, target);
    const codes = [undefined, ...route.faults.filter((code) => code !== "auth.permission_missing")];
    // A read of contents may have its own code.
    expect(codes).toContain(answer.status < 400 ? undefined : answer.body?.code);
    if (role === "owner") expect([answer.status, answer.body]).toEqual([target?.status ?? 200, answer.body]);
  });

  it.each(refused)("$name refuses every other role", async ({ without, ...route }) => {
    for (const role of without) {
      const answer = await ask(route, { token: ofRole(role) });
      expect([role, answer.status, answer.problem.code]).toEqual([role, 403, "auth.permission_missing"]);
    }
  });

  it.each(guarded.filter(({ path, name }) => path.includes(":") && ![...MAKING, ...SHARED].includes(name)))(
    "$name finds nothing of another account",
    async (route) => {
      const { identity } = world;
      const foreignId = await identity.openAccount("Globex");
      const { userId, email } = await identity.memberOf(foreignId);
      const target = await targets[route.name]?.({ world, accountId: foreignId, self: { userId, email } });
      const token = ofRole("owner");
      const before = await everythingOf(foreignId);
      const answer = await ask(route, { token }, target);
      const nobodys = await ask(route, { token }, { ...target, params: invented(target?.params) });
      expect([answer.status, answer.problem.code]).toEqual([404, nobodys.problem.code]);
      expect(await everythingOf(foreignId)).toEqual(before);
    },
  );
});

/** Changes that a session makes without a recent factor, with the reason. */
const WITHOUT_REENTRY = {
  "completes, renews or ends the session": [
    "beginPasskeyProof",
    "changePassword",
    "reauthenticate",
    "showSecondFactor",
    "signOut",
    "switchAccount",
  ],
  "holds mail that is wrong, which must not wait, or ends that": ["holdPolicyQueue", "releasePolicyQueue"],
  "takes access away, which must not wait": [
    "endSession",
    "revokeInvitation",
    "revokeKey",
    "revokeReportLink",
  ],
  "repeats or uses rights that were granted with re-entry": ["joinAccount", "resendInvitation"],
  "changes a name": ["renameAccount", "renameKey", "renamePasskey", "renameWorkspace"],
  "shows a result and stores nothing": [
    "explainPolicy",
    "previewAlertRuleMail",
    "previewErasure",
    "previewLabel",
    "previewSilence",
    "previewTemplate",
    "previewText",
    "testAlertRules",
    "tryAlertRules",
  ],
  "adds what gives no access": [
    "addDomain",
    "createDomainLink",
    "createReport",
    "createReportLink",
    "removeDomainLink",
    "addWatchedDomain",
    "createClient",
    "createOwnAccount",
    "createSchedule",
    "createTemplate",
    "createWorkspace",
    "duplicateTemplate",
    "importWatchedDomains",
    "verifySender",
  ],
  "is the daily work with messages, reports and alerts": [
    "acknowledgeIncident",
    "addIncidentNote",
    "assignIncident",
    "bulkIncidents",
    "addOnCallOverride",
    "bulkMessages",
    "cancelJob",
    "cancelMessage",
    "checkDomain",
    "checkWatchedDomain",
    "clearSandboxMessages",
    "createHeartbeat",
    "createSilence",
    "changeSilence",
    "endSilence",
    "muteCheck",
    "pauseHeartbeat",
    "removeSandboxMessage",
    "reopenIncident",
    "replayDeliveries",
    "replayDelivery",
    "resendMessage",
    "resolveIncident",
    "resumeHeartbeat",
    "retryDeliveries",
    "retryDelivery",
    "retryMessage",
    "rotateHeartbeatToken",
    "runSchedule",
    "sendAlertRuleTest",
    "sendMessage",
    "sendTest",
    "sendTestEvent",
    "snoozeIncident",
    "testTarget",
    "unacknowledgeIncident",
    "swapOnCallShifts",
    "unmuteCheck",
    "unsnoozeIncident",
    "uploadReport",
  ],
  "can be changed back": [
    "addSuppression",
    "addSuppressions",
    "deleteAlertRule",
    "deleteHeartbeat",
    "deleteInhibition",
    "deleteLabel",
    "deleteOnCallOverride",
    "deleteOnCallSchedule",
    "deleteSchedule",
    "disableWebhook",
    "discardDraft",
    "enableWebhook",
    "importSuppressions",
    "publishDraft",
    "putAlertRule",
    "putDataSet",
    "putInhibition",
    "putLabel",
    "putOnCallSchedule",
    "restoreAlertRule",
    "restoreInhibition",
    "restoreOnCallSchedule",
    "putTestData",
    "removeSender",
    "removeSuppression",
    "removeMatchingSuppressions",
    "removeSuppressions",
    "restoreDraft",
    "rollBack",
    "rotateDomain",
    "saveDraft",
    "updateClient",
    "updateHeartbeat",
    "updateSchedule",
    "updateWatchedDomain",
    "changeWatchedDomains",
  ],
};

/** Routes that create resources, with a name that another account may also use. */
const MAKING = ["putAlertRule", "putInhibition", "putOnCallSchedule"];
/** Routes with a parameter that is the same for all accounts: the name of a built-in template, or the id of a check. */
const SHARED = ["getBuiltInTemplate", "listFindingDomains"];

/** Ids that do not exist. */
function invented(params: Readonly<Record<string, string>> = {}) {
  return Object.fromEntries(
    Object.entries(params).map(([name, id]) => [name, id.replace(/.{8}$/, "00000000")]),
  );
}

/** Stored data of an account and of the sessions of its users. */
async function everythingOf(id: string) {
  const { store } = world.identity;
  const { members, keys, policies, suppressions } = store.forAccount(id);
  const page = { limit: 1000 };
  const all = await members.list(page);
  const sessions = await Promise.all(all.map(({ userId }) => store.sessions.listOfUser(userId)));
  return {
    account: await store.accounts.find(id),
    members: all,
    keys: await keys.list(page),
    policies: await policies.list(page),
    suppressed: await suppressions.list({ ...page, now: world.identity.time.clock.now() }),
    sessions,
  };
}
