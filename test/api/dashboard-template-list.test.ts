import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { keyOfValue } from "../../src/store/counters/counter-documents.ts";
import type { TemplateDocument, TemplateHeadDocument } from "../../src/store/documents.ts";
import { type Dashboard, openDashboard } from "../harness/dashboard.ts";
import { allowSending } from "../harness/finished-message.ts";
import { repetitions } from "../harness/repetitions.ts";

let world: Dashboard;
let accountId: string;
let token: string;
beforeAll(async () => {
  world = await openDashboard();
});
afterAll(() => world.close());
beforeEach(async () => {
  accountId = await world.identity.openAccount();
  token = (await world.identity.memberOf(accountId, "viewer")).token;
});

const list = async (query = "") => world.ask("GET", `/api/templates${query}`, { token });
const rows = async (query = "") => (await list(query)).body.data;
const names = async (query: string) => (await rows(query)).map(({ name }: { name: string }) => name);

const publish = (name: string, subject: string) =>
  world.identity.operator.templates.putTemplate({ accountId, template: { name, subject, text: "Hello" } });
async function saveDraft(name: string, subject: string) {
  const { templates } = world.identity.operator;
  const template = { name, subject, text: "Hello" };
  const found = await templates.getTemplate({ accountId, name }).catch(() => undefined);
  const revision = found?.template?.overview?.revision;
  if (revision === undefined) await templates.createTemplate({ accountId, template });
  else await templates.saveDraft({ accountId, revision, template });
}

const collections = () => ({
  templates: world.identity.db.collection<TemplateDocument>("templates"),
  heads: world.identity.db.collection<TemplateHeadDocument>("templateHeads"),
});

