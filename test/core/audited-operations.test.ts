import { randomUUID } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate, ValueSchema } from "@bufbuild/protobuf/wkt";
import { TOTP } from "otpauth";
import { afterAll, beforeAll, expect, it } from "vitest";
import { beginJob } from "../../src/core/jobs/begin-job.ts";
import { areas } from "../../src/roles/areas.ts";
import type { AreaClients } from "../../src/rpc/client.ts";

import { newIdInBucket } from "../../src/shared/ids.ts";
import { hashSecret } from "../../src/shared/secrets.ts";
import type { AuditEntryDocument } from "../../src/store/audit/entry-document.ts";
import { type AccountStore, createStore } from "../../src/store/store.ts";
import { webhookCollections } from "../../src/store/webhook-delivery-documents.ts";
import { testAudit } from "../harness/audit.ts";
import { createAuthenticator } from "../harness/authenticator.ts";
import { deliveryDocument } from "../harness/expected-deliveries.ts";
import { allowSending, finishedMessage } from "../harness/finished-message.ts";
import { BASE_URL, type Identity, openIdentity, PASSWORD } from "../harness/identity.ts";
import { whitePixel } from "../harness/png.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { sealingWith } from "../harness/sealing.ts";
import { shownEntries } from "../harness/shown-entries.ts";
import { storeBody } from "../harness/store-body.ts";

/**
 * Every operation with an entry in the audit log, run once: by the owner, or by the operator if the owner may not.
 */
let identity: Identity;
let accountId: string;
let account: AccountStore;
let owner: AreaClients & { readonly userId: string; readonly email: string };
let operator: AreaClients;
/** Text that no entry may contain. */
const secrets = new Set<string>();
/** Fields that the log does not know. */
const unclassified: string[] = [];

beforeAll(async () => {
  identity = await openIdentity({ isSignUpOpen: true, onUnclassified: (path) => unclassified.push(path) });
  operator = identity.operator;
  const made = await operator.accounts.createAccount({ name: "Acme" });
  accountId = made.account?.id ?? "";
  // It is the first one, which stays: ids of the same millisecond have no order.
  identity.time.pass(1);
  account = identity.store.forAccount(accountId);
  owner = await newOwner();
});
afterAll(() => identity.close());

const now = () => identity.time.clock.now();
const keep = (...texts: (string | undefined)[]) => {
  for (const text of texts) if (text) secrets.add(text);
};

/** A member with an unused session. */
async function newOwner() {
  const { token, ...user } = await identity.memberOf(accountId);
  keep(token, hashSecret(token));
  return { ...identity.as({ session: token }), ...user };
}

/** Token of the verification link that was sent to an address. */
function linkToken(to: string): string {
  return /\/sender\/(\w+)$/m.exec(identity.mails(to).at(-1)?.text ?? "")?.[1] ?? "";
}

async function newKey(): Promise<string> {
  const { key, secret, password } = await owner.keys.createKey({ name: "shop", kind: "smtp" });
  keep(secret, hashSecret(secret), password, hashSecret(password));
  return key?.id ?? "";
}

/** A template with a published version and a draft. */
async function newTemplate(): Promise<string> {
  const template = { name: `news-${randomUUID()}`, text: "Hello", from: "news@shop.example" };
  await operator.templates.putTemplate({ accountId, template });
  const { revision } = await revisionOf(template.name);
  await owner.templates.saveDraft({ revision, template: { ...template, subject: "Hi" } });
  return template.name;
}

async function revisionOf(name: string): Promise<{ readonly name: string; readonly revision: string }> {
  const { template } = await owner.templates.getTemplate({ name });
  return { name, revision: template?.overview?.revision ?? "" };
}

async function aside(id: string): Promise<string> {
  const waiting = queuedMessage(now(), { _id: id, accountId, nextAttemptAt: now() });
  await identity.store.acrossAccounts.messages.insertMany([waiting]);
  const { bucket } = waiting;
  const note = { _id: id, bucket, accountId, reason: "subject", at: now(), subject: "Kept aside" };
  await identity.store.acrossAccounts.quarantine.add(note);
  return id;
}

async function capture(id: string): Promise<void> {
  const envelope = { traceId: "sx_1", envelopeFrom: "", envelopeTo: [], from: "a@example.com" };
  const expireAt = new Date(now().getTime() + 86_400_000);
  const captured = { ...envelope, id, accountId, subject: "Captured", capturedAt: now(), expireAt };
  keep("what the mail says");
  const source = Buffer.from("what the mail says");
  await identity.store.acrossAccounts.sandbox.insertMissing([{ ...captured, source }]);
}

const relay = (password: string) => {
  keep(password);
  const smtp = { servers: [{ host: "relay.example.com" }], username: "ada", password };
  const transports = [{ kind: { case: "smtp" as const, value: smtp } }];
  const rules = [{ domains: ["example.org"], transports }];
  return { accountId, policy: { name: "relay", default: true, transports, rules } };
};

async function invite(email: string): Promise<string> {
  const { invitation } = await owner.invitations.createInvitation({ email, role: "viewer" });
  const token = identity.tokenTo(email);
  keep(token, hashSecret(token));
  return invitation?.id ?? "";
}

const codeOf = (secret: string) => new TOTP({ secret }).generate({ timestamp: now().getTime() });

