#!/usr/bin/env node
// Makes the fixture of this release's database: test/fixtures/databases/<version>/. Run it once, when a version is
// released, and commit what it writes: the test of upgrades (test/flow/upgrades.test.ts) opens every one of them.
//
//   npm run build && node scripts/make-database-fixture.js [a folder to write to instead]
//
// A running Hermod makes it: an account with keys, senders, policies and templates, and messages in every state. Its
// clock stands in 2025 and what it stores is kept for a hundred years, so that a fixture does not age.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createTransport } from "nodemailer";
import { copyDatabase, startHermod, startInternet, withStore } from "./fixture-world.js";
import { FREE_PORTS } from "./free-ports.js";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const target = process.argv[2] ?? new URL(`../test/fixtures/databases/${version}`, import.meta.url).pathname;
if (existsSync(target)) {
  console.error(`${target} is there: the database of a release is never made anew.`);
  process.exit(1);
}
const MADE_AT = new Date("2025-01-01T12:00:00Z");
/** With its text so many times, it lies in chunks. */
const LARGE = { text: "All work and no play. " };
const IN_2099 = "2099-01-01T00:00:00.000Z";

/** With these settings it was made, and is opened. */
const SETTINGS = {
  HERMOD_SECRET_KEYS: "5ec2e7".padEnd(64, "0"),
  HERMOD_MESSAGE_RETENTION_DAYS: "36500",
  HERMOD_CONTENT_RETENTION_DAYS: "36500",
  HERMOD_MAX_AGE_HOURS: "870000",
  HERMOD_SANDBOX_RETENTION_HOURS: "870000",
  HERMOD_IDEMPOTENCY_HOURS: "870000",
  HERMOD_SUPPRESSION_DAYS: "0",
  HERMOD_SEND_AT_MAX_DAYS: "36500",
};

const folder = mkdtempSync(path.join(tmpdir(), "hermod-fixture-"));
const dataDir = path.join(folder, "data");
const internet = await startInternet();
const clockMs = MADE_AT.getTime() - Date.now();
const settings = {
  HERMOD_DATA_DIR: dataDir,
  ...FREE_PORTS,
  ...internet.settings,
  ...SETTINGS,
};

/** The submissions with an idempotency key, and their answers: by HTTP, and by SMTP. */
const submissions = [];
const relayed = [];

/** Sends by HTTP, under an idempotency key of this name; the text is there so many times. */
async function send({ firstRun }, name, changes, repeatText = 1) {
  const request = {
    from: "hello@example.com",
    to: "ada@example.org",
    subject: `Message ${name}`,
    text: "Hello, Ada.",
    routing_policy: "direct",
    ...changes,
  };
  const response = await fetch(`${firstRun.base_url}/v1/email/send`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": firstRun.api_key, "idempotency-key": name },
    body: JSON.stringify({ ...request, text: request.text?.repeat(repeatText) }),
  });
  const answer = await response.json();
  if (response.status !== 202) throw new Error(`${name}: ${JSON.stringify(answer)}`);
  submissions.push({ idempotencyKey: name, request, repeatText, answer });
  return answer.message_id;
}

/** Sends by SMTP, to several. */
async function relay({ firstRun }, name, to) {
  const { host, port, username: user, password: pass } = firstRun.smtp;
  const transport = createTransport({ host, port, auth: { user, pass }, tls: { rejectUnauthorized: false } });
  const source = [
    "From: hello@example.com",
    `To: ${to.join(", ")}`,
    `Subject: Message ${name}`,
    "Date: Wed, 01 Jan 2025 12:00:00 +0000",
    `Message-ID: <${name}@example.com>`,
    "X-Service-Policy: direct",
    `X-Idempotency-Key: ${name}`,
    "",
    "Hello by SMTP.",
    "",
  ].join("\r\n");
  const { response } = await transport.sendMail({ envelope: { from: "hello@example.com", to }, raw: source });
  transport.close();
  relayed.push({ to, source, response });
}

async function listAll({ core }) {
  return (await core.messages.listMessages({ pageSize: 1000 })).messages;
}

async function until(what, isSo) {
  for (const deadline = Date.now() + 60_000; !(await isSo()); await sleep(50)) {
    if (Date.now() > deadline) throw new Error(`${what}: it did not happen`);
  }
}

