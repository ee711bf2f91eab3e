import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AddDomainRequestSchema } from "../../gen/hermod/domain/v1/domain_service_pb.ts";
import { createAccountSettings } from "../../src/core/access/account-settings.ts";
import { createAddDomain } from "../../src/core/domains/add-domain.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { createStore } from "../../src/store/store.ts";
import { testAudit } from "../harness/audit.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const accountId = "acc_1";
const at = Date.parse("2030-01-01T00:00:00Z");

let opened: TestStore;

beforeAll(async () => {
  opened = await openTestStore();
  await opened.db.collection<{ _id: string }>("accounts").insertOne({ _id: accountId });
});
afterAll(() => opened.close());

/** Adds the domain in a separate core, with a given delay in milliseconds; returns the selectors in the answer. */
async function add(domain: string, laterMs: number): Promise<(string | undefined)[]> {
  const store = createStore(opened.db, testSealing);
  let now = new Date(at + laterMs);
  const clock = { ...systemClock, now: () => now };
  const settings = createAccountSettings({ store, clock, cacheMs: 60_000 });
  // The settings cache that the domain has no keys.
  await settings.signers(accountId, domain);
  const answer = await createAddDomain({
    store,
    settings,
    clock,
    sendingSetup: { spfTerms: [], bounceDomain: undefined },
  })(create(AddDomainRequestSchema, { domain }), { actor: "account", audit: testAudit });
  const told = answer.domain?.keys?.map(({ selector }) => selector) ?? [];
  now = new Date(at + 1_000);
  const signing = await settings.signers(accountId, domain);
  expect(signing.map(({ selector }) => selector).sort()).toEqual([...told].sort());
  return told;
}

it.each([
  ["at different moments", "example.com", [0, 1, 2, 3]],
  ["in the same millisecond", "example.org", [0, 0, 0, 0]],
])(
  "creates one pair of keys for parallel calls %s, and returns it to all of them",
  async (_name, domain, delays) => {
    const [first = [], ...others] = await Promise.all(delays.map((laterMs) => add(domain, laterMs)));
    expect(first).toHaveLength(2);
    for (const other of others) expect(other).toEqual(first);
    expect(await opened.db.collection("domainKeys").countDocuments({ domain })).toBe(2);
    // A later caller gets the same answer.
    expect(await add(domain, 5)).toEqual(first);
  },
);
