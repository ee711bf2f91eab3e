import type { CommandStartedEvent } from "mongodb";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createStore, type Store } from "../../src/store/store.ts";
import { webhookCollections } from "../../src/store/webhook-delivery-documents.ts";
import { testAudit } from "../harness/audit.ts";
import { deliveryDocument, endpointDocument } from "../harness/expected-deliveries.ts";
import { planInEngine, queriesOf } from "../harness/query-plans.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const ACCOUNT = "acc_1";

let opened: TestStore;
let store: Store;
beforeEach(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
});
afterEach(() => opened.close());

it("reads each fact as the first entry of an index, in its order and without further filters", async () => {
  await store
    .forAccount(ACCOUNT)
    .webhooks.add(endpointDocument({ _id: "wep_1", accountId: ACCOUNT }), testAudit);
  await webhookCollections(opened.db).deliveries.insertOne(
    deliveryDocument({ _id: "wep_1.1", accountId: ACCOUNT, endpointId: "wep_1", state: "delivered" }),
  );
  const sent: CommandStartedEvent[] = [];
  opened.db.client.on("commandStarted", (event) => sent.push(event));
  await store.forAccount(ACCOUNT).start.read();
  const found = await Promise.all(
    sent.flatMap(queriesOf).map(async (query) => {
      const plan = await planInEngine(opened.db, query);
      const { name } = plan.kind === "index" ? plan.index : { name: "none" };
      return [query.collection, name, plan.sorted, plan.exact];
    }),
  );
  expect(found.toSorted()).toEqual([
    ["alertRules", "accountId_1_createdAt_1", true, true],
    ["apiKeys", "used", true, true],
    ["counters", "first_captured", true, true],
    ["counters", "first_delivered", true, true],
    ["domains", "verified", true, true],
    ["watchedDomains", "accountId_1_createdAt_1", true, true],
    ["webhookDeliveries", "accountId_1_endpointId_1_state_1_at_-1__id_-1", true, true],
    ["webhookEndpoints", "accountId_1__id_1", true, true],
  ]);
});