/** An owner with an authenticator app and an unused code. */
async function withTotp() {
  const { factors, email } = await newOwner();
  const { secret } = await factors.beginTotp({});
  const { sessionToken, recoveryCodes } = await factors.confirmTotp({ code: codeOf(secret) });
  keep(secret, sessionToken, ...recoveryCodes);
  identity.time.pass(30_000);
  return { ...identity.as({ session: sessionToken }), email, secret };
}

/** An owner with a passkey. */
async function withPasskey() {
  const { factors, email } = await newOwner();
  const device = createAuthenticator();
  const { optionsJson } = await factors.beginPasskey({});
  const responseJson = device.register(optionsJson, { origin: BASE_URL });
  const { sessionToken, recoveryCodes } = await factors.confirmPasskey({ name: "Laptop", responseJson });
  keep(sessionToken, ...recoveryCodes);
  return { ...identity.as({ session: sessionToken }), email, device };
}

const operations: Readonly<Record<string, () => Promise<unknown>>> = {
  "factor.confirm_totp": withTotp,
  "factor.remove_totp": async () => (await withTotp()).factors.removeTotp({}),
  "factor.renew_recovery_codes": async () => {
    const { recoveryCodes } = await (await withTotp()).factors.renewRecoveryCodes({});
    keep(...recoveryCodes);
  },
  "session.show_second_factor": async () => {
    const { email, secret } = await withTotp();
    const { token } = await identity.as({}).sessions.signIn({ email, password: PASSWORD });
    const { sessions } = identity.as({ session: token });
    keep((await sessions.showSecondFactor({ totpCode: codeOf(secret) })).token);
  },
  "factor.confirm_passkey": withPasskey,
  "factor.rename_passkey": async () => {
    const { factors, device } = await withPasskey();
    await factors.renamePasskey({ passkeyId: device.id, name: "Desktop" });
  },
  "factor.remove_passkey": async () => {
    const { factors, device } = await withPasskey();
    await factors.removePasskey({ passkeyId: device.id });
  },
  "session.sign_in_with_passkey": async () => {
    const { device } = await withPasskey();
    const { sessions } = identity.as({});
    const { optionsJson } = await sessions.beginPasskeySignIn({});
    const responseJson = device.prove(optionsJson, { origin: BASE_URL });
    keep((await sessions.signInWithPasskey({ responseJson })).token);
  },
  "user.remove_factors": async () => {
    const { email } = await withTotp();
    await operator.users.removeFactors({ email });
  },
  "account.require_second_factor": async () => {
    const { account: other } = await operator.accounts.createAccount({ name: "Wonka" });
    await operator.accounts.requireSecondFactor({ accountId: other?.id ?? "", required: true });
  },
  "account.create": () => operator.accounts.createAccount({ name: "Globex" }),
  "account.delete": async () => {
    // Ids of the same millisecond have no order, and the first account stays.
    identity.time.pass(1);
    const other = await operator.accounts.createAccount({ name: "Umbrella" });
    await operator.accounts.deleteAccount({ accountId: other.account?.id ?? "" });
  },
  "account.rename": () => owner.accounts.renameAccount({ name: "Acme & Sons" }),
  "user.create": async () => {
    const made = await operator.users.createUser({ accountId, email: "new@example.com" });
    keep(made.password);
  },
  "user.reset_password": async () => {
    const { email } = await newOwner();
    keep((await operator.users.resetPassword({ email })).password);
  },
  "user.change_password": async () => {
    const next = "a quite unheard-of sentence";
    keep(PASSWORD, next);
    const { sessions } = await newOwner();
    keep((await sessions.changePassword({ currentPassword: PASSWORD, newPassword: next })).token);
  },
  "member.change_role": async () => {
    const { userId } = await newOwner();
    await owner.members.changeRole({ user: userId, role: "viewer" });
  },
  "member.sign_out": async () => owner.members.signOutMember({ user: (await newOwner()).userId }),
  "member.remove": async () => owner.members.removeMember({ user: (await newOwner()).userId }),
  "invitation.create": () => invite("one@example.com"),
  "invitation.resend": async () => {
    const invitationId = await invite("two@example.com");
    await owner.invitations.resendInvitation({ invitationId });
    keep(identity.tokenTo("two@example.com"));
  },
  "invitation.revoke": async () =>
    owner.invitations.revokeInvitation({ invitationId: await invite("three@example.com") }),
  "invitation.accept": async () => {
    await invite("four@example.com");
    const token = identity.tokenTo("four@example.com");
    const password = "the sentence of the fourth";
    keep(password);
    const { sessionToken } = await identity.as({}).invitations.acceptInvitation({ token, password });
    keep(sessionToken);
  },
  "invitation.join": async () => {
    const other = await operator.accounts.createAccount({ name: "Hooli" });
    const { token, email } = await identity.memberOf(other.account?.id ?? "");
    await invite(email);
    await identity.as({ session: token }).invitations.joinAccount({ token: identity.tokenTo(email) });
  },
  "user.complete_password_reset": async () => {
    const { email } = await newOwner();
    const { users } = identity.as({});
    await users.requestPasswordReset({ email });
    await identity.settled();
    const [token, newPassword] = [identity.tokenTo(email), "a sentence after forgetting"];
    keep(token, hashSecret(token), newPassword);
    await users.completePasswordReset({ token, newPassword });
  },
  "user.sign_up": async () => {
    const email = "fifth@example.com";
    const { users } = identity.as({});
    await users.requestSignUp({ email });
    await identity.settled();
    const [token, password] = [identity.tokenTo(email), "the sentence of the fifth"];
    keep(token, hashSecret(token), password);
    keep((await users.completeSignUp({ token, password, accountName: "Fifth" })).sessionToken);
  },
  "user.change_email": async () => {
    const { users } = await newOwner();
    const email = "sixth@example.com";
    await users.requestEmailChange({ email });
    await identity.settled();
    const token = identity.tokenTo(email);
    keep(token, hashSecret(token));
    await identity.as({}).users.confirmEmailChange({ token });
  },
  "member.leave": async () => {
    const { users } = await newOwner();
    keep((await users.leaveAccount({ leftAccountId: accountId })).sessionToken);
  },
  "account.create_own": async () => (await newOwner()).users.createOwnAccount({ name: "Aside" }),
  "session.sign_in": async () => {
    const { email } = await newOwner();
    keep((await identity.as({}).sessions.signIn({ email, password: PASSWORD })).token);
  },
  "session.sign_out": async () => (await newOwner()).sessions.signOut({}),
  "session.switch_account": async () => {
    const { userId, email, sessions } = await newOwner();
    const other = await operator.accounts.createAccount({ name: "Initech" });
    const user = { _id: userId, email, passwordHash: "x", createdAt: now() };
    const toAccountId = other.account?.id ?? "";
    await operator.users.createUser({ accountId: toAccountId, email: user.email });
    keep((await sessions.switchAccount({ toAccountId })).token);
  },
  "session.reauthenticate": async () => {
    const { sessions } = await newOwner();
    identity.time.pass(1);
    keep((await sessions.reauthenticate({ password: PASSWORD })).token);
  },
  "session.end": async () => {
    const { userId, email, sessions } = await newOwner();
    keep(await identity.openSession({ _id: userId, email }, accountId));
    const all = await sessions.listSessions({});
    const other = all.sessions.find(({ current }) => !current);
    await sessions.endSession({ sessionId: other?.id ?? "" });
  },
  "session.end_others": async () => {
    const { userId, email, sessions } = await newOwner();
    keep(await identity.openSession({ _id: userId, email }, accountId));
    await sessions.endOtherSessions({});
  },
  "key.create": () => newKey(),
  "key.rename": async () => owner.keys.renameKey({ key: await newKey(), name: "till" }),
  "key.replace_access": async () =>
    owner.keys.replaceKeyAccess({ key: await newKey(), scopeMode: "send_only", senders: ["example.com"] }),
  "key.rotate": async () => {
    const { secret, password } = await owner.keys.rotateKey({ key: await newKey() });
    keep(secret, hashSecret(secret), password, hashSecret(password));
  },
  "key.revoke": async () => owner.keys.revokeKey({ key: await newKey() }),
  "sender.add": () => operator.senders.addSender({ accountId, value: "example.com" }),
  "sender.verify": async () => {
    await owner.senders.verifySender({ value: "news@example.org" });
    const token = linkToken("news@example.org");
    keep(token, hashSecret(token));
  },
  "sender.confirm": () => identity.frontEnd.senders.confirmSender({ token: linkToken("news@example.org") }),
  "sender.remove": () => owner.senders.removeSender({ value: "news@example.org" }),
  "domain.add": async () => {
    await operator.domains.addDomain({ accountId, domain: "example.com" });
    keepPrivateKeys(await account.domainKeys.list("example.com"));
  },
  "domain.rotate_keys": async () => {
    // Selectors are named by their time.
    identity.time.pass(1);
    await operator.domains.rotateDomain({ accountId, domain: "example.com" });
    keepPrivateKeys(await account.domainKeys.list("example.com"));
  },
  "domain.create_link": async () => {
    const { link } = await owner.domains.createDomainLink({ domain: "example.com" });
    const stored = await account.domains.find("example.com");
    keep(link?.token ?? "", stored?.link?.id ?? "");
  },
  "domain.remove_link": () => owner.domains.removeDomainLink({ domain: "example.com" }),
  "domain.remove": async () => {
    await operator.domains.addDomain({ accountId, domain: "example.org" });
    keepPrivateKeys(await account.domainKeys.list("example.org"));
    await operator.domains.removeDomain({ accountId, domain: "example.org" });
  },
  "policy.put": async () => {
    await operator.policies.putPolicy(relay("relay password one"));
    await operator.policies.putPolicy(relay("relay password two"));
  },
  "policy.restore": async () => {
    const { policy } = relay("relay password two");
    await operator.policies.putPolicy({ accountId, policy: { ...policy, priority: "bulk" } });
    await operator.policies.restorePolicy({ accountId, name: "relay", version: 1 });
  },
  "policy.hold": async () => {
    await operator.policies.holdPolicyQueue({ accountId, name: "relay", reason: "The relay is down" });
  },
  "policy.release": async () => {
    await operator.policies.releasePolicyQueue({ accountId, name: "relay" });
  },
  "policy.make_default": async () => {
    const spare = { name: "spare", transports: relay("relay password two").policy.transports };
    await operator.policies.putPolicy({ accountId, policy: spare });
    await operator.policies.makeDefaultPolicy({ accountId, name: "spare" });
    await operator.policies.makeDefaultPolicy({ accountId, name: "relay" });
  },
  "policy.delete": () => operator.policies.deletePolicy({ accountId, name: "spare" }),
  "template.publish": () =>
    operator.templates.putTemplate({
      accountId,
      template: { name: "welcome", subject: "Hi", text: "Hello" },
    }),
  "template.create": () => owner.templates.createTemplate({ template: { name: "news", subject: "Hi" } }),
  "template.duplicate": async () => {
    await owner.templates.duplicateTemplate({ name: await newTemplate(), newName: "copy" });
  },
  "template.save_draft": newTemplate,
  "template.discard_draft": async () => {
    await owner.templates.discardDraft(await revisionOf(await newTemplate()));
  },
  "template.publish_draft": async () => {
    await owner.templates.publishDraft(await revisionOf(await newTemplate()));
  },
  "template.roll_back": async () => {
    const name = await newTemplate();
    await owner.templates.publishDraft(await revisionOf(name));
    await owner.templates.rollBack({ ...(await revisionOf(name)), version: 1 });
  },
  "template.restore_draft": async () => {
    await owner.templates.restoreDraft({ ...(await revisionOf(await newTemplate())), version: 1 });
  },
  "template.put_data_set": async () => {
    const dataSet = { dataSet: "Empty cart", dataJson: "{}" };
    await owner.templates.putDataSet({ ...(await revisionOf(await newTemplate())), ...dataSet });
  },
  "template.put_test_data": async () => {
    const testDataJson = '{"name":"Ada"}';
    await owner.templates.putTestData({ ...(await revisionOf(await newTemplate())), testDataJson });
  },
  "template.send_test": async () => {
    await operator.senders.addSender({ accountId, value: "shop.example" });
    const policy = { name: "sandbox", transports: [{ kind: { case: "sandbox" as const, value: {} } }] };
    await operator.policies.putPolicy({ accountId, policy });
    const name = await newTemplate();
    await owner.templates.sendTest({ name, to: "ada@example.com", routingPolicy: "sandbox" });
  },
  "template.delete": async () => owner.templates.deleteTemplate({ name: await newTemplate() }),
  "suppression.add": () => operator.suppressions.addSuppression({ accountId, address: "bob@example.net" }),
  "suppression.remove": () =>
    operator.suppressions.removeSuppression({ accountId, address: "bob@example.net" }),
  "suppression.add_many": () => owner.suppressions.addSuppressions({ addresses: ["many@example.net"] }),
  "suppression.remove_many": () => owner.suppressions.removeSuppressions({ addresses: ["many@example.net"] }),
  "suppression.remove_matching": async () => {
    const filter = { domain: "matching.example" };
    const { confirmation } = await owner.suppressions.countSuppressionRemoval({ filter });
    await owner.suppressions.beginSuppressionRemoval({ filter, confirmation });
  },
  "suppression.import": () => owner.suppressions.importSuppressions({ csv: "email\nimported@example.net" }),
  "account.change_retention": () => owner.accounts.changeRetention({ contentDays: 3 }),
  "erasure.begin": () => owner.erasures.beginErasure({ recipient: "gone@example.net" }),
  "account.export": async () => {
    for await (const _ of owner.accounts.exportAccount({ bodies: true }));
  },
  "suppression.export": async () => {
    for await (const _ of owner.suppressions.exportSuppressions({}));
  },
  "suppression.unsubscribe": () => {
    const mail = { accountId, policy: "relay", recipient: "eve@example.net", messageId: "msg_1" };
    const token = identity.unsubscribeTokens.encode(mail);
    keep(token);
    return identity.as({}).unsubscribes.unsubscribe({ token });
  },
  "message.cancel": async () => {
    const later = new Date(now().getTime() + 3_600_000);
    const scheduled = queuedMessage(now(), { _id: "msg_cancel", accountId, nextAttemptAt: later });
    await identity.store.acrossAccounts.messages.insertMany([scheduled]);
    await operator.messages.cancelMessage({ accountId, id: scheduled._id });
  },
  "message.retry": async () => {
    const deferred = queuedMessage(now(), {
      _id: "msg_retry",
      accountId,
      state: "deferred",
      nextAttemptAt: new Date(now().getTime() + 3_600_000),
    });
    await identity.store.acrossAccounts.messages.insertMany([deferred]);
    await operator.messages.retryMessage({ accountId, id: deferred._id });
  },
  "message.send": async () => {
    await allowSending(identity, accountId);
    const content = { from: "ada@example.com", subject: "It works", text: "Hello" };
    await owner.messages.sendMessage({ ...content, to: "bob@example.net", routingPolicy: "default" });
  },
  "message.resend": async () => {
    await allowSending(identity, accountId);
    const { _id: id } = await finishedMessage(identity, accountId);
    await owner.messages.resendMessage({ id });
  },
  "message.read_body": async () => {
    const _id = newIdInBucket("msg", now(), 1);
    await identity.store.acrossAccounts.messages.insertMany([queuedMessage(now(), { _id, accountId })]);
    const body = { kind: "raw", source: Buffer.from("Subject: Hello\r\n\r\n") } as const;
    await storeBody(identity, { accountId, messageId: _id }, body);
    await owner.messages.getMessageSource({ id: _id });
  },
  "message.bulk": async () => {
    const bulk = { action: "cancel", filter: { tags: ["spring"] } };
    const { confirmation } = await owner.messages.countBulk({ bulk });
    await owner.messages.beginBulk({ bulk, confirmation });
  },
  "alert_rule.put": () => owner.rules.putRule({ settings: { name: "audited" } }),
  "alert_rule.restore": async () => {
    await owner.rules.putRule({ settings: { name: "audited", description: "changed" } });
    await owner.rules.restoreRule({ name: "audited", version: 1 });
  },
  "alert_rule.send_test": async () => {
    await operator.senders.addSender({ accountId, value: "shop.example" });
    const policy = { name: "sandbox", transports: [{ kind: { case: "sandbox" as const, value: {} } }] };
    await operator.policies.putPolicy({ accountId, policy });
    const notify = { recipients: ["ops@example.net"], from: "alerts@shop.example", routingPolicy: "sandbox" };
    await owner.rules.sendRuleTest({ rule: { name: "tested", notify } });
  },
  "alert_rule.delete": async () => {
    await owner.rules.putRule({ settings: { name: "gone" } });
    await owner.rules.deleteRule({ name: "gone" });
  },
  "silence.create": async () => {
    await silence();
  },
  "silence.change": async () => {
    const endsAt = timestampFromDate(new Date(identity.time.clock.now().getTime() + 7_200_000));
    await owner.silences.changeSilence({ id: await silence(), comment: "longer", endsAt, confirm: true });
  },
  "silence.end": async () => owner.silences.endSilence({ id: await silence() }),
  "heartbeat.create": async () => {
    await newHeartbeat();
  },
  "heartbeat.update": async () => {
    const settings = { name: "hourly", periodSeconds: 3_600, tags: ["backup"], entityId: "db-1" };
    await owner.heartbeats.updateHeartbeat({ id: await newHeartbeat(), settings });
  },
  "heartbeat.pause": async () => owner.heartbeats.pauseHeartbeat({ id: await newHeartbeat() }),
  "heartbeat.resume": async () => {
    const id = await newHeartbeat();
    await owner.heartbeats.pauseHeartbeat({ id });
    await owner.heartbeats.resumeHeartbeat({ id });
  },
  "heartbeat.rotate_token": async () => {
    const { token } = await owner.heartbeats.rotateHeartbeatToken({ id: await newHeartbeat() });
    keep(token, hashSecret(token));
  },
  "heartbeat.delete": async () => owner.heartbeats.deleteHeartbeat({ id: await newHeartbeat() }),
  "inhibition.put": () => inhibition("held"),
  "inhibition.restore": async () => {
    await inhibition("held", ["source"]);
    await owner.silences.restoreInhibition({ name: "held", version: 1 });
  },
  "inhibition.delete": async () => {
    await inhibition("loosened");
    await owner.silences.deleteInhibition({ name: "loosened" });
  },
  "on_call_schedule.put": () => onCall("audited"),
  "on_call_schedule.restore": async () => {
    await onCall("audited", "changed");
    await owner.oncalls.restoreOnCallSchedule({ name: "audited", version: 1 });
  },
  "on_call_schedule.delete": async () => {
    await onCall("gone");
    await owner.oncalls.deleteOnCallSchedule({ name: "gone" });
  },
  "on_call_override.add": async () => {
    await onCallOverride();
  },
  "on_call_override.remove": async () =>
    owner.oncalls.removeOnCallOverride({ name: "audited", id: await onCallOverride() }),
  "on_call_override.swap": async () => {
    await onCall("swapped");
    const midnight = Math.ceil(now().getTime() / 86_400_000) * 24;
    const at = (hours: number) => timestampFromDate(new Date((midnight + hours) * 3_600_000));
    const time = (hours: number) => ({ from: at(hours), until: at(hours + 1) });
    await owner.oncalls.swapOnCallShifts({ name: "swapped", first: time(1), second: time(25) });
  },
  "incident.acknowledge": async () => owner.incidents.acknowledgeIncident({ id: await incident("a") }),
  "incident.resolve": async () => owner.incidents.resolveIncident({ id: await incident("b") }),
  "incident.unacknowledge": async () => {
    const id = await incident("c");
    await owner.incidents.unacknowledgeIncident({ id });
  },
  "incident.snooze": async () => {
    const until = timestampFromDate(new Date(identity.time.clock.now().getTime() + 3_600_000));
    await owner.incidents.snoozeIncident({ id: await incident("d"), until });
  },
  "incident.end_snooze": async () => owner.incidents.endIncidentSnooze({ id: await incident("e") }),
  "incident.assign": async () => owner.incidents.assignIncident({ id: await incident("f"), user: "" }),
  "incident.note": async () => owner.incidents.addIncidentNote({ id: await incident("g"), text: "On it." }),
  "incident.reopen": async () => owner.incidents.reopenIncident({ id: await incident("h") }),
  "incident.bulk": async () => {
    const bulk = { action: "acknowledge", filter: { rule: "nothing" } };
    const { confirmation } = await owner.incidents.countIncidentBulk({ bulk });
    await owner.incidents.beginIncidentBulk({ bulk, confirmation });
  },
  "alert_target.create": async () => {
    const headers = [{ name: "X-Key", value: "their-own-token" }];
    const { secret } = await owner.targets.createTarget({
      kind: "webhook",
      settings: { name: "audited", url: "https://shop.example.com/secret-path", headers },
    });
    keep(secret, "their-own-token", "secret-path");
  },
  "alert_target.replace": async () => {
    const settings = { name: "renamed", url: "https://shop.example.com/other-path" };
    await owner.targets.replaceTarget({ ...(await alertTarget()), settings });
    keep("other-path");
  },
  "alert_target.rotate": async () => {
    const { secret } = await owner.targets.rotateTargetSecret(await alertTarget());
    keep(secret);
  },
  "alert_target.delete": async () => owner.targets.deleteTarget(await alertTarget()),
  "webhook.create": async () => {
    const { secret } = await owner.webhooks.createWebhook({
      settings: { url: "https://shop.example.com/a", headers: [{ name: "X-Key", value: "their-own-token" }] },
    });
    keep(secret, "their-own-token");
  },
  "webhook.replace": async () =>
    owner.webhooks.replaceWebhook({ ...(await endpoint()), settings: { url: "https://shop.example.com/b" } }),
  "webhook.restore": async () => {
    const { id } = await endpoint();
    await owner.webhooks.replaceWebhook({ id, settings: { url: "https://shop.example.com/b" } });
    await owner.webhooks.restoreWebhook({ id, version: 1 });
  },
  "webhook.disable": async () => owner.webhooks.disableWebhook(await endpoint()),
  "webhook.enable": async () => {
    const asked = await endpoint();
    await owner.webhooks.disableWebhook(asked);
    await owner.webhooks.enableWebhook(asked);
  },
  "webhook.rotate": async () => {
    const { secret } = await owner.webhooks.rotateWebhookSecret(await endpoint());
    keep(secret);
  },
  "webhook.delete": async () => owner.webhooks.deleteWebhook(await endpoint()),
  "webhook.replay": async () => {
    const told = deliveryDocument({ accountId });
    await webhookCollections(identity.db).deliveries.insertOne(told);
    await owner.deliveries.replayDelivery({ id: told._id });
  },
  "webhook.retry": async () => {
    const dueAt = new Date(now().getTime() + 3_600_000);
    const waiting = deliveryDocument({ _id: "wep_1.waits", accountId, state: "pending", dueAt });
    await webhookCollections(identity.db).deliveries.insertOne(waiting);
    await owner.deliveries.retryDelivery({ id: waiting._id });
  },
  "webhook.retry_many": async () => {
    const { id: endpointId } = await endpoint();
    await owner.deliveries.retryDeliveries({ endpointId });
  },
  "webhook.replay_many": async () => {
    const { id: endpointId } = await endpoint();
    await owner.deliveries.beginReplays({ replays: { endpointId } });
  },
  "workspace.create": () => owner.workspaces.createWorkspace({ name: "Agency" }),
  "workspace.rename": async () => {
    const { workspace } = await owner.workspaces.createWorkspace({ name: "Agency" });
    await owner.workspaces.renameWorkspace({ id: workspace?.id ?? "", name: "Renamed" });
  },
  "client.create": async () => {
    await newClient();
  },
  "client.update": async () =>
    owner.workspaces.updateClient({ id: await newClient(), settings: { name: "Renamed" }, archived: true }),
  "watched_domain.add": async () => {
    await newWatchedDomain();
  },
  "watched_domain.update": async () =>
    owner.watches.updateWatchedDomain({ id: await newWatchedDomain(), settings: { paused: true } }),
  "watched_domain.mute": async () => {
    const until = timestampFromDate(new Date(now().getTime() + 3_600_000));
    await owner.watches.muteCheck({ id: await newWatchedDomain(), checkId: "auth.spf.exists", until });
  },
  "watched_domain.import": async () => {
    const csv = "client,domain\nImported,imported.example.com";
    const { confirmation } = await owner.watches.previewWatchImport({ csv });
    await owner.watches.beginWatchImport({ csv, confirmation });
  },
  "watched_domain.bulk": async () => {
    const bulk = { ids: [await newWatchedDomain()], action: "pause" };
    const { confirmation } = await owner.watches.countWatchBulk({ bulk });
    await owner.watches.beginWatchBulk({ bulk, confirmation });
    const removal = { ids: [await newWatchedDomain()], action: "remove" };
    const counted = await owner.watches.countWatchBulk({ bulk: removal });
    await owner.watches.beginWatchRemoval({ bulk: removal, confirmation: counted.confirmation });
  },
  "client.remove": async () => owner.workspaces.removeClient({ id: await newClient() }),
  "watched_domain.remove": async () => owner.watches.removeWatchedDomain({ id: await newWatchedDomain() }),
  "schedule.create": async () => {
    await newSchedule();
  },
  "schedule.update": async () =>
    owner.schedules.updateSchedule({ id: await newSchedule(), settings: await settingsOfSchedule(true) }),
  "schedule.delete": async () => owner.schedules.deleteSchedule({ id: await newSchedule() }),
  "schedule.run": async () => owner.schedules.runSchedule({ id: await newSchedule() }),
  "report.generate": async () => {
    await newWatchedDomain();
    const { secret } = await owner.keys.createKey({ name: "agency", kind: "deliverability" });
    keep(secret, hashSecret(secret));
    await identity.frontEnd.intel.generateReport({
      holder: { apiKey: secret, clientAddress: "192.0.2.1" },
      scope: { type: "workspace" },
    });
  },
  "report.create_link": async () => {
    await newReportLink();
  },
  "report.revoke_link": async () => owner.reports.revokeReportLink({ id: await newReportLink() }),
  "report.delete": async () => owner.reports.deleteReport({ id: await newReport() }),
  "label.put": async () => owner.labels.putLabel({ id: await newClient(), settings: labelSettings }),
  "label.delete": async () => {
    const id = await newClient();
    await owner.labels.putLabel({ id, settings: labelSettings });
    await owner.labels.deleteLabel({ id });
  },
  "job.cancel": async () => {
    const job = { kind: "test.none", params: {}, about: {}, permission: "messages.write" };
    const { _id: id } = await beginJob(account, job, { audit: { ...testAudit, now } });
    await operator.jobs.cancelJob({ accountId, id });
  },
  "message.export": async () => {
    for await (const _ of owner.messages.exportMessages({}));
  },
  "quarantine.release": async () =>
    operator.messages.releaseQuarantinedMessage({ accountId, id: await aside("msg_release") }),
  "quarantine.drop": async () =>
    operator.messages.dropQuarantinedMessage({ accountId, id: await aside("msg_drop") }),
  "queue.hold": async () => operator.queues.holdQueue({ selection: { accountId, policy: "held" } }),
  "queue.release": async () => {
    const selection = { accountId, policy: "released" };
    await operator.queues.holdQueue({ selection });
    await operator.queues.releaseQueue({ selection });
  },
  "queue.purge": async () => operator.queues.purgeQueue({ accountId, destination: "purged.example" }),
  "sandbox.read": async () => {
    await capture("msg_read");
    await operator.sandbox.getSandboxMessage({ accountId, id: "msg_read" });
  },
  "sandbox.remove": async () => {
    await capture("msg_remove");
    await owner.sandbox.removeSandboxMessage({ id: "msg_remove" });
  },
  "sandbox.clear": async () => {
    await capture("msg_clear");
    await operator.sandbox.clearSandboxMessages({ accountId });
  },
  "secret.rotate": () => operator.secrets.rotateSecrets({}),
  "backup.begin": () => operator.backups.backUp({ file: "/tmp/copy", begin: true }),
  "audit.export": async () => {
    for await (const _ of owner.audits.exportEntries({}));
  },
};

