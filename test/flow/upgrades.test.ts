import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import nodemailer from "nodemailer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { version as program } from "../../src/config.ts";
import { FIRST_SCHEMA_VERSION, migrations } from "../../src/store/migrations/migrations.ts";
import { copyFixture, type FixtureContents, fixtureVersions } from "../harness/database-fixture.ts";
import { type FakeMx, startFakeMx } from "../harness/fake-mx.ts";
import { email, post, postUntilStored } from "../harness/http.ts";
import { type SharedStore, startSharedStore } from "../harness/shared-store.ts";
import {
  eventually,
  type Hermod,
  newSettings,
  removeData,
  runToEnd,
  startHermod,
} from "../harness/start-hermod.ts";
import { withStore } from "../harness/store-client.ts";
import { allMessages, tally } from "../harness/stored.ts";

const WAITING = ["queued", "deferred"];
const NEWEST = migrations.at(-1)?.version ?? FIRST_SCHEMA_VERSION;

it("has a database of a release, and the script that creates one of the current release", async () => {
  expect(fixtureVersions).toContain("0.1.0");
  const folder = await mkdtemp(path.join(tmpdir(), "hermod-fixture-"));
  try {
    const target = path.join(folder, "made");
    const env = { PATH: process.env.PATH };
    await promisify(execFile)(process.execPath, ["scripts/make-database-fixture.js", target], { env });
    const read = async (file: string) =>
      JSON.parse(await readFile(path.join(file, "contents.json"), "utf8")) as FixtureContents;
    const made = await read(target);
    const { messages, submissions } = await read("test/fixtures/databases/0.1.0");
    expect(made.schemaVersion).toBe(NEWEST);
    expect(made.submissions.length).toBeGreaterThanOrEqual(submissions.length);
    const states = new Set(made.messages.map(({ state }) => state));
    for (const { state } of messages) expect(states).toContain(state);
    expect((await readdir(target)).sort()).toEqual(["contents.json", "dump.bson.gz", "hermod.sqlite.gz"]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

describe.each(fixtureVersions)("the database of %s", (version) => {
  let mx: FakeMx;
  let contents: FixtureContents;
  let env: NodeJS.ProcessEnv;
  let hermod: Hermod;

  beforeAll(async () => {
    mx = await startFakeMx();
    ({ env, contents } = await copyFixture(version));
    hermod = await startHermod({ env, settings: mx.settings });
  });
  afterAll(async () => {
    await hermod?.dispose();
    await mx?.close();
    await removeData(env);
  });

  it("has the newest schema version after it is opened", async () => {
    const note = await withStore(hermod, (db) => db.collection("schema").findOne({ version: { $gte: 1 } }));
    expect(note?.version).toBe(NEWEST);
  });

  it("reports its schema, its migrations and its process", async () => {
    const status = await hermod.core.status.getStatus({});
    expect(status.schema).toMatchObject({ version: NEWEST, knownVersion: NEWEST, madeBy: program });
    const { schemaVersion = FIRST_SCHEMA_VERSION } = contents;
    const needed = migrations.filter((one) => one.version > schemaVersion);
    expect(status.migrations.map((one) => one.version)).toEqual(needed.map((one) => one.version));
    const [process, ...others] = status.processes;
    expect(others).toEqual([]);
    expect(process).toMatchObject({ knownVersion: NEWEST, roles: expect.anything() });
    // With the commit of the build, if it is known.
    expect(process?.program.split("+")[0]).toBe(program);
    expect(status.queue).toMatchObject({ partitions: 64, quarantined: contents.quarantined.length });
    const metrics = await (await fetch(`${hermod.adminUrl}/metrics`)).text();
    expect(metrics).toMatch(/^hermod_unfinished_migrations \d+$/m);
  });

  const of = (...states: string[]) => contents.messages.filter(({ state }) => states.includes(state));
  const message = async (id: string) => (await hermod.core.messages.getMessage({ id })).message;
  const bySubject = () =>
    tally(mx.received.flatMap(({ source }) => /^Subject: (.*?)\r$/m.exec(source.toString())?.[1] ?? ""));
  const delivered = (id: string) =>
    eventually(async () => ((await message(id))?.state === "delivered" ? true : undefined));

  async function expectMessages(): Promise<void> {
    for (const { id, state, timeline, ...rest } of contents.messages) {
      const found = await hermod.core.messages.getMessage({ id });
      expect(found.message).toMatchObject({ id, ...rest });
      if (!WAITING.includes(state)) expect(found.message?.state).toBe(state);
      expect(found.timeline.map(({ kind }) => kind).slice(0, timeline.length)).toEqual(timeline);
    }
    const listed = (await allMessages(hermod)).map(({ id }) => id);
    expect(listed).toEqual(expect.arrayContaining(contents.messages.map(({ id }) => id)));
    const { messages } = await hermod.core.messages.listQuarantinedMessages({});
    expect(messages).toMatchObject(contents.quarantined);
  }

  it("has every message by its id, with its outcome", expectMessages);

  it("allows its user to sign in, as the owner of the account", async () => {
    const { email, password } = contents.firstRun.dashboard;
    const { token } = await hermod.core.sessions.signIn({ email, password });
    const client = { session: token, clientAddress: "", clientAgent: "" };
    const { accountId, memberships } = await hermod.core.onBehalfOf(client).sessions.getSession({});
    expect(memberships).toMatchObject([{ accountId, role: "owner" }]);
  });

  it("delivers queued messages once", async () => {
    for (const { id } of of(...WAITING)) {
      await eventually(async () =>
        ["delivered", "captured"].includes((await message(id))?.state ?? "") ? true : undefined,
      );
    }
    const toTheirServer = of(...WAITING).filter(({ subject }) => subject !== "Message queued-sandbox");
    expect(toTheirServer.length).toBeGreaterThan(3);
    expect(bySubject()).toEqual(tally(toTheirServer.map(({ subject }) => subject)));
  });

  async function expectReplays(): Promise<void> {
    const kept = contents.quarantined.map(({ id }) => id);
    for (const { idempotencyKey, request, repeatText, answer } of contents.submissions) {
      if (kept.includes(answer.message_id)) continue;
      const body = { ...request, text: request.text?.repeat(repeatText) };
      const retry = await postUntilStored(hermod, body, idempotencyKey);
      expect(retry.accepted).toEqual(answer);
      expect(retry.headers.get("idempotent-replayed")).toBe("true");
    }
    for (const { to, source, response } of contents.relayed) {
      const relayed = await eventually(() => relay(to, source).catch(putOff));
      expect(relayed).toBe(response);
    }
  }

  it("answers a retry with the stored answer", expectReplays);

  it("has the same messages and answers after its background migrations", async () => {
    await eventually(async () => {
      const status = await hermod.core.status.getStatus({});
      return status.migrations.every(({ state }) => state === "done") ? true : undefined;
    });
    await expectReplays();
    await expectMessages();
  });

  /** 451: the store was unavailable for a moment, and the same submission is repeated. */
  function putOff(error: { readonly responseCode?: number }): undefined {
    if (error.responseCode !== 451) throw error;
  }

  async function relay(to: readonly string[], raw: string): Promise<string> {
    const { host, port } = hermod.firstRun.smtp;
    const { username: user, password: pass } = contents.credentials.smtp;
    const own = contents.firstRun.smtp;
    // A submission is repeated with its original key.
    const auth = raw.includes("X-Idempotency-Key")
      ? { user: own.username, pass: own.password }
      : { user, pass };
    const transport = nodemailer.createTransport({ host, port, auth, tls: { rejectUnauthorized: false } });
    try {
      const sent = await transport.sendMail({ envelope: { from: "hello@example.com", to: [...to] }, raw });
      return sent.response;
    } finally {
      transport.close();
    }
  }

  it("allows its keys to send, signed with its DKIM keys, but no revoked key", async () => {
    const { sendOnlyKey, revokedKey } = contents.credentials;
    const body = email({ routing_policy: "direct", subject: "New by HTTP", from: "any@example.com" });
    expect((await post(hermod, body, { key: revokedKey })).status).toBe(401);
    const sent = await post(hermod, body, { key: sendOnlyKey });
    expect(sent.status).toBe(202);
    await delivered(sent.accepted.message_id);
    const source = mx.received.find((one) => one.source.includes("New by HTTP"))?.source.toString() ?? "";
    for (const { selector } of contents.dkim) expect(source).toContain(`s=${selector};`);
    const { domain } = await hermod.core.domains.getDomain({ domain: "example.com" });
    expect(domain?.keys).toMatchObject(contents.dkim);

    const raw =
      "From: hello@example.com\r\nSubject: New by SMTP\r\nX-Service-Policy: direct\r\n\r\nHello.\r\n";
    expect(await relay(["ada@example.org"], raw)).toContain("queued as");
    await eventually(async () => (bySubject().has("New by SMTP") ? true : undefined));
  });

  it("sends nothing to suppressed addresses, and uses its templates and policies", async () => {
    for (const to of ["never@example.org", "gone@example.org"]) {
      const { accepted } = await post(hermod, email({ to, routing_policy: "direct" }));
      await eventually(async () =>
        (await message(accepted.message_id))?.state === "suppressed" ? true : undefined,
      );
    }
    const filled = { to: "ada@example.org", template: "welcome", template_data: { name: "Eve" } };
    const { accepted } = await post(hermod, { ...filled, routing_policy: "direct" });
    await delivered(accepted.message_id);
    expect(bySubject().get("Message template")).toBe(1);
    const { policy } = await hermod.core.policies.getPolicy({ name: "relay" });
    expect(policy?.transports).toMatchObject([{ kind: { value: { username: "ada" } } }]);
  });

  it("has the history of its templates, and accepts drafts of them", async () => {
    const { templates } = hermod.core;
    const { versions } = await templates.listVersions({ name: "welcome" });
    expect(versions).toMatchObject([
      { version: 2, published: true, publishedBy: "" },
      { version: 1, published: false },
    ]);
    const { template: seen } = await templates.getTemplate({ name: "welcome" });
    const draft = { name: "welcome", subject: "Draft", text: "Hello" };
    const revision = seen?.overview?.revision ?? "";
    const { template } = await templates.saveDraft({ revision, template: draft });
    expect(template?.overview).toMatchObject({ publishedVersion: 2, draftSavedBy: "operator" });
  });

  it("opens a second time, cancels scheduled messages, and sends nothing again", async () => {
    const before = bySubject();
    await hermod.stop();
    hermod = await hermod.restart();
    for (const { id } of of("scheduled")) await hermod.core.messages.cancelMessage({ id });
    const { accepted } = await post(hermod, email({ routing_policy: "direct", subject: "The last" }));
    await delivered(accepted.message_id);
    expect(bySubject()).toEqual(before.set("The last", 1));
  });
});

it("a running process ends, with its pending work, if the database requires a later program", async () => {
  const hermod = await startHermod({ roles: "core" });
  try {
    await withStore(hermod, (db) =>
      db
        .collection<{ _id: string }>("schema")
        .updateOne({ _id: "version" }, { $set: { oldest: NEWEST + 1 } }),
    );
    const code = await eventually(async () => (hermod.hasEnded() ? hermod.stop() : undefined));
    expect(code).toBe(2);
    expect(hermod.log()).toContain('"msg":"stopped"');
    expect(hermod.log()).toMatch(
      /^hermod: Hermod .* has migrated the database to schema version .* instead\.$/m,
    );
  } finally {
    await hermod.dispose();
  }
});

describe("a database that is newer than the program", () => {
  let shared: SharedStore;
  let hermod: Hermod;

  beforeAll(async () => {
    shared = await startSharedStore();
    hermod = await startHermod({ settings: shared.settings, roles: "core" });
    await hermod.stop();
    await withStore(hermod, (db) =>
      db
        .collection<{ _id: string }>("schema")
        .updateOne({ _id: "version" }, { $set: { version: 99, program: "7.0.0" } }),
    );
  });
  afterAll(async () => {
    await hermod.dispose();
    await shared.close();
  });

  const everything = () =>
    withStore(hermod, async (db) => {
      const names = (await db.listCollections().toArray()).map(({ name }) => name).sort();
      return Promise.all(names.map(async (name) => [name, await db.collection(name).find().toArray()]));
    });

  it.each(["core", "worker", "all"])(
    "is refused by the role %s with an explanation, and stays unchanged",
    async (role) => {
      const before = await everything();
      const env: NodeJS.ProcessEnv = {
        ...(await newSettings()),
        ...shared.settings,
        ...(role === "worker" && { HERMOD_GRPC_ADDRESS: "127.0.0.1:1", HERMOD_GRPC_TOKEN: "none" }),
      };
      const { code, stdout, stderr } = await runToEnd(env, role);
      await removeData({ HERMOD_DATA_DIR: env.HERMOD_DATA_DIR });
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(
        "hermod: The database is newer than this program. Hermod 7.0.0 created its schema version 99, and this Hermod",
      );
      expect(stderr).toContain(
        `supports versions up to ${NEWEST}. Nothing was changed. Start Hermod 7.0.0 or later`,
      );
      expect(await everything()).toEqual(before);
    },
  );
});
