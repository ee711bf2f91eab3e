import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AreaClients } from "../../src/rpc/client.ts";
import type { TemplateDocument } from "../../src/store/documents.ts";
import { createStore } from "../../src/store/store.ts";
import { testAudit } from "../harness/audit.ts";
import { failingDb } from "../harness/failing-db.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { testSealing } from "../harness/sealing.ts";

let identity: Identity;
let accountId: string;
let templates: AreaClients["templates"];
let email: string;
beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  accountId = await identity.openAccount();
  const member = await identity.memberOf(accountId, "developer");
  email = member.email;
  templates = identity.as({ session: member.token }).templates;
});

const name = "welcome";
const text = { name, subject: "Hi {{ name }}", text: "Hello" };

const revision = async () => (await templates.getTemplate({ name })).template?.overview?.revision ?? "";
const save = async (subject: string, on?: string) =>
  templates.saveDraft({ revision: on ?? (await revision()), template: { ...text, subject } });
const publish = async (on?: string) =>
  (await templates.publishDraft({ name, revision: on ?? (await revision()) })).template;
const versions = async () => (await templates.listVersions({ name })).versions;
const stored = () =>
  identity.db.collection<TemplateDocument>("templates").find({ accountId }).sort({ version: 1 }).toArray();
/** Stored form of releases before drafts. */
const ofEarlierRelease = async (subject: string) => {
  const definition = { name, subject, text: "Hello", variables: [] };
  const createdAt = identity.time.clock.now();
  await identity.db.collection<TemplateDocument>("templates").insertOne({
    _id: `${accountId}.${name}.1`,
    accountId,
    name,
    version: 1,
    published: true,
    definition,
    createdAt,
  });
};

describe("a draft", () => {
  it("is stored with its errors, and cannot be published with them", async () => {
    const broken = { ...text, text: "a\n {% nope %}" };
    const { template } = await templates.createTemplate({ template: broken });
    expect(template?.faults).toMatchObject([
      { pointer: "/text", code: "template.syntax", line: 2, column: 2 },
    ]);
    await expect(publish()).rejects.toMatchObject({
      code: "request.validation_failed",
      errors: [{ pointer: "/text", message: expect.stringContaining("(line 2, column 2)") }],
    });
    expect(await stored()).toEqual([]);
    expect((await templates.getTemplate({ name })).template?.template?.text).toBe(broken.text);
  });

  it("becomes the next version, once", async () => {
    await templates.createTemplate({ template: text });
    expect((await publish())?.overview).toMatchObject({ publishedVersion: 1, publishedBy: email });
    await expect(publish()).rejects.toMatchObject({ code: "template.draft_missing" });
    await save("Hello {{ name }}");
    expect((await publish())?.overview).toMatchObject({ publishedVersion: 2, draftSavedBy: "" });
    expect((await stored()).map(({ published }) => published)).toEqual([false, true]);
  });

  it("keeps fallbacks in their original form", async () => {
    const fallbackJson = JSON.stringify({ $set: { "a.b": [1, null, "é"] }, "": 0.1 });
    const variables = [{ name: "name", type: "object", fallbackJson }];
    const { template } = await templates.createTemplate({ template: { ...text, variables } });
    expect(template?.faults).toEqual([]);
    expect((await publish())?.template?.variables).toMatchObject(variables);
    expect((await templates.getVersion({ name })).template?.template?.variables).toMatchObject(variables);
  });

  it("with the published text creates no new version", async () => {
    await templates.createTemplate({ template: text });
    await publish();
    await save(text.subject);
    const again = await publish();
    expect(again?.overview).toMatchObject({ publishedVersion: 1 });
    expect(again?.overview?.draftSavedAt).toBeUndefined();
  });

  it("is discarded, and the published version stays", async () => {
    await templates.createTemplate({ template: text });
    await publish();
    await save("Other");
    const { template } = await templates.discardDraft({ name, revision: await revision() });
    expect(template?.template?.subject).toBe(text.subject);
  });

  it.each([
    [{ ...text, name: "No!" }, "/name", "template.name_invalid"],
    [{ ...text, html: "x".repeat(1_000_001) }, "/html", "template.too_large"],
    [{ ...text, variables: [{ name: "a", type: "text" }] }, "/variables/0/type", "field.invalid"],
    [
      { ...text, variables: [{ name: "a", type: "list", fallbackJson: "[1" }] },
      "/variables/0/fallback",
      "field.invalid",
    ],
    [
      { ...text, variables: Array.from({ length: 501 }, (_, n) => ({ name: `v${n}`, type: "string" })) },
      "/variables",
      "field.too_many",
    ],
  ])("is refused if it cannot be stored (%#)", async (template, pointer, code) => {
    await expect(templates.createTemplate({ template })).rejects.toMatchObject({
      errors: [{ pointer, code }],
    });
    expect((await templates.listOverviews({})).templates).toEqual([]);
  });
});