async function newClient(): Promise<string> {
  const settings = { name: `Client ${randomUUID()}` };
  const { client } = await owner.workspaces.createClient({ settings });
  return client?.id ?? "";
}

async function newWatchedDomain(): Promise<string> {
  const { domain } = await owner.watches.addWatchedDomain({
    clientId: await newClient(),
    name: `n${randomUUID()}.example`,
  });
  return domain?.id ?? "";
}

const labelSettings = { name: "Acme", color: "#0b5394", logo: whitePixel };

async function newReport(): Promise<string> {
  const scope = { type: "domain", id: await newWatchedDomain() };
  const { report } = await owner.reports.createReport({ scope, idempotencyKey: randomUUID() });
  return report?.id ?? "";
}

async function newReportLink(): Promise<string> {
  const { link, token } = await owner.reports.createReportLink({
    id: await newReport(),
    note: "For the board",
  });
  keep(token);
  return link?.id ?? "";
}

async function settingsOfSchedule(paused: boolean) {
  await allowSending(identity, accountId);
  const scope = { type: "client", id: await newClient() };
  return { name: "Weekly report", scope, cadence: "weekly", from: "reports@example.com", paused };
}

async function newSchedule(): Promise<string> {
  const { schedule } = await owner.schedules.createSchedule({ settings: await settingsOfSchedule(false) });
  return schedule?.id ?? "";
}

