import { randomUUID } from "node:crypto";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { TOTP } from "otpauth";
import { newId, newIdInBucket } from "../../src/shared/ids.ts";
import { hashSecret } from "../../src/shared/secrets.ts";
import { webhookCollections } from "../../src/store/webhook-delivery-documents.ts";
import { testAudit } from "./audit.ts";
import { createAuthenticator } from "./authenticator.ts";
import type { Dashboard } from "./dashboard.ts";
import { deliveryDocument, endpointDocument } from "./expected-deliveries.ts";
import { allowSending, finishedMessage } from "./finished-message.ts";
import { BASE_URL, PASSWORD } from "./identity.ts";
import { answered } from "./logged-requests.ts";
import { whitePixel } from "./png.ts";
import { queuedMessage } from "./queued-message.ts";
import { storeBody } from "./store-body.ts";

/** Parameters of a dashboard route with which it succeeds for the owner of the account. */
export interface Target {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly query?: Readonly<Record<string, string>>;
  /** Status on success; missing: 200. */
  readonly status?: number;
}

interface Environment {
  readonly world: Dashboard;
  readonly accountId: string;
  /** The caller. */
  readonly self: { readonly userId: string; readonly email: string };
}

type MakeTarget = (environment: Environment) => Promise<Target> | Target;

async function key({ world, accountId }: Environment): Promise<{ readonly key_id: string }> {
  const { key: stored } = await world.identity.operator.keys.createKey({ accountId, name: "Shop" });
  return { key_id: stored?.id ?? "" };
}

/** Due tomorrow. */
async function message(
  { world, accountId }: Pick<Environment, "world" | "accountId">,
  state: "scheduled" | "deferred" = "scheduled",
): Promise<{ readonly message_id: string }> {
  const { store, time } = world.identity;
  const now = time.clock.now();
  const nextAttemptAt = new Date(now.getTime() + 86_400_000);
  const _id = newIdInBucket("msg", now, 1);
  const waiting = queuedMessage(now, { _id, bucket: 1, accountId, state, nextAttemptAt });
  await store.acrossAccounts.messages.insertMany([waiting]);
  return { message_id: _id };
}

let count = 0;
const freshDomain = () => `shop-${count++}.example`;
const freshAddress = () => `news@${freshDomain()}`;

async function domain({ world, accountId }: Environment): Promise<{ readonly domain: string }> {
  const name = freshDomain();
  await world.identity.operator.domains.addDomain({ accountId, domain: name });
  return { domain: name };
}

/** A member's policy: members cannot change the operator's. */
async function policy({ world, accountId }: Environment) {
  const name = `policy-${count++}`;
  const stored = { name, transports: [{ kind: { case: "sandbox" as const, value: {} } }] };
  const { token } = await world.identity.memberOf(accountId);
  const { policies } = world.identity.as({ session: token });
  const { policy: put } = await policies.putPolicy({ policy: stored });
  return { params: { policy: name }, query: { revision: put?.revision ?? "" } };
}

async function suppression({ world, accountId }: Environment): Promise<{ readonly suppression_id: string }> {
  const { suppression: made } = await world.identity.operator.suppressions.addSuppression({
    accountId,
    address: freshAddress(),
  });
  return { suppression_id: made?.id ?? "" };
}

const MAIL = [
  "From: a@example.com",
  "Subject: Captured",
  "MIME-Version: 1.0",
  'Content-Type: multipart/mixed; boundary="b"',
  "",
  "--b",
  "Content-Type: text/html",
  "",
  "<p>Hello</p>",
  "--b",
  "Content-Type: text/plain",
  'Content-Disposition: attachment; filename="a.txt"',
  "",
  "attached",
  "--b--",
  "",
].join("\r\n");

async function captured({ world, accountId }: Environment): Promise<{ readonly message_id: string }> {
  const now = world.identity.time.clock.now();
  const id = newIdInBucket("msg", now, 1);
  const expireAt = new Date(now.getTime() + 86_400_000);
  const envelope = { traceId: "sx_1", envelopeFrom: "", envelopeTo: [], from: "a@example.com" };
  const message = { ...envelope, id, accountId, subject: "Captured", capturedAt: now, expireAt };
  await world.identity.store.acrossAccounts.sandbox.insertMissing([
    { ...message, source: Buffer.from(MAIL) },
  ]);
  return { message_id: id };
}

async function storedMail({ world, accountId }: Environment): Promise<{ readonly message_id: string }> {
  const { message_id } = await message({ world, accountId });
  await storeBody(
    world.identity,
    { accountId, messageId: message_id },
    { kind: "raw", source: Buffer.from(MAIL) },
  );
  return { message_id };
}

async function member({ world, accountId }: Environment): Promise<{ readonly user_id: string }> {
  return { user_id: (await world.identity.memberOf(accountId, "viewer")).userId };
}

/** Invites an existing or new user to the account. The token of the link is mailed to the address. */
async function invitation({ world, accountId }: Environment): Promise<{ readonly invitation_id: string }> {
  const email = `${randomUUID()}@example.com`;
  const request = { accountId, email, role: "viewer" };
  const { invitation: made } = await world.identity.operator.invitations.createInvitation(request);
  return { invitation_id: made?.id ?? "" };
}

/** A request that was made with a key of the account and is in its log. */
async function loggedRequest({ world, accountId }: Environment): Promise<{ readonly request_id: string }> {
  const { frontEnd, operator, time } = world.identity;
  const at = timestampFromDate(time.clock.now());
  const one = {
    accountId,
    at,
    keyId: "key_1",
    method: "POST",
    route: "/v1/email/send",
    status: 202,
    count: 1,
  };
  await frontEnd.requests.recordRequests({ batchId: randomUUID(), answered: [answered(one)] });
  const { requests } = await operator.requests.listRequests({ accountId, pageSize: 1 });
  return { request_id: requests[0]?.id ?? "" };
}