describe("two members", () => {
  it("who save on the same revision: the second is refused, and changes nothing", async () => {
    await templates.createTemplate({ template: text });
    const seen = await revision();
    await save("first", seen);
    await expect(save("second", seen)).rejects.toMatchObject({ code: "template.stale" });
    await expect(publish(seen)).rejects.toMatchObject({ code: "template.stale" });
    expect((await templates.getTemplate({ name })).template?.template?.subject).toBe("first");
  });

  it("do not publish over the text that a program has stored", async () => {
    await templates.createTemplate({ template: text });
    await publish();
    await save("draft");
    const seen = await revision();
    await identity.operator.templates.putTemplate({ accountId, template: { ...text, subject: "put" } });
    await expect(publish(seen)).rejects.toMatchObject({ code: "template.stale" });
    // The draft still exists.
    expect((await publish())?.template?.subject).toBe("draft");
    expect((await versions()).map(({ version }) => version)).toEqual([3, 2, 1]);
  });

  it("who publish at once get a separate number for each text", async () => {
    await templates.createTemplate({ template: text });
    const seen = await revision();
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 4 }, () => publish(seen)),
      ...Array.from({ length: 4 }, (_, n) =>
        identity.operator.templates.putTemplate({ accountId, template: { ...text, subject: `put ${n}` } }),
      ),
    ]);
    const done = outcomes.filter(({ status }) => status === "fulfilled").length;
    expect(done).toBeGreaterThanOrEqual(4);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason.code).toBe("template.stale");
    }
    const found = await stored();
    expect(found.map(({ version }) => version)).toEqual(found.map((_, at) => at + 1));
    expect(found).toHaveLength(done);
    expect(found.filter(({ published }) => published)).toHaveLength(1);
  });

  it("who create a template at once: one succeeds", async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => templates.createTemplate({ template: text })),
    );
    const codes = outcomes.map((one) => (one.status === "rejected" ? one.reason.code : "made"));
    expect(codes.toSorted()).toEqual(["made", ...Array(4).fill("template.exists")]);
  });
});

describe("the history", () => {
  beforeEach(async () => {
    await templates.createTemplate({ template: text });
    for (const subject of ["one", "two", "three"]) {
      await save(subject);
      await publish();
    }
  });

  it("has each version with author and time, page by page", async () => {
    const first = await templates.listVersions({ name, pageSize: 2 });
    expect(first.versions).toMatchObject([
      { version: 3, published: true, publishedBy: email },
      { version: 2, published: false },
    ]);
    const second = await templates.listVersions({ name, pageSize: 2, pageToken: first.nextPageToken });
    expect([second.versions.map(({ version }) => version), second.nextPageToken]).toEqual([[1], ""]);
    await expect(templates.listVersions({ name, pageToken: "x" })).rejects.toMatchObject({
      errors: [{ pointer: "/page_token" }],
    });
  });

  it("returns the texts", async () => {
    const at = async (version: string) =>
      (await templates.getVersion({ name, version })).template?.template?.subject;
    expect([await at("1"), await at("2"), await at("")]).toEqual(["one", "two", "three"]);
    for (const version of ["9", "0", "-1", "one"]) {
      await expect(templates.getVersion({ name, version })).rejects.toMatchObject({
        code: "template.version_not_found",
      });
    }
  });

  it("returns the differences", async () => {
    await save("draft");
    const lines = async (before: string, after: string) =>
      (await templates.compareVersions({ name, before, after })).fields.flatMap(({ field, hunks }) =>
        hunks.flatMap((hunk) => hunk.lines.map((line) => `${field} ${line.kind} ${line.text}`)),
      );
    expect(await lines("1", "3")).toEqual(["subject removed one", "subject added three"]);
    expect(await lines("published", "draft")).toEqual(["subject removed three", "subject added draft"]);
    await expect(lines("1", "latest")).rejects.toMatchObject({ errors: [{ pointer: "/after" }] });
  });

  it("continues after a rollback, and the draft stays", async () => {
    await save("draft");
    const { template } = await templates.rollBack({ name, revision: await revision(), version: 1 });
    expect([template?.overview?.publishedVersion, template?.template?.subject]).toEqual([4, "draft"]);
    expect((await versions())[0]).toMatchObject({ version: 4, restoredVersion: 1, published: true });
    const seen = await revision();
    await templates.rollBack({ name, revision: seen, version: 4 });
    expect(await revision()).toBe(seen);
    await expect(templates.rollBack({ name, revision: seen, version: 9 })).rejects.toMatchObject({
      code: "template.version_not_found",
    });
    await expect(templates.rollBack({ name, revision: "1.1", version: 2 })).rejects.toMatchObject({
      code: "template.stale",
    });
  });
});