async function newHeartbeat(): Promise<string> {
  const settings = { name: "nightly backup", cron: "5 2 * * *", timezone: "Europe/Berlin" };
  const { heartbeat, token } = await owner.heartbeats.createHeartbeat({ settings });
  keep(token, hashSecret(token));
  return heartbeat?.id ?? "";
}

async function silence(): Promise<string> {
  const endsAt = timestampFromDate(new Date(identity.time.clock.now().getTime() + 3_600_000));
  const made = await owner.silences.createSilence({ comment: "maintenance", endsAt, confirm: true });
  return made.silence?.id ?? "";
}

async function inhibition(name: string, equal: string[] = []): Promise<void> {
  const value = create(ValueSchema, { kind: { case: "stringValue", value: "down" } });
  const side = { match: [{ field: "event_type", op: "eq", value }] };
  await owner.silences.putInhibition({ name, source: side, target: side, equal });
}

const inHours = (hours: number) => timestampFromDate(new Date(now().getTime() + hours * 3_600_000));

async function onCall(name: string, description = ""): Promise<void> {
  const layer = {
    name: "Daily",
    participants: [{ address: "ada@example.net" }, { address: "bob@example.net" }],
    startsAt: timestampFromDate(new Date("2026-01-01T00:00:00Z")),
    timeZone: "UTC",
    shift: { length: 1, unit: "day" },
  };
  const settings = { name, description, layers: [layer], fallbackRecipients: ["ops@example.net"] };
  await owner.oncalls.putOnCallSchedule({ settings });
}