let endpoints = 0;

const ALERT = { event_type: "disk.full", severity: "critical", source: "s", message: "m" };
const MAILING = {
  name: "mailing",
  notify: { recipients: ["ops@example.net"], from: "alerts@example.com", routing_policy: "default" },
};
const SIDE = { match: [{ field: "event_type", op: "eq", value: "host.down" }] };
const LAYER = {
  name: "Hourly",
  participants: [{ address: "ada@example.net" }, { address: "bob@example.net" }],
  timeZone: "UTC",
  shift: { length: 2, unit: "hour" },
};
const SIDES = { source: SIDE, target: { match: [{ field: "severity", op: "lte", value: "warning" }] } };

function newSilence(world: Dashboard) {
  const end = new Date(world.identity.time.clock.now().getTime() + 3_600_000);
  return { comment: "maintenance", ends_at: end.toISOString() };
}

async function silence({ world, accountId }: Environment): Promise<{ readonly silence_id: string }> {
  const { clock } = world.identity.time;
  const endsAt = timestampFromDate(new Date(clock.now().getTime() + 3_600_000));
  const asked = { accountId, comment: "maintenance", endsAt, confirm: true };
  const created = await world.identity.operator.silences.createSilence(asked);
  return { silence_id: created.silence?.id ?? "" };
}

/** A rule with a name that no other account uses. */
async function alertRule({ world, accountId }: Environment): Promise<{ readonly name: string }> {
  const name = `rule-${count++}`;
  await world.identity.operator.rules.putRule({ accountId, settings: { name } });
  return { name };
}

async function inhibition({ world, accountId }: Environment): Promise<{ readonly name: string }> {
  const name = `inhibition-${count++}`;
  const condition = { field: "event_type", op: "eq" as const, value: "host.down" };
  const side = { match: [condition], any: [] };
  const put = { name, source: side, target: side, equal: [] };
  await world.identity.store.forAccount(accountId).alertRules.putInhibition(put, testAudit);
  return { name };
}

/** An on-call schedule of two addresses, and a time in which the first one is on call. */
async function onCall({ world, accountId }: Environment) {
  const name = `on-call-${count++}`;
  const now = world.identity.time.clock.now();
  const layers = [{ ...LAYER, participants: [...LAYER.participants], startsAt: timestampFromDate(now) }];
  const settings = { name, layers, fallbackRecipients: ["ops@example.net"] };
  await world.identity.operator.oncalls.putOnCallSchedule({ accountId, settings });
  const inHours = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString();
  return { params: { name }, inHours };
}

async function override(environment: Environment) {
  const { params, inHours } = await onCall(environment);
  const added = await environment.world.identity.operator.oncalls.addOnCallOverride({
    accountId: environment.accountId,
    ...params,
    participant: { address: "eve@example.net" },
    until: timestampFromDate(new Date(inHours(1))),
  });
  return { ...params, override_id: added.override?.id ?? "" };
}

async function alerted(environment: Environment) {
  const { world, accountId } = environment;
  await alertRule(environment);
  const alert = { eventType: "e", severity: "info", source: "s", message: "m", entityId: `${count++}` };
  const { alertId, outcome } = await world.identity.operator.alerts.sendAlert({ accountId, alert });
  return { alert: { alert_id: alertId }, incident: { incident_id: outcome?.incidentIds[0] ?? "" } };
}

async function intelClient({ world, accountId }: Environment): Promise<string> {
  const settings = { name: `Client ${count++}` };
  const { client } = await world.identity.operator.workspaces.createClient({ accountId, settings });
  return client?.id ?? "";
}

async function watchedDomain(environment: Environment): Promise<{ readonly domain_id: string }> {
  const { world, accountId } = environment;
  const asked = { accountId, clientId: await intelClient(environment), name: freshDomain() };
  const { domain } = await world.identity.operator.watches.addWatchedDomain(asked);
  return { domain_id: domain?.id ?? "" };
}

/** A stored report as JSON and HTML. */
async function storedReport({ world, accountId }: Environment): Promise<{ readonly report_id: string }> {
  const { store, time } = world.identity;
  const { workspaces, reports } = store.forAccount(accountId);
  const now = time.clock.now();
  const { _id: workspaceId } = await workspaces.first(testAudit);
  const report = {
    _id: newId("rpt", now),
    workspaceId,
    generatedAt: now,
    expireAt: new Date(now.getTime() + 86_400_000),
    scope: { type: "workspace", id: workspaceId, name: "Default" } as const,
    period: { from: new Date(0), to: now },
    form: "html",
  };
  const files = ["json", "html"].map((format) => ({ format, bytes: Buffer.from("{}") }));
  await reports.add(report, files, testAudit);
  return { report_id: report._id };
}

async function sharedReport(environment: Environment): Promise<{ readonly link_id: string }> {
  const { report_id: id } = await storedReport(environment);
  const { accountId, world } = environment;
  const { link } = await world.identity.operator.reports.createReportLink({ accountId, id });
  return { link_id: link?.id ?? "" };
}

async function reportLabel(environment: Environment): Promise<{ readonly label_id: string }> {
  const id = await intelClient(environment);
  const { accountId, world } = environment;
  const settings = { name: "Acme", logo: whitePixel };
  await world.identity.operator.labels.putLabel({ accountId, id, settings });
  return { label_id: id };
}