describe("a template", () => {
  it("of an earlier release can be edited like any other", async () => {
    await ofEarlierRelease("old");
    expect((await templates.listOverviews({})).templates).toMatchObject([
      { name, publishedVersion: 1, publishedBy: "" },
    ]);
    await save("new");
    expect((await publish())?.overview?.publishedVersion).toBe(2);
    expect((await versions()).map(({ publishedBy }) => publishedBy)).toEqual([email, ""]);
  });

  it("is listed once, in the order of names, page by page", async () => {
    const put = (one: string) =>
      identity.operator.templates.putTemplate({ accountId, template: { ...text, name: one } });
    const draft = (one: string) => templates.createTemplate({ template: { ...text, name: one } });
    for (const one of ["b", "d"]) await put(one);
    for (const one of ["a", "c", "e"]) await draft(one);
    await put("c");
    const found: string[][] = [];
    let pageToken = "";
    do {
      const page = await templates.listOverviews({ pageSize: 2, pageToken });
      found.push(page.templates.map((one) => one.name));
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    expect(found).toEqual([["a", "b"], ["c", "d"], ["e"]]);
    // Same values as when it is read separately.
    for (const one of (await templates.listOverviews({})).templates) {
      const { template } = await templates.getTemplate({ name: one.name });
      expect({ ...template?.overview, listing: one.listing }).toEqual(one);
      expect(one.listing?.subject).toBe(template?.template?.subject);
    }
  });

  it("that is deleted never reuses its numbers or revisions", async () => {
    await templates.createTemplate({ template: text });
    await publish();
    await save("draft");
    const seen = await revision();
    await templates.deleteTemplate({ name });
    await expect(templates.getTemplate({ name })).rejects.toMatchObject({ code: "template.not_found" });
    await expect(templates.deleteTemplate({ name })).rejects.toMatchObject({ code: "template.not_found" });
    expect((await templates.listOverviews({})).templates).toEqual([]);
    expect(await stored()).toEqual([]);
    await expect(save("again", seen)).rejects.toMatchObject({ code: "template.not_found" });
    await templates.createTemplate({ template: { ...text, subject: "new" } });
    await expect(publish(seen)).rejects.toMatchObject({ code: "template.stale" });
    expect((await publish())?.overview?.publishedVersion).toBe(2);
  });

  it("that was deleted and is stored again gets the next number", async () => {
    const put = (subject: string) =>
      identity.operator.templates.putTemplate({ accountId, template: { ...text, subject } });
    await put("one");
    await save("draft");
    await templates.deleteTemplate({ name });
    expect((await put("two")).template?.version).toBe(2);
    const { template } = await templates.getTemplate({ name });
    const [listed] = (await templates.listOverviews({})).templates;
    expect({ ...listed, listing: undefined }).toEqual({ ...template?.overview, listing: undefined });
    expect([listed?.listing?.subject, template?.template?.subject]).toEqual(["two", "two"]);
  });

  it("is copied with draft and test data, to an unused name", async () => {
    await templates.createTemplate({ template: text });
    await templates.putTestData({ name, revision: await revision(), testDataJson: '{"name":"Ada"}' });
    const { template } = await templates.duplicateTemplate({ name, newName: "copy" });
    expect(template).toMatchObject({
      overview: { name: "copy", publishedVersion: 0 },
      template: { name: "copy", subject: text.subject },
      testDataJson: '{"name":"Ada"}',
    });
    await expect(templates.duplicateTemplate({ name, newName: "copy" })).rejects.toMatchObject({
      code: "template.exists",
    });
    await expect(templates.duplicateTemplate({ name, newName: "No!" })).rejects.toMatchObject({
      errors: [{ pointer: "/new_name" }],
    });
  });
});

describe("tests of a template", () => {
  /** Two members send several at once, in order: the result of each. */
  async function sendAtOnce(rates: { readonly perKey?: number; readonly perAccount?: number }) {
    const limited = await openIdentity({ rates });
    try {
      const { account } = await limited.operator.accounts.createAccount({ name: "Acme" });
      const id = account?.id ?? "";
      const from = "news@shop.example";
      await limited.operator.senders.addSender({ accountId: id, value: from });
      const transports = [{ kind: { case: "sandbox" as const, value: {} } }];
      const policy = { name: "tests", default: true, transports };
      await limited.operator.policies.putPolicy({ accountId: id, policy });
      const template = { name, from, subject: "Hi", text: "Hello" };
      await limited.operator.templates.putTemplate({ accountId: id, template });
      const tokens = [(await limited.memberOf(id)).token, (await limited.memberOf(id)).token];
      const sending = tokens.map((session) => {
        const { templates: own } = limited.as({ session });
        return Promise.allSettled(
          Array.from({ length: 5 }, () => own.sendTest({ name, to: "ada@example.com" })),
        );
      });
      return (await Promise.all(sending)).map((outcomes) =>
        outcomes.map((one) => (one.status === "rejected" ? one.reason.code : "sent")),
      );
    } finally {
      await limited.close();
    }
  }

  it("count against a limit of each member who sends them", async () => {
    for (const outcomes of await sendAtOnce({ perKey: 1 })) {
      expect(outcomes).toContain("sent");
      expect(outcomes).toContain("rate.limited");
    }
  });

  it("count against the limit of the account", async () => {
    const outcomes = (await sendAtOnce({ perAccount: 1 })).flat();
    expect(outcomes).toContain("sent");
    expect(outcomes).toContain("rate.limited");
  });
});

describe("when any write fails", () => {
  const all = () => identity.store.forAccount(accountId).templates;

  it.each(["before", "after"] as const)("a draft is published completely, or stays (%s)", async (time) => {
    for (let nth = 1; ; nth++) {
      const one = `n${nth}${time}`;
      const definition = { name: one, subject: "draft", text: "Hello", variables: [] };
      const at = identity.time.clock.now();
      await all().edit(one, () => ({ draft: definition, draftSavedAt: at }), at, testAudit);
      const failing = failingDb(identity.db, nth, time);
      const failingStore = createStore(failing.db, testSealing).forAccount(accountId).templates;
      await failingStore.edit(one, () => ({ publish: { definition } }), at, testAudit).catch(() => undefined);
      const state = await all().find(one);
      const isPublished = state?.published !== undefined;
      expect([state?.head?.draft !== undefined, state?.head?.changes]).toEqual([
        !isPublished,
        isPublished ? 2 : 1,
      ]);
      if (!failing.failed()) {
        expect([isPublished, nth > 1]).toEqual([true, true]);
        break;
      }
    }
  });

  it.each(["before", "after"] as const)("a template is deleted completely, or stays (%s)", async (time) => {
    for (let nth = 1; ; nth++) {
      const one = `d${nth}${time}`;
      const definition = { name: one, subject: "one", text: "Hello", variables: [] };
      const at = identity.time.clock.now();
      await all().publish({ name: one, definition, createdAt: at }, testAudit);
      const failing = failingDb(identity.db, nth, time);
      const failingStore = createStore(failing.db, testSealing).forAccount(accountId).templates;
      await failingStore.remove(one, testAudit).catch(() => undefined);
      const state = await all().find(one);
      const isThere = (await all().findVersion(one, 1)) !== null;
      expect(state?.published !== undefined).toBe(isThere);
      await all().publish(
        { name: one, definition: { ...definition, subject: "two" }, createdAt: at },
        testAudit,
      );
      expect((await all().findPublished(one))?.version).toBe(2);
      if (!failing.failed()) {
        expect([isThere, nth > 1]).toEqual([false, true]);
        break;
      }
    }
  });
});