async function onCallOverride(): Promise<string> {
  await onCall("audited");
  const times = { from: inHours(1), until: inHours(2) };
  const participant = { address: "eve@example.net" };
  const added = await owner.oncalls.addOnCallOverride({ name: "audited", participant, ...times });
  return added.override?.id ?? "";
}

async function incident(entityId: string): Promise<string> {
  await owner.rules.putRule({ settings: { name: "all" } });
  const alert = { eventType: "e", severity: "info", source: "s", message: "m", entityId };
  const { outcome } = await operator.alerts.sendAlert({ accountId, alert });
  return outcome?.incidentIds.at(-1) ?? "";
}

let alertTargets = 0;

async function alertTarget(): Promise<{ readonly id: string }> {
  const settings = { name: `target-${alertTargets++}`, url: "https://shop.example.com/alerts" };
  const { target } = await owner.targets.createTarget({ kind: "webhook", settings });
  return { id: target?.id ?? "" };
}

async function endpoint(): Promise<{ readonly id: string }> {
  const settings = { url: "https://shop.example.com/hooks" };
  const { webhook } = await owner.webhooks.createWebhook({ settings });
  return { id: webhook?.id ?? "" };
}

function keepPrivateKeys(keys: readonly { readonly privateKey: string }[]): void {
  // Lines of a PEM file, also in JSON.
  for (const { privateKey } of keys) keep(...privateKey.split("\n").filter((line) => /^\S{32,}$/.test(line)));
}