/** Lets the account send as the domain first. */
async function newSchedule(environment: Environment) {
  const { world, accountId } = environment;
  await allowSending(world.identity, accountId);
  const scope = { type: "client", id: await intelClient(environment) };
  return { name: "Weekly report", scope, cadence: "weekly", from: "reports@example.com" };
}

const NIGHTLY = { name: "nightly backup", cron: "5 2 * * *", timezone: "Europe/Berlin" };

async function heartbeat({ world, accountId }: Environment): Promise<{ readonly heartbeat_id: string }> {
  const { heartbeats } = world.identity.operator;
  const { heartbeat: created } = await heartbeats.createHeartbeat({ accountId, settings: NIGHTLY });
  return { heartbeat_id: created?.id ?? "" };
}

async function reportSchedule(environment: Environment): Promise<{ readonly schedule_id: string }> {
  const asked = { accountId: environment.accountId, settings: await newSchedule(environment) };
  const { schedule } = await environment.world.identity.operator.schedules.createSchedule(asked);
  return { schedule_id: schedule?.id ?? "" };
}

async function target({ world, accountId }: Environment): Promise<{ readonly target_id: string }> {
  const { operator, store } = world.identity;
  const { targets: own } = store.forAccount(accountId);
  for (const { _id } of await own.list({ limit: 100 })) await own.remove(_id, testAudit, () => undefined);
  const settings = { name: `target-${count++}`, url: "https://93.184.215.14/hook" };
  const { target: made } = await operator.targets.createTarget({ accountId, kind: "webhook", settings });
  return { target_id: made?.id ?? "" };
}

async function webhook({ world, accountId }: Environment): Promise<{ readonly endpoint_id: string }> {
  const { webhooks } = world.identity.store.forAccount(accountId);
  for (const { _id } of await webhooks.list({ limit: 20 })) await webhooks.remove(_id, testAudit);
  const made = endpointDocument({ _id: `wep_${endpoints++}`, accountId });
  await webhooks.add(made, testAudit);
  return { endpoint_id: made._id };
}

/** A delivery that was accepted. */
async function delivery({ world, accountId }: Environment): Promise<{ readonly delivery_id: string }> {
  const made = deliveryDocument({ _id: `wep_1.${randomUUID()}`, accountId });
  await webhookCollections(world.identity.db).deliveries.insertOne(made);
  return { delivery_id: made._id };
}

/** A delivery that waits for its next attempt. */
async function waitingDelivery({ world, accountId }: Environment): Promise<{ readonly delivery_id: string }> {
  const dueAt = new Date(world.identity.time.clock.now().getTime() + 3_600_000);
  const made = deliveryDocument({ _id: `wep_1.${randomUUID()}`, accountId, state: "pending", dueAt });
  await webhookCollections(world.identity.db).deliveries.insertOne(made);
  return { delivery_id: made._id };
}

/** A job that has not started. */
async function job({ world, accountId }: Environment): Promise<{ readonly job_id: string }> {
  const now = world.identity.time.clock.now();
  const wanted = { kind: "test.none", params: {}, about: {}, permission: "messages.write" };
  const begun = { ...wanted, _id: newId("job", now), startedBy: testAudit.actor, createdAt: now };
  await world.identity.store.forAccount(accountId).jobs.begin(begun, 1_000, testAudit);
  return { job_id: begun._id };
}

const holderOf = ({ accountId, self }: Environment) => ({ ...self, accountId });

/** An authenticator app of the caller, and its current code. */
async function totp(environment: Environment, isConfirmed = false): Promise<string> {
  const { world, self } = environment;
  const { store, time } = world.identity;
  const now = time.clock.now();
  const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
  const expireAt = new Date(now.getTime() + 60 * 60_000);
  const begun = { _id: self.userId, secret, createdAt: now, expireAt };
  await store.factors.beginTotp(begun);
  if (isConfirmed) await store.factors.confirmTotp(begun, 0, holderOf(environment), testAudit);
  return new TOTP({ secret }).generate({ timestamp: now.getTime() });
}

async function passkey(environment: Environment): Promise<{ readonly passkey_id: string }> {
  const { world, self } = environment;
  const id = randomUUID();
  const made = { id, publicKey: Buffer.from("key"), counter: 0, transports: [], backedUp: false };
  const owned = { ...made, userId: self.userId, name: "Laptop", createdAt: world.identity.time.clock.now() };
  await world.identity.store.passkeys.insert(owned, holderOf(environment), testAudit);
  return { passkey_id: id };
}

/** Returns the response of the caller's device to earlier options. */
async function newPasskey({ world, self }: Environment): Promise<object> {
  const { store, time } = world.identity;
  const challenge = Buffer.from(randomUUID()).toString("base64url");
  const expireAt = new Date(time.clock.now().getTime() + 60 * 60_000);
  await store.passkeys.putChallenge({
    _id: hashSecret(challenge),
    purpose: "register",
    userId: self.userId,
    expireAt,
  });
  const options = { challenge, rp: { id: new URL(BASE_URL).hostname }, user: { id: self.userId } };
  return JSON.parse(createAuthenticator().register(JSON.stringify(options), { origin: BASE_URL }));
}

async function identity(environment: Environment): Promise<{ readonly identity_id: string }> {
  const { world, self } = environment;
  const id = randomUUID();
  const linked = {
    _id: id,
    issuer: "https://login.example.com",
    subject: id,
    email: "",
    userId: self.userId,
  };
  const createdAt = world.identity.time.clock.now();
  await world.identity.store.identities.link({ ...linked, createdAt }, holderOf(environment), testAudit);
  return { identity_id: id };
}

const TEXT = { from: "news@shop.example", subject: "Hi", text: "Hello" };
const freshName = () => `template-${count++}`;

