import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { type DomainChange, newDomain } from "../../src/store/domain-store.ts";
import { createPlaceEvents } from "../../src/store/place-events.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { webhookCollections } from "../../src/store/webhook-delivery-documents.ts";
import { testAudit } from "../harness/audit.ts";
import { beforeFirstDelete } from "../harness/before-first-delete.ts";
import { endpointDocument } from "../harness/expected-deliveries.ts";
import { damage, invalidUtf8 } from "../harness/raw-documents.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

let opened: TestStore;
let store: Store;
const now = new Date();
const later = (ms: number) => new Date(now.getTime() + ms);
const accountId = "acc_1";
const address = "ada@example.org";
const ofLog = ["unplacedChanges", "eventLog"];
const entry = { addressKey: address, address, reason: "manual", createdAt: now } as const;

beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
});
afterAll(() => opened.close());
beforeEach(async () => {
  for (const name of [
    "suppressions",
    "webhookEndpoints",
    "webhookDeliveries",
    "webhookLanes",
    "domains",
    ...ofLog,
  ])
    await opened.db.collection(name).deleteMany({});
});

const collections = () => webhookCollections(opened.db);
const list = () => store.forAccount(accountId).suppressions;
const addEndpoint = (changes: object) =>
  collections().endpoints.insertOne(endpointDocument({ _id: "wep_1", accountId, ...changes }));

async function told() {
  const found = await collections().deliveries.find().sort({ at: 1, _id: 1 }).toArray();
  return found.map(({ endpointId, type, subject }) => ({ endpointId, type, subject }));
}

describe("changes of the suppression list", () => {
  it("are delivered to the account's subscribed endpoints, regardless of their message filters", async () => {
    await addEndpoint({ tags: ["shop"] });
    await addEndpoint({ _id: "wep_2", types: ["message.delivered"] });
    await addEndpoint({ _id: "wep_3", disabled: { at: now, reason: "owner", detail: "" } });
    await addEndpoint({ _id: "wep_4", accountId: "acc_2" });
    await list().add(entry, testAudit);
    await list().remove({ addressKey: address }, later(1_000), testAudit);
    const subject = { kind: "suppression", entry };
    expect(await told()).toEqual([
      { endpointId: "wep_1", type: "suppression.created", subject },
      { endpointId: "wep_1", type: "suppression.deleted", subject },
    ]);
    const [first] = await collections().deliveries.find().toArray();
    expect(first).toMatchObject({ accountId, addressKey: address, state: "pending", dueAt: now });
    expect(await collections().lanes.find().toArray()).toMatchObject([
      { _id: "wep_1", additions: 2, wakeAt: now },
    ]);
  });

  it("are one for each new address, and none for an existing one", async () => {
    await addEndpoint({});
    await list().add(entry, testAudit);
    await list().add({ ...entry, reason: "complaint" }, testAudit);
    const many = ["ada", "bob", "bob", "eve"].map((name) => `${name}@example.org`);
    await list().addMany(
      many.map((one) => ({ ...entry, address: one, addressKey: one })),
      now,
      testAudit,
    );
    await list().removeMany([{ addressKey: "nobody@example.org" }], now, testAudit);
    expect((await told()).map(({ type }) => type)).toEqual(Array(3).fill("suppression.created"));
  });

  it("without an effect are not delivered", async () => {
    await addEndpoint({});
    const failing = { ...testAudit, actor: undefined as never };
    await expect(list().add(entry, failing)).rejects.toThrow();
    expect([await told(), await list().find({ addressKey: address }, now)]).toEqual([[], null]);
  });

  it("are made despite an unreadable endpoint of the account", async () => {
    await addEndpoint({ description: "damaged!" });
    await addEndpoint({ _id: "wep_2" });
    await damage(opened.db, "webhookEndpoints", "wep_1", invalidUtf8("damaged!"));
    await list().add(entry, testAudit);
    expect((await told()).map(({ endpointId }) => endpointId)).toContain("wep_2");
  });

  it("of many addresses, in several processes, wake an endpoint for each", async () => {
    await addEndpoint({});
    const other = createStore(opened.db, testSealing);
    const add = (n: number) => {
      const one = `user-${n}@example.org`;
      const { suppressions } = (n % 2 ? store : other).forAccount(accountId);
      return suppressions.add({ ...entry, address: one, addressKey: one }, testAudit);
    };
    // Concurrent transactions conflict, and retry for up to 10 s.
    for (let n = 0; n < 20; n += 5)
      await Promise.all([add(n), add(n + 1), add(n + 2), add(n + 3), add(n + 4)]);
    expect(await told()).toHaveLength(20);
    expect(await collections().lanes.findOne({ _id: "wep_1" })).toMatchObject({ additions: 20 });
  });

  it("get their positions despite concurrent positioning by another process", async () => {
    await list().add(entry, testAudit);
    await list().remove({ addressKey: address }, later(1_000), testAudit);
    const unplaced = opened.db.collection<{ _id: string }>("unplacedChanges");
    const db = beforeFirstDelete(opened.db, "unplacedChanges", async () => {
      await unplaced.deleteOne({ _id: (await unplaced.findOne())?._id ?? "" });
    });
    await createPlaceEvents(db, async () => undefined).place();
    expect(await unplaced.countDocuments()).toBe(0);
    const placed = await opened.db.collection("eventLog").find().toArray();
    expect(placed).toMatchObject([{ accountId }]);
  });
});

describe("a domain", () => {
  it("reports a status change in its event", async () => {
    await addEndpoint({});
    const domain = newDomain("example.com", now);
    await store.forAccount(accountId).domains.add(domain, testAudit);
    const event = {
      ...({ _id: "dev_1", accountId, domain: "example.com", kind: "domain.status_changed" } as const),
      ...({ from: "unverified", to: "failed", reasons: ["dkim"] } as const),
      at: now,
      expireAt: later(3_600_000),
    };
    await store
      .forAccount(accountId)
      .domains.change(
        "example.com",
        (known): DomainChange => ({ domain: { ...known, status: "failed" }, event }),
      );
    const change = { domain: "example.com", from: "unverified", to: "failed", reasons: ["dkim"] };
    expect(await told()).toEqual([
      { endpointId: "wep_1", type: "domain.status_changed", subject: { kind: "domain", change } },
    ]);
  });
});

describe("an endpoint", () => {
  it("that is disabled after failures is reported to the others, without the secret parts of its URL", async () => {
    const { webhooks } = store.forAccount(accountId);
    const endpoint = (_id: string) => {
      const { place: _, accountId: __, ...rest } = endpointDocument({ _id, accountId });
      return { ...rest, url: "https://hooks.example.com/secret?token=1" };
    };
    for (const id of ["wep_1", "wep_2"]) await webhooks.add(endpoint(id), testAudit);
    const disabled = { at: now, reason: "failing", detail: "nothing was taken" } as const;
    expect(await store.acrossAccounts.webhooks.disable("wep_1", 1, disabled, testAudit)).toBe(true);
    const subject = { kind: "webhook", endpointId: "wep_1", host: "hooks.example.com", disabled };
    expect(await told()).toEqual([{ endpointId: "wep_2", type: "webhook.disabled", subject }]);
  });
});