describe("the list of templates", () => {
  it("has the subject of the text in progress, and whether the draft differs", async () => {
    await publish("a", "published");
    await publish("b", "published");
    await saveDraft("b", "changed");
    await publish("c", "published");
    await saveDraft("c", "published");
    await saveDraft("d", "never published");
    const facts = (await rows()).map(
      ({ name, subject, published_version: version, draft_differs: differs }: Record<string, unknown>) => [
        name,
        subject,
        version,
        differs,
      ],
    );
    expect(facts).toEqual([
      ["a", "published", 1, false],
      ["b", "changed", 1, true],
      ["c", "published", 1, false],
      ["d", "never published", 0, true],
    ]);
  });

  it("has the first 300 characters of a long subject", async () => {
    await saveDraft("a", "x".repeat(10_000));
    expect((await rows())[0].subject).toBe("x".repeat(300));
  });

  it("has templates of an earlier release, with their subjects", async () => {
    await publish("a", "old version");
    await saveDraft("b", "old draft");
    const { templates, heads } = collections();
    await templates.updateMany({ accountId }, { $unset: { summary: "" } });
    await heads.updateMany({ accountId }, { $unset: { summary: "" } });
    expect(await rows()).toMatchObject([
      { name: "a", subject: "old version", draft_differs: false },
      { name: "b", subject: "old draft", draft_differs: true },
    ]);
    expect(await names("?search=OLD%20d")).toEqual(["b"]);
    await saveDraft("a", "old version");
    // The stored version has no digest.
    expect((await rows())[0]).toMatchObject({ subject: "old version", draft_differs: true });
    await publish("a", "new version");
    await saveDraft("a", "new version");
    expect((await rows())[0]).toMatchObject({ draft_differs: false });
  });

  it("names the alert rules that mail with a template", async () => {
    await allowSending(world.identity, accountId);
    for (const name of ["a", "b"]) await publish(name, "Hi");
    const notify = { recipients: ["ops@example.net"], from: "alerts@example.com", template: "a" };
    for (let rule = 0; rule < 12; rule++)
      await world.identity.operator.rules.putRule({ accountId, settings: { name: `rule-${rule}`, notify } });
    const [a, b] = await rows();
    expect([a.used_by.length, a.used_by_count, b.used_by, b.used_by_count]).toEqual([10, 12, [], 0]);
    expect(a.used_by[0]).toMatchObject({ kind: "alert_rule", name: expect.stringMatching(/^rule-/) });
    const settings = { name: "rule-0", notify, enabled: false };
    await world.identity.operator.rules.putRule({ accountId, settings });
    expect((await rows())[0].used_by_count).toBe(11);
  });

  it("counts the messages of the last 30 days, and names the last day with one", async () => {
    for (const name of ["a", "b"]) await publish(name, "Hi");
    const now = world.identity.time.clock.now();
    const today = Math.floor(now.getTime() / 86_400_000);
    const counters = world.identity.db.collection<{ _id: string }>("counters");
    const count = async (daysAgo: number, owner: string, accepted: number) => {
      const at = new Date((today - daysAgo) * 86_400_000);
      const template = { [keyOfValue("a")]: { accepted }, [keyOfValue("b")]: { delivered: 1 } };
      const head = { accountId: owner, step: "day", at, expireAt: new Date(at.getTime() + 1e11) };
      await counters.insertOne({ _id: `${owner}.day.${at.toISOString()}`, ...head, template } as never);
    };
    await count(30, accountId, 1_000);
    await count(29, accountId, 3);
    await count(2, accountId, 4);
    await count(0, "acc_other", 50);
    const day = new Date((today - 2) * 86_400_000).toISOString().slice(0, 10);
    const [a, b] = await rows();
    expect([a.accepted_count, a.last_used_on]).toEqual([7, day]);
    expect([b.accepted_count, b.last_used_on]).toEqual([0, undefined]);
  });

  it.each([
    ["?state=deleted", "/state"],
    [`?search=${"x".repeat(321)}`, "/search"],
    ["?sort=name", "/sort"],
  ])("refuses invalid filters (%#)", async (query, pointer) => {
    const { status, problem } = await list(query);
    expect([status, problem.errors[0]?.pointer]).toEqual([422, pointer]);
  });

  it("has exactly the templates of a plain model, for any filter and page size", async () => {
    const part = fc.constantFrom("Reset", "welcome", "ä", "x.y", "%", " ");
    const entry = fc.record({
      published: fc.option(part, { nil: undefined }),
      draft: fc.option(part, { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { maxLength: 6 }),
        fc.constantFrom("", "res", "WELCOME", "Ä", "t-1", "y", "%", "none"),
        fc.constantFrom("", "published", "draft", "unpublished"),
        fc.integer({ min: 1, max: 4 }),
        async (entries, search, state, limit) => {
          accountId = await world.identity.openAccount();
          token = (await world.identity.memberOf(accountId, "viewer")).token;
          const expected: string[] = [];
          for (const [index, { published, draft }] of entries.entries()) {
            if (published === undefined && draft === undefined) continue;
            const name = `t-${index}`;
            if (published !== undefined) await publish(name, published);
            if (draft !== undefined) await saveDraft(name, draft);
            const subject = draft ?? published ?? "";
            const isFound = [name, subject].some((one) => one.toLowerCase().includes(search.toLowerCase()));
            const isInState =
              state === "" ||
              (state === "draft"
                ? draft !== undefined
                : (published !== undefined) === (state === "published"));
            if (isFound && isInState) expected.push(name);
          }
          const found: string[] = [];
          for (let cursor = ""; ; ) {
            const query = new URLSearchParams({ limit: String(limit), search });
            if (state !== "") query.set("state", state);
            if (cursor !== "") query.set("cursor", cursor);
            const { body } = await list(`?${query}`);
            expect(body.data.length).toBeLessThanOrEqual(limit);
            found.push(...body.data.map(({ name }: { name: string }) => name));
            if (!body.has_more) break;
            cursor = body.next_cursor;
          }
          expect(found).toEqual(expected);
        },
      ),
      { numRuns: repetitions(15, 60) },
    );
  });
});