/** Operations that are tested elsewhere, with the test. */
const elsewhere = [
  // test/core/alerts.test.ts
  "incident.follow_link",
  "suppression.report",
  // test/core/oidc.test.ts
  "session.finish_oidc",
  "factor.unlink_identity",
];

const entriesOf = (action: string) =>
  identity.db.collection<AuditEntryDocument>("auditEntries").find({ action }).toArray();

it("every action is tested", () => {
  const actions = areas.flatMap(({ audits }) =>
    Object.values(audits).flatMap(({ kind, action }) => (kind === "none" ? [] : (action ?? []))),
  );
  expect([...Object.keys(operations), ...elsewhere].sort()).toEqual([...new Set(actions)].sort());
});

it.each(Object.entries(operations))(
  "%s writes an entry with the actor, the change and the client",
  async (action, run) => {
    const before = new Set((await entriesOf(action)).map(({ _id }) => _id));
    await run();
    const entries = (await entriesOf(action)).filter(({ _id }) => !before.has(_id));
    expect(entries.length).toBeGreaterThan(0);
    for (const entry of entries) {
      expect(entry.actor.name).not.toBe("");
      expect(entry.clientAddress).toMatch(/^(192\.0\.2\.1|127\.0\.0\.1)$/);
      expect(entry.traceId).toMatch(/^sx_/);
      expect(entry.outcome).toBe(
        /^(sandbox\.read|message\.read_body|backup|audit|suppression\.export|message\.export|account\.export)/.test(
          action,
        )
          ? "read"
          : "changed",
      );
    }
  },
);

