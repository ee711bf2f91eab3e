import { afterEach, beforeEach, expect, it } from "vitest";
import type { Evidence } from "../../src/intel/check-result.ts";
import type { StandingCheck } from "../../src/intel/standing-check.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";
import { plantWatched } from "../harness/watched-domain.ts";

let opened: TestStore;
let store: Store;
beforeEach(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
});
afterEach(() => opened.close());

const at = new Date("2026-11-22T09:30:00.000Z");
const answer = { name: "example.com", type: "TXT", rcode: "ERROR", data: ["v=spf1"], at } as const;
const evidence: Evidence[] = [
  { ...answer, reason: "no answer within 5 s" },
  { ...answer, rcode: "NOERROR" },
];
const fix = {
  record: { name: "example.com", type: "TXT", value: "v=spf1 -all" },
  text: "Publish it.",
} as const;
const known = { status: "fail", observed: "nothing", fix, since: at, at } as const;
const failing = { since: at, observed: "no answer" };
const checks: StandingCheck[] = [
  { id: "auth.spf.exists", expected: "a record", known: { ...known, evidence }, checkedAt: at },
  {
    id: "auth.dmarc.exists",
    expected: "a record",
    checkedAt: at,
    known: { ...known, evidence: [] },
    previousStatus: "pass",
    contrary: { status: "pass", at },
    failing: { ...failing, evidence },
  },
  { id: "auth.spf.all", expected: "one", checkedAt: at },
];

it("reads the outcomes of checks without their evidence", async () => {
  const { domainId } = await plantWatched(store, { accountId: "acc_1", domain: "example.com", now: at });
  await opened.db
    .collection<{ _id: string }>("watchedChecks")
    .updateOne({ _id: domainId }, { $set: { checks } });
  const { watches } = store.forAccount("acc_1");
  expect((await watches.findChecks([domainId])).get(domainId)?.checks).toEqual(checks);
  const withoutData = evidence.map(({ data: _, ...rest }) => rest);
  expect([...(await watches.findOutcomes([domainId, "dom_unknown"]))]).toEqual([
    [
      domainId,
      [
        { ...checks[0], known },
        { ...checks[1], known, failing: { ...failing, evidence: withoutData } },
        checks[2],
      ],
    ],
  ]);
});