/** A template with a published version and a draft. */
async function template({ world, accountId }: Environment) {
  const name = freshName();
  const { templates } = world.identity.operator;
  await templates.putTemplate({ accountId, template: { ...TEXT, name } });
  const { template: published } = await templates.getTemplate({ accountId, name });
  const draft = { ...TEXT, name, subject: "Hello" };
  const revision = published?.overview?.revision ?? "";
  const { template: saved } = await templates.saveDraft({ accountId, revision, template: draft });
  return { params: { template: name }, revision: saved?.overview?.revision ?? "" };
}

async function basedOnRevision(environment: Environment): Promise<Target> {
  const { params, revision } = await template(environment);
  return { params, body: { revision } };
}

/** Open to unauthenticated clients: the tests of their purpose check the answers. */
const forStrangers = [
  "getSignInOptions",
  "beginPasskeySignIn",
  "signInWithPasskey",
  "beginOidc",
  "finishOidc",
  "requestPasswordReset",
  "findPasswordReset",
  "completePasswordReset",
  "requestSignUp",
  "findSignUp",
  "completeSignUp",
  "findInvitation",
  "acceptInvitation",
  "findDomainLink",
  "findEmailChange",
  "confirmEmailChange",
];

/** By route name. */
export const targets: Readonly<Record<string, MakeTarget>> = {
  signIn: ({ self: { email } }) => ({ body: { email, password: PASSWORD } }),
  getSession: () => ({}),
  signOut: () => ({ status: 204 }),
  switchAccount: ({ accountId }) => ({ body: { account_id: accountId } }),
  reauthenticate: () => ({ body: { password: PASSWORD } }),
  changePassword: () => ({
    body: { current_password: PASSWORD, new_password: "other uncommon words" },
  }),
  listSessions: () => ({}),
  endSession: async ({ world, accountId, self: { userId, email } }) => {
    const { store } = world.identity;
    await world.identity.openSession({ _id: userId, email }, accountId);
    const [newest] = await store.sessions.listOfUser(userId);
    return { params: { session_id: newest?._id ?? "" }, status: 204 };
  },
  endOtherSessions: () => ({}),

  requestEmailChange: () => ({ body: { email: freshAddress() }, status: 204 }),
  leaveAccount: ({ accountId }) => ({ body: { account_id: accountId } }),
  // Sign-up is disabled.
  createOwnAccount: () => ({ body: { name: "Aside" }, status: 403 }),

  ...Object.fromEntries(forStrangers.map((name) => [name, () => ({})])),
  // The session waits for no second factor, and no provider is configured.
  showSecondFactor: () => ({ body: { totp_code: "000000" }, status: 409 }),
  beginPasskeyProof: () => ({}),
  beginOidcLink: () => ({ status: 422 }),

  listFactors: () => ({}),
  beginTotp: () => ({}),
  confirmTotp: async (environment) => ({ body: { code: await totp(environment) } }),
  removeTotp: async (environment) => {
    await totp(environment, true);
    return { status: 204 };
  },
  renewRecoveryCodes: async (environment) => {
    await totp(environment, true);
    return {};
  },
  beginPasskey: () => ({}),
  confirmPasskey: async (environment) => ({
    body: { name: "Laptop", response: await newPasskey(environment) },
    status: 201,
  }),
  renamePasskey: async (environment) => ({ params: await passkey(environment), body: { name: "Phone" } }),
  removePasskey: async (environment) => ({ params: await passkey(environment), status: 204 }),
  unlinkIdentity: async (environment) => ({ params: await identity(environment), status: 204 }),

  getAccount: () => ({}),
  getInstallation: () => ({}),
  getStart: () => ({}),
  getAttention: () => ({}),
  getRetention: () => ({}),
  changeRetention: () => ({ body: { content_days: 7 } }),
  getSecondFactor: () => ({}),
  requireSecondFactor: () => ({ body: { required: false } }),
  // The account is the first one.
  deleteAccount: () => ({ status: 409 }),
  renameAccount: () => ({ body: { name: "Acme & Sons" } }),

  listMembers: () => ({}),
  changeRole: async (environment) => ({
    params: await member(environment),
    body: { role: "support" },
  }),
  removeMember: async (environment) => ({ params: await member(environment), status: 204 }),
  signOutMember: async (environment) => ({ params: await member(environment) }),
  listRoles: () => ({}),

  listSenders: () => ({}),
  verifySender: () => ({ body: { value: freshAddress() } }),
  removeSender: async ({ world, accountId }) => {
    const value = freshAddress();
    await world.identity.operator.senders.addSender({ accountId, value });
    return { params: { sender: value }, status: 204 };
  },

  listDomains: () => ({}),
  addDomain: () => ({ body: { domain: freshDomain() }, status: 201 }),
  getDomain: async (environment) => ({ params: await domain(environment) }),
  checkDomain: async (environment) => ({ params: await domain(environment) }),
  listDomainEvents: async (environment) => ({ params: await domain(environment) }),
  getZoneFile: async (environment) => ({ params: await domain(environment) }),
  rotateDomain: async (environment) => ({ params: await domain(environment), body: {} }),
  removeDomain: async (environment) => ({ params: await domain(environment), status: 204 }),
  createDomainLink: async (environment) => ({ params: await domain(environment), body: {}, status: 201 }),
  removeDomainLink: async (environment) => ({ params: await domain(environment), status: 204 }),

  listPolicies: () => ({}),
  getPolicy: async (environment) => ({ params: (await policy(environment)).params }),
  createPolicy: () => ({
    body: { name: `new-policy-${count++}`, transports: [{ sandbox: {} }] },
    status: 201,
  }),
  replacePolicy: async (environment) => {
    const { params, query } = await policy(environment);
    return { params, body: { ...query, transports: [{ direct: {} }] } };
  },
  makeDefaultPolicy: async (environment) => ({ params: (await policy(environment)).params }),
  deletePolicy: policy,
  explainPolicy: () => ({ body: { recipient: "ada@example.org" } }),
  listPolicyVersions: async (environment) => ({ params: (await policy(environment)).params }),
  getPolicyVersion: async (environment) => ({
    params: { ...(await policy(environment)).params, version: "1" },
  }),
  comparePolicyVersions: async (environment) => ({
    params: (await policy(environment)).params,
    query: { before: "1", after: "1" },
  }),
  restorePolicy: async (environment) => {
    const { params, query } = await policy(environment);
    return { params, body: { ...query, version: 1 } };
  },
  getPolicyQueue: async (environment) => ({ params: (await policy(environment)).params }),
  holdPolicyQueue: async (environment) => ({
    params: (await policy(environment)).params,
    body: { reason: "The relay is down" },
  }),
  releasePolicyQueue: async (environment) => {
    const { params } = await policy(environment);
    const { world, accountId } = environment;
    await world.identity.store
      .forAccount(accountId)
      .policyHolds.add({ policy: params.policy, reason: "down" }, testAudit);
    return { params, body: {} };
  },

  listInvitations: () => ({}),
  createInvitation: () => ({ body: { email: `${randomUUID()}@example.com`, role: "viewer" }, status: 201 }),
  resendInvitation: async (environment) => ({ params: await invitation(environment) }),
  revokeInvitation: async (environment) => ({ params: await invitation(environment), status: 204 }),
  joinAccount: async ({ world, self: { email } }) => {
    const { operator, tokenTo } = world.identity;
    const { account } = await operator.accounts.createAccount({ name: "Other" });
    await operator.invitations.createInvitation({ accountId: account?.id ?? "", email, role: "viewer" });
    return { body: { token: tokenTo(email) } };
  },

  exportAccount: () => ({}),

  listKeys: () => ({}),
  getKey: async (environment) => ({ params: await key(environment) }),
  listKeyUses: async (environment) => ({ params: await key(environment) }),
  createKey: () => ({ body: { name: "Shop" }, status: 201 }),
  renameKey: async (environment) => ({ params: await key(environment), body: { name: "Till" } }),
  replaceKeyAccess: async (environment) => ({
    params: await key(environment),
    body: { scope_mode: "full", senders: [], allowed_addresses: [], expires_at: null },
  }),
  rotateKey: async (environment) => ({ params: await key(environment), body: {}, status: 201 }),
  revokeKey: async (environment) => ({ params: await key(environment) }),

  listMessages: () => ({}),
  countMatchingMessages: () => ({}),
  exportMessages: () => ({}),
  getMessage: async (environment) => ({ params: await message(environment) }),
  bulkMessages: async (environment) => ({
    body: { action: "cancel", ids: [(await message(environment)).message_id] },
  }),
  retryMessage: async (environment) => ({ params: await message(environment, "deferred") }),
  resendMessage: async ({ world: { identity }, accountId }) => {
    await allowSending(identity, accountId);
    const { _id } = await finishedMessage(identity, accountId);
    return { params: { message_id: _id }, status: 202 };
  },
  cancelMessage: async (environment) => ({ params: await message(environment) }),
  watchEvents: () => ({}),
  countMessages: () => ({}),
  measureLatency: () => ({}),
  countWaiting: () => ({}),
  listAlertRules: () => ({}),
  getAlertRule: async (environment) => ({ params: await alertRule(environment) }),
  putAlertRule: async (environment) => ({ params: await alertRule(environment), body: {} }),
  deleteAlertRule: async (environment) => ({ params: await alertRule(environment), status: 204 }),
  listAlertRuleVersions: async (environment) => ({ params: await alertRule(environment) }),
  getAlertRuleVersion: async (environment) => ({
    params: { ...(await alertRule(environment)), version: "1" },
  }),
  compareAlertRuleVersions: async (environment) => ({
    params: await alertRule(environment),
    query: { before: "1", after: "1" },
  }),
  restoreAlertRule: async (environment) => ({ params: await alertRule(environment), body: { version: 1 } }),
  testAlertRules: () => ({ body: { alert: ALERT } }),
  tryAlertRules: () => ({ body: { rule: { name: "tried" } } }),
  previewAlertRuleMail: () => ({ body: { rule: MAILING } }),
  sendAlertRuleTest: async ({ world, accountId }) => {
    await allowSending(world.identity, accountId);
    return { body: { rule: MAILING }, status: 202 };
  },
  listSilences: () => ({}),
  createSilence: ({ world }) => ({ body: { ...newSilence(world), confirm: true }, status: 201 }),
  getSilence: async (environment) => ({ params: await silence(environment) }),
  previewSilence: () => ({ body: SIDE }),
  changeSilence: async (environment) => ({
    params: await silence(environment),
    body: { ...newSilence(environment.world), confirm: true },
  }),
  endSilence: async (environment) => ({ params: await silence(environment) }),
  listHeartbeats: () => ({}),
  createHeartbeat: () => ({ body: NIGHTLY, status: 201 }),
  getHeartbeat: async (environment) => ({ params: await heartbeat(environment) }),
  updateHeartbeat: async (environment) => ({ params: await heartbeat(environment), body: NIGHTLY }),
  pauseHeartbeat: async (environment) => ({ params: await heartbeat(environment) }),
  resumeHeartbeat: async (environment) => ({ params: await heartbeat(environment) }),
  rotateHeartbeatToken: async (environment) => ({ params: await heartbeat(environment) }),
  deleteHeartbeat: async (environment) => ({ params: await heartbeat(environment), status: 204 }),
  listHeartbeatPings: async (environment) => ({ params: await heartbeat(environment) }),
  listInhibitions: () => ({}),
  putInhibition: async (environment) => ({ params: await inhibition(environment), body: SIDES }),
  listInhibitionVersions: async (environment) => ({ params: await inhibition(environment) }),
  getInhibitionVersion: async (environment) => ({
    params: { ...(await inhibition(environment)), version: "1" },
  }),
  compareInhibitionVersions: async (environment) => ({
    params: await inhibition(environment),
    query: { before: "1", after: "1" },
  }),
  restoreInhibition: async (environment) => ({ params: await inhibition(environment), body: { version: 1 } }),
  deleteInhibition: async (environment) => ({ params: await inhibition(environment), status: 204 }),
  listOnCallSchedules: () => ({}),
  getOnCallSchedule: async (environment) => ({ params: (await onCall(environment)).params }),
  putOnCallSchedule: async (environment) => {
    const { params, inHours } = await onCall(environment);
    const { name, participants, shift, timeZone: time_zone } = LAYER;
    const layer = { name, participants, shift, time_zone, starts_at: inHours(0) };
    return { params, body: { layers: [layer], fallback_recipients: ["ops@example.net"] } };
  },
  deleteOnCallSchedule: async (environment) => ({ params: (await onCall(environment)).params, status: 204 }),
  listOnCallScheduleVersions: async (environment) => ({ params: (await onCall(environment)).params }),
  getOnCallScheduleVersion: async (environment) => ({
    params: { ...(await onCall(environment)).params, version: "1" },
  }),
  compareOnCallScheduleVersions: async (environment) => ({
    params: (await onCall(environment)).params,
    query: { before: "1", after: "1" },
  }),
  restoreOnCallSchedule: async (environment) => ({
    params: (await onCall(environment)).params,
    body: { version: 1 },
  }),
  getOnCall: async (environment) => ({ params: (await onCall(environment)).params }),
  listOnCall: async (environment) => ({ query: { name: (await onCall(environment)).params.name } }),
  listOnCallShifts: async (environment) => {
    const { params, inHours } = await onCall(environment);
    return { params, query: { from: inHours(0), until: inHours(24) } };
  },
  listOnCallOverrides: async (environment) => ({ params: (await onCall(environment)).params }),
  addOnCallOverride: async (environment) => {
    const { params, inHours } = await onCall(environment);
    const body = { participant: { address: "eve@example.net" }, until: inHours(1) };
    return { params, body, status: 201 };
  },
  deleteOnCallOverride: async (environment) => ({ params: await override(environment), status: 204 }),
  swapOnCallShifts: async (environment) => {
    const { params, inHours } = await onCall(environment);
    const body = {
      first: { from: inHours(0), until: inHours(1) },
      second: { from: inHours(2), until: inHours(3) },
    };
    return { params, body, status: 201 };
  },
  listIncidents: () => ({}),
  getIncident: async (environment) => ({ params: (await alerted(environment)).incident }),
  acknowledgeIncident: async (environment) => ({ params: (await alerted(environment)).incident }),
  resolveIncident: async (environment) => ({ params: (await alerted(environment)).incident }),
  unacknowledgeIncident: async (environment) => ({ params: (await alerted(environment)).incident }),
  snoozeIncident: async (environment) => {
    const until = new Date(environment.world.identity.time.clock.now().getTime() + 3_600_000);
    return { params: (await alerted(environment)).incident, body: { until: until.toISOString() } };
  },
  unsnoozeIncident: async (environment) => ({ params: (await alerted(environment)).incident }),
  reopenIncident: async (environment) => ({ params: (await alerted(environment)).incident }),
  assignIncident: async (environment) => ({
    params: (await alerted(environment)).incident,
    body: { user_id: null },
  }),
  addIncidentNote: async (environment) => ({
    params: (await alerted(environment)).incident,
    body: { text: "On it." },
  }),
  bulkIncidents: async (environment) => ({
    body: { action: "acknowledge", ids: [(await alerted(environment)).incident.incident_id] },
  }),
  listAlerts: () => ({}),
  getAlertStatistics: () => ({}),
  getAlert: async (environment) => ({ params: (await alerted(environment)).alert }),
  listWorkspaces: () => ({}),
  createWorkspace: () => ({ body: { name: "Agency" }, status: 201 }),
  renameWorkspace: async ({ world, accountId }) => {
    const made = await world.identity.operator.workspaces.createWorkspace({ accountId, name: "Agency" });
    return { params: { workspace_id: made.workspace?.id ?? "" }, body: { name: "Other" } };
  },
  listClients: () => ({}),
  createClient: () => ({ body: { name: `Client ${count++}` }, status: 201 }),
  getClient: async (environment) => ({ params: { client_id: await intelClient(environment) } }),
  updateClient: async (environment) => ({
    params: { client_id: await intelClient(environment) },
    body: { name: `Client ${count++}`, archived: true },
  }),
  removeClient: async (environment) => ({
    params: { client_id: await intelClient(environment) },
    status: 204,
  }),
  listWatchedDomains: () => ({}),
  importWatchedDomains: () => ({ body: { csv: `client,domain\nImported,${freshDomain()}\n` } }),
  changeWatchedDomains: async (environment) => ({
    body: { ids: [(await watchedDomain(environment)).domain_id], action: "pause" },
  }),
  addWatchedDomain: async (environment) => ({
    body: { client_id: await intelClient(environment), name: freshDomain() },
    status: 201,
  }),
  getWatchedDomain: async (environment) => ({ params: await watchedDomain(environment) }),
  updateWatchedDomain: async (environment) => ({
    params: await watchedDomain(environment),
    body: { role: "parked", dkim_selectors: [], sending_ips: [], paused: true },
  }),
  removeWatchedDomain: async (environment) => ({ params: await watchedDomain(environment), status: 204 }),
  checkWatchedDomain: async (environment) => ({ params: await watchedDomain(environment) }),
  muteCheck: async (environment) => ({
    params: { ...(await watchedDomain(environment)), check_id: "auth.dmarc.policy" },
    body: { until: new Date(environment.world.identity.time.clock.now().getTime() + 60_000).toISOString() },
  }),
  unmuteCheck: async (environment) => ({
    params: { ...(await watchedDomain(environment)), check_id: "auth.dmarc.policy" },
  }),
  uploadReport: async (environment) => ({
    params: await watchedDomain(environment),
    body: { content: "" },
  }),
  getReportInbox: async (environment) => ({ params: await watchedDomain(environment) }),
  listWatchOffers: () => ({}),
  listWatchChanges: () => ({}),
  listReports: () => ({}),
  createReport: async (environment) => {
    const { domain_id: id } = await watchedDomain(environment);
    return { body: { scope: { type: "domain", id } }, status: 201 };
  },
  getReport: async (environment) => ({ params: await storedReport(environment) }),
  getReportDocument: async (environment) => ({ params: await storedReport(environment) }),
  deleteReport: async (environment) => ({ params: await storedReport(environment), status: 204 }),
  createReportLink: async (environment) => ({
    params: await storedReport(environment),
    body: {},
    status: 201,
  }),
  listReportLinks: () => ({}),
  revokeReportLink: async (environment) => ({ params: await sharedReport(environment) }),
  listLabels: () => ({}),
  getLabel: async (environment) => ({ params: await reportLabel(environment) }),
  putLabel: async (environment) => ({ params: await reportLabel(environment), body: { color: "#0b5394" } }),
  deleteLabel: async (environment) => ({ params: await reportLabel(environment), status: 204 }),
  getLabelLogo: async (environment) => ({ params: await reportLabel(environment) }),
  previewLabel: async (environment) => ({ params: await reportLabel(environment), body: { name: "Acme" } }),
  listChecks: () => ({}),
  listFindings: () => ({}),
  listFindingDomains: () => ({ params: { check_id: "auth.dmarc.policy" } }),
  getScoreHistory: () => ({}),
  listBlacklistStatus: () => ({}),
  listBlacklists: () => ({}),
  listDmarcSources: () => ({}),
  listMutes: () => ({}),
  listSchedules: () => ({}),
  createSchedule: async (environment) => ({ body: await newSchedule(environment), status: 201 }),
  getSchedule: async (environment) => ({ params: await reportSchedule(environment) }),
  updateSchedule: async (environment) => ({
    params: await reportSchedule(environment),
    body: { ...(await newSchedule(environment)), paused: true },
  }),
  deleteSchedule: async (environment) => ({ params: await reportSchedule(environment), status: 204 }),
  runSchedule: async (environment) => ({ params: await reportSchedule(environment), status: 202 }),
  listTargets: () => ({}),
  getTarget: async (environment) => ({ params: await target(environment) }),
  createTarget: () => ({
    body: { kind: "slack", name: `target-${count++}`, url: "https://93.184.215.14/hook" },
    status: 201,
  }),
  replaceTarget: async (environment) => ({
    params: await target(environment),
    body: { name: `target-${count++}` },
  }),
  rotateTargetSecret: async (environment) => ({
    params: await target(environment),
    body: {},
    status: 201,
  }),
  testTarget: async (environment) => ({ params: await target(environment) }),
  listTargetDeliveries: async (environment) => ({ params: await target(environment) }),
  deleteTarget: async (environment) => ({ params: await target(environment), status: 204 }),
  listWebhooks: () => ({}),
  getWebhook: async (environment) => ({ params: await webhook(environment) }),
  createWebhook: () => ({ body: { url: "https://shop.example.com/hooks" }, status: 201 }),
  replaceWebhook: async (environment) => ({
    params: await webhook(environment),
    body: { url: "https://shop.example.com/hooks", revision: 1 },
  }),
  disableWebhook: async (environment) => ({ params: await webhook(environment) }),
  enableWebhook: async (environment) => ({ params: await webhook(environment) }),
  rotateWebhookSecret: async (environment) => ({
    params: await webhook(environment),
    body: {},
    status: 201,
  }),
  sendTestEvent: async (environment) => ({
    params: await webhook(environment),
    body: { type: "message.bounced" },
    status: 202,
  }),
  listWebhookVersions: async (environment) => ({ params: await webhook(environment) }),
  getWebhookVersion: async (environment) => ({
    params: { ...(await webhook(environment)), version: "1" },
  }),
  compareWebhookVersions: async (environment) => ({
    params: await webhook(environment),
    query: { before: "1", after: "1" },
  }),
  restoreWebhook: async (environment) => ({
    params: await webhook(environment),
    body: { revision: 1, version: 1 },
  }),
  deleteWebhook: async (environment) => ({ params: await webhook(environment), status: 204 }),
  listDeliveries: async (environment) => ({ params: await webhook(environment) }),
  listAllDeliveries: () => ({}),
  listWebhookTypes: () => ({}),
  getWebhookStatistics: async (environment) => ({ params: await webhook(environment) }),
  listDeliveriesOfMessage: async (environment) => ({ params: await message(environment) }),
  getDelivery: async (environment) => ({ params: await delivery(environment) }),
  replayDeliveries: async (environment) => ({
    params: await webhook(environment),
    body: {},
    status: 202,
  }),
  replayDelivery: async (environment) => ({ params: await delivery(environment) }),
  retryDelivery: async (environment) => ({ params: await waitingDelivery(environment) }),
  retryDeliveries: async (environment) => ({ params: await webhook(environment) }),
  listRequests: () => ({}),
  getRequestStatistics: () => ({}),
  getRequest: async (environment) => ({ params: await loggedRequest(environment) }),
  listJobs: () => ({}),
  getJob: async (environment) => ({ params: await job(environment) }),
  listJobResults: async (environment) => ({ params: await job(environment) }),
  cancelJob: async (environment) => ({ params: await job(environment) }),
  listTemplates: () => ({}),
  createTemplate: () => ({ body: { ...TEXT, name: freshName() }, status: 201 }),
  getTemplate: async (environment) => ({ params: (await template(environment)).params }),
  saveDraft: async (environment) => {
    const { params, revision } = await template(environment);
    return { params, body: { ...TEXT, revision } };
  },
  discardDraft: basedOnRevision,
  publishDraft: basedOnRevision,
  rollBack: async (environment) => {
    const { params, revision } = await template(environment);
    return { params, body: { revision, version: 1 } };
  },
  putTestData: basedOnRevision,
  putDataSet: async (environment) => {
    const { params, revision } = await template(environment);
    return { params, body: { revision, data_set: "Empty cart", data: {} } };
  },
  listVersions: async (environment) => ({ params: (await template(environment)).params }),
  getVersion: async (environment) => ({
    params: { ...(await template(environment)).params, version: "1" },
  }),
  compareVersions: async (environment) => ({ params: (await template(environment)).params }),
  previewTemplate: async (environment) => ({ params: (await template(environment)).params, body: {} }),
  previewText: () => ({ body: TEXT }),
  getTemplateDocument: async (environment) => {
    const { params } = await template(environment);
    const { templates } = environment.world.identity.operator;
    const { accountId } = environment;
    await templates.putTemplate({ accountId, template: { ...TEXT, name: params.template, html: "<p>Hi" } });
    return { params, query: { version: "published" } };
  },
  restoreDraft: async (environment) => {
    const { params, revision } = await template(environment);
    return { params, body: { revision, version: 1 } };
  },
  sendMessage: async ({ world, accountId }) => {
    await allowSending(world.identity, accountId);
    const content = { from: "news@example.com", subject: "It works", text: "Hello" };
    return { body: { ...content, to: "ada@example.net", routing_policy: "default" }, status: 202 };
  },
  sendTest: async (environment) => {
    const { world, accountId } = environment;
    await world.identity.operator.senders.addSender({ accountId, value: "shop.example" });
    const transports = [{ kind: { case: "sandbox" as const, value: {} } }];
    const policy = { name: "tests", default: true, transports };
    await world.identity.operator.policies.putPolicy({ accountId, policy });
    const { params } = await template(environment);
    return { params, body: { to: "ada@example.com" }, status: 202 };
  },
  duplicateTemplate: async (environment) => ({
    params: (await template(environment)).params,
    body: { new_name: freshName() },
    status: 201,
  }),
  deleteTemplate: async (environment) => ({ params: (await template(environment)).params, status: 204 }),
  listBuiltInTemplates: () => ({}),
  getBuiltInTemplate: () => ({ params: { template: "alert" } }),
  listSuppressions: () => ({}),
  exportSuppressions: () => ({}),
  getSuppression: async (environment) => ({ params: await suppression(environment) }),
  addSuppression: () => ({ body: { address: freshAddress() } }),
  addSuppressions: () => ({ body: { addresses: [freshAddress()] } }),
  removeSuppressions: () => ({ body: { addresses: [freshAddress()] } }),
  countSuppressions: () => ({}),
  removeMatchingSuppressions: () => ({ body: { filter: { reason: "manual" } } }),
  importSuppressions: () => ({ body: { csv: freshAddress() } }),
  removeSuppression: async (environment) => ({ params: await suppression(environment) }),

  listErasures: () => ({}),
  previewErasure: () => ({ body: { recipient: freshAddress() } }),
  beginErasure: () => ({ body: { recipient: freshAddress() }, status: 202 }),
  getErasure: async ({ world, accountId }) => {
    const recipient = freshAddress();
    const { erasure } = await world.identity.operator.erasures.beginErasure({ accountId, recipient });
    return { params: { erasure_id: erasure?.id ?? "" } };
  },

  listEntries: () => ({}),
  listOwnEntries: () => ({}),
  listActions: () => ({}),
  exportEntries: () => ({}),
  getMessageContents: async (environment) => ({ params: await storedMail(environment) }),
  getMessageSource: async (environment) => ({ params: await storedMail(environment) }),
  getMessageHtml: async (environment) => ({ params: await storedMail(environment) }),
  getMessageAttachment: async (environment) => ({
    params: { ...(await storedMail(environment)), index: "0" },
  }),
  listSandboxMessages: () => ({}),
  clearSandboxMessages: () => ({}),
  getSandboxMessage: async (environment) => ({ params: await captured(environment) }),
  getSandboxMessageChecks: async (environment) => ({ params: await captured(environment) }),
  removeSandboxMessage: async (environment) => ({ params: await captured(environment) }),
  getSandboxMessageSource: async (environment) => ({ params: await captured(environment) }),
  getSandboxMessageHtml: async (environment) => ({ params: await captured(environment) }),
  getSandboxMessageAttachment: async (environment) => ({
    params: { ...(await captured(environment)), index: "0" },
  }),
};