it("every entry names its target, its owner and the fields that changed", async () => {
  const entries = identity.db.collection<AuditEntryDocument>("auditEntries").find().sort({ _id: 1 });
  const lines = new Set(shownEntries(await entries.toArray()));
  await expect(`${[...lines].sort().join("\n")}\n`).toMatchFileSnapshot("./expected/audit-entries.txt");
});

it("no entry contains a secret, and every field has a class", async () => {
  const text = JSON.stringify(await identity.db.collection("auditEntries").find().toArray());
  expect(secrets.size).toBeGreaterThan(30);
  expect([...secrets].filter((secret) => text.includes(JSON.stringify(secret).slice(1, -1)))).toEqual([]);
  // The search works: it finds text that exists.
  expect(text).toContain("relay.example.com");
  expect(unclassified).toEqual([]);
});

it("a changed password of a relay is an entry, and an unchanged one is not", async () => {
  await operator.policies.putPolicy(relay("relay password three"));
  const [changed] = await account.audit.list({ actions: ["policy.put"], limit: 1 });
  expect(changed?.changes).toEqual([
    { field: "transports.0.password", secret: true },
    { field: "rules.0.transports.0.password", secret: true },
  ]);
  await operator.policies.putPolicy(relay("relay password three"));
  const [latest] = await account.audit.list({ actions: ["policy.put"], limit: 1 });
  expect(latest?._id).toBe(changed?._id);
});

it("a policy with former passwords that cannot be decrypted writes an entry, too", async () => {
  const blind = createStore(identity.db, sealingWith("08".repeat(32))).forAccount(accountId);
  const former = await account.policies.find("relay");
  if (!former) throw new Error("there is no policy");
  const { _id, accountId: _, ...content } = former;
  await blind.policies.replace("relay", () => content, { ...testAudit, action: "policy.put" });
  const [entry] = await account.audit.list({ actions: ["policy.put"], limit: 1 });
  expect(entry?.changes).toHaveLength(2);
  expect(entry?.changes.every(({ secret }) => secret)).toBe(true);
});
