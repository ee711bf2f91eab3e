import { type CommandStartedEvent, type Document, MongoClient } from "mongodb";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createStore, type Store } from "../../src/store/store.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const { MONGODB_URL } = process.env;

let opened: TestStore;
let client: MongoClient;
let store: Store;
let finds: Document[] = [];

beforeAll(async () => {
  opened = await openTestStore();
  if (!MONGODB_URL) return;
  client = new MongoClient(MONGODB_URL, { monitorCommands: true });
  client.on("commandStarted", ({ commandName, command }: CommandStartedEvent) => {
    if (commandName === "find") finds.push(command);
  });
  store = createStore(client.db(opened.db.databaseName), testSealing);
});
afterAll(async () => {
  await client?.close();
  await opened.close();
});

const accountId = "acc_1";
const now = new Date();
const queries: [name: string, run: (store: Store) => Promise<unknown>, sortsFew?: boolean][] = [
  ["messages", ({ messages }) => messages.list({ accountId, limit: 50 })],
  ["a page of messages", ({ messages }) => messages.list({ accountId, limit: 50, beforeId: "msg_2" })],
  ["messages in a state", ({ messages }) => messages.list({ accountId, state: "bounced", limit: 50 })],
  ["messages by trace", ({ messages }) => messages.findByTraceId("sx_1", accountId)],
  ["messages of a submission", ({ messages }) => messages.listByTraceId(accountId, "sx_1"), true],
  ["events of a message", ({ events }) => events.listOfMessage("msg_1"), true],
  ["suppressions", ({ suppressions }) => suppressions.list({ accountId, now, limit: 50 })],
  [
    "a page of suppressions",
    ({ suppressions }) => suppressions.list({ accountId, now, limit: 50, afterId: "a" }),
  ],
  [
    "suppressions of an address",
    ({ suppressions }) => suppressions.list({ accountId, now, limit: 50, addressKey: "a@example.org" }),
    true,
  ],
  [
    "suppressions for a reason",
    ({ suppressions }) => suppressions.list({ accountId, now, limit: 50, reason: "complaint" }),
  ],
  ["captured messages", ({ sandbox }) => sandbox.list({ accountId: "", beforeId: "msg_2", limit: 50 })],
  [
    "captured messages of an account",
    ({ sandbox }) => sandbox.list({ accountId, beforeId: "msg_2", limit: 50 }),
  ],
  ["keys", ({ keys }) => keys.list({ accountId, limit: 50 })],
  ["a page of keys", ({ keys }) => keys.list({ accountId, after: "key_1", limit: 50 })],
  ["senders", ({ senders }) => senders.list({ accountId, limit: 50 })],
  ["a page of senders", ({ senders }) => senders.list({ accountId, after: "a.example", limit: 50 })],
  ["policies", ({ policies }) => policies.list({ accountId, limit: 50 })],
  ["a page of policies", ({ policies }) => policies.list({ accountId, after: "news", limit: 50 })],
  ["the default policy", ({ policies }) => policies.findDefault(accountId)],
  ["templates", ({ templates }) => templates.listPublished({ accountId, limit: 50 })],
  [
    "a page of templates",
    ({ templates }) => templates.listPublished({ accountId, after: "welcome", limit: 50 }),
  ],
  ["a template", ({ templates }) => templates.findPublished(accountId, "welcome")],
  ["keys of a domain", ({ domainKeys }) => domainKeys.list(accountId, "example.com"), true],
];

function stagesOf(plan: Document): string[] {
  const inputs: Document[] = [plan.inputStage, ...(plan.inputStages ?? []), plan.queryPlan].filter(Boolean);
  return [plan.stage, ...inputs.flatMap(stagesOf)].filter(Boolean);
}

it.skipIf(!MONGODB_URL).each(queries)(
  "has an index for %s (needs MONGODB_URL)",
  async (_name, run, sortsFew) => {
    finds = [];
    await run(store);
    const sent = finds.map(({ find, filter, sort, skip, limit, projection }) => {
      const given = { find, filter, sort, skip, limit, projection };
      return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    });
    expect(sent.length).toBeGreaterThan(0);
    for (const query of sent) {
      const explained = await opened.db.command({ explain: query, verbosity: "queryPlanner" });
      const stages = stagesOf(explained.queryPlanner.winningPlan);
      expect(
        stages.some((stage) => ["IXSCAN", "CLUSTERED_IXSCAN", "IDHACK", "EXPRESS_IXSCAN"].includes(stage)),
      ).toBe(true);
      expect(stages).not.toContain("COLLSCAN");
      if (!sortsFew) expect(stages).not.toContain("SORT");
    }
  },
);