/** Keys, senders, policies, templates and what is suppressed, made as an operator makes them. */
async function fill({ core }) {
  const key = (name, fields) => core.keys.createKey({ name, kind: "account", ...fields });
  const sendOnly = await key("shop", { scopeMode: "send_only", senders: ["example.com"] });
  const revoked = await key("left over", { scopeMode: "full" });
  await core.keys.revokeKey({ key: revoked.key.id });
  const credential = await core.keys.createKey({ name: "printer", kind: "smtp" });
  await core.senders.addSender({ value: "example.com" });
  await core.domains.addDomain({ domain: "example.com" });
  const putPolicy = (name, kind, fields = {}) =>
    core.policies.putPolicy({ policy: { name, transports: [{ kind }], ...fields } });
  await putPolicy("direct", { case: "direct", value: {} }, { priority: "transactional" });
  const servers = [{ host: "relay.example.net", port: 587 }];
  await putPolicy("relay", {
    case: "smtp",
    value: { servers, username: "ada", password: "s3cret-of-the-relay" },
  });
  const welcome = { name: "welcome", from: "hello@example.com", text: "Welcome, {{ name }}.\n" };
  await core.templates.putTemplate({ template: { ...welcome, subject: "Hello" } });
  await core.templates.putTemplate({ template: { ...welcome, subject: "Message template" } });
  await core.suppressions.addSuppression({ address: "never@example.org", reason: "manual" });
  return {
    sendOnlyKey: sendOnly.secret,
    revokedKey: revoked.secret,
    smtp: { username: credential.secret, password: credential.password },
  };
}

/** A message that no worker can read: it is due when the next one starts. */
async function damage(hermod) {
  const id = await send(hermod, "quarantined", { send_at: IN_2099 });
  const changes = { sizeBytes: "many", nextAttemptAt: new Date(MADE_AT.getTime() - 60_000) };
  await withStore(dataDir, (db) => db.collection("messages").updateOne({ _id: id }, { $set: changes }));
}

/** Messages in every state that an attempt leads to, and those that wait for none. */
async function deliver(hermod) {
  await send(hermod, "captured", { routing_policy: "sandbox" });
  await send(hermod, "delivered", {
    to: ["Ada <ada@example.org>", "bob@example.org"],
    html: "<p>Hello, Ada.</p>",
    tags: ["first"],
    metadata: { order: "1001" },
    attachments: [{ filename: "a.txt", content: Buffer.from("attached").toString("base64") }],
  });
  await send(hermod, "delivered-large", LARGE, 70_000);
  await send(hermod, "template", {
    subject: undefined,
    text: undefined,
    from: undefined,
    template: "welcome",
    template_data: { name: "Ada" },
  });
  await relay(hermod, "delivered-by-smtp", ["ada@example.org", "eve@example.org"]);
  await send(hermod, "bounced", { to: "gone@example.org" });
  await send(hermod, "suppressed", { to: "never@example.org" });
  await send(hermod, "deferred", { to: "later@example.org" });
  await send(hermod, "scheduled", { send_at: IN_2099 });
  const cancelled = await send(hermod, "cancelled", { send_at: IN_2099 });
  await hermod.core.messages.cancelMessage({ id: cancelled });
  await until("nothing is queued", async () =>
    (await listAll(hermod)).every(({ state }) => state !== "queued"),
  );
  await until("quarantine", async () => {
    const { messages } = await hermod.core.messages.listQuarantinedMessages({});
    return messages.length === 1;
  });
}

/** Messages that were accepted while no worker ran. */
async function queue(hermod) {
  await send(hermod, "queued", { to: "bob@example.org" });
  await send(hermod, "queued-large", LARGE, 70_000);
  await send(hermod, "queued-sandbox", { routing_policy: "sandbox" });
  await relay(hermod, "queued-by-smtp", ["bob@example.org", "eve@example.org"]);
}

try {
  let hermod = await startHermod("core,edge,smtp", settings, clockMs);
  const credentials = await fill(hermod);
  await damage(hermod);
  await hermod.stop();
  hermod = await startHermod("all", settings, clockMs);
  await deliver(hermod);
  await hermod.stop();
  hermod = await startHermod("core,edge,smtp", settings, clockMs);
  await queue(hermod);
  const { messages: quarantined } = await hermod.core.messages.listQuarantinedMessages({});
  const readable = (await listAll(hermod)).filter(({ id }) => quarantined.every((one) => one.id !== id));
  const messages = [];
  for (const { id, traceId, state, recipient, subject } of readable.reverse()) {
    const { timeline } = await hermod.core.messages.getMessage({ id });
    messages.push({ id, traceId, state, recipient, subject, timeline: timeline.map(({ kind }) => kind) });
  }
  const { domain } = await hermod.core.domains.getDomain({ domain: "example.com" });
  const { schema } = await hermod.core.status.getStatus({});
  const { firstRun } = hermod;
  await hermod.stop();

  mkdirSync(target, { recursive: true });
  const copied = await copyDatabase(dataDir, target);
  const contents = {
    version,
    schemaVersion: schema.version,
    madeAt: MADE_AT,
    settings: SETTINGS,
    firstRun,
    credentials,
    submissions,
    relayed,
    messages,
    quarantined: quarantined.map(({ id, reason }) => ({ id, reason })),
    dkim: domain.keys.map(({ selector, recordValue }) => ({ selector, recordValue })),
  };
  writeFileSync(path.join(target, "contents.json"), `${JSON.stringify(contents, null, 2)}\n`);
  console.log(`${target}: ${copied.documents} documents in ${copied.collections} collections`);
} finally {
  await internet.close();
  rmSync(folder, { recursive: true, force: true });
}
