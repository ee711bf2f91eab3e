import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AlertEngine } from "../../src/core/alerts/alert-engine.ts";
import { createIncidentBulkJob } from "../../src/core/alerts/incident-bulk-job.ts";
import { createRunJobs } from "../../src/core/jobs/run-jobs.ts";
import type { AreaClients } from "../../src/rpc/client.ts";
import { fault } from "../../src/shared/fault.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { type AlertAccount, openAlertAccount } from "../harness/alert-account.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";

let identity: Identity;
let account: AlertAccount;
let owner: AreaClients;
let email: string;

beforeAll(async () => {
  identity = await openIdentity();
  await identity.operator.accounts.createAccount({ name: "Operator" });
});
afterAll(() => identity.close());
beforeEach(async () => {
  account = await openAlertAccount(identity);
  const member = await identity.memberOf(account.accountId);
  email = member.email;
  owner = identity.as({ session: member.token });
  await account.putRule();
});

/** Incidents of new alerts, oldest first. */
async function opened(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    identity.time.pass(1);
    const { outcome } = await account.ingest({ entityId: `web-${n}`, severity: "warning" });
    ids.push(outcome?.incidentIds[0] ?? "");
  }
  identity.time.pass(1);
  return ids;
}

function runner(alertEngine: AlertEngine = identity.alertEngine): () => Promise<void> {
  const { store, time } = identity;
  return createRunJobs({
    jobs: store.acrossAccounts.jobs,
    kinds: [createIncidentBulkJob({ store, alertEngine })],
    clock: time.clock,
    timers: time.timers,
    log: createLogger("silent"),
    signal: new AbortController().signal,
  });
}

type Bulk = Parameters<AreaClients["incidents"]["countIncidentBulk"]>[0]["bulk"];
const OPEN = { action: "acknowledge", filter: { states: ["open"] } };

async function begun(bulk: Bulk = OPEN): Promise<string> {
  const { confirmation } = await owner.incidents.countIncidentBulk({ bulk });
  const { job } = await owner.incidents.beginIncidentBulk({ bulk, confirmation });
  return job?.id ?? "";
}
const jobOf = async (id: string) => (await owner.jobs.getJob({ id })).job;
const resultsOf = async (id: string) => (await owner.jobs.listResults({ id, pageSize: 1_000 })).results;
const statesOf = async (ids: readonly string[]) => {
  const all = new Map((await account.incidents()).map((one) => [one.id, one.state]));
  return ids.map((id) => all.get(id));
};

describe("the count", () => {
  it("has the number of selected and of actionable incidents, and changes nothing", async () => {
    const ids = await opened(7);
    await owner.incidents.acknowledgeIncident({ id: ids[0] ?? "" });
    const counted = await owner.incidents.countIncidentBulk({
      bulk: { action: "acknowledge", filter: { rule: "pager" } },
    });
    expect(counted).toMatchObject({ count: 7, actionable: 6, hasMore: false });
    expect(counted.sample.map(({ state }) => state)).toEqual(Array(5).fill("open"));
    const byId = await owner.incidents.countIncidentBulk({ bulk: { action: "resolve", ids } });
    expect(byId).toMatchObject({ count: 7, actionable: 7 });
    expect((await owner.jobs.listJobs({})).jobs).toEqual([]);
  });

  it("selects nothing of another account", async () => {
    const ids = await opened(2);
    const stranger = identity.as({
      session: (await identity.memberOf(await identity.openAccount("Globex"))).token,
    });
    const counted = await stranger.incidents.countIncidentBulk({ bulk: { action: "resolve", ids } });
    expect(counted).toMatchObject({ count: 0, actionable: 0 });
  });

  const ID = "inc_01k9z4c3r8h2v6y0n5t7w1x3q9";
  it.each([
    [{ action: "forget", ids: [] }, ["/action", "/filter"]],
    [{ action: "resolve" }, ["/filter"]],
    [{ action: "resolve", filter: {} }, ["/filter"]],
    [{ action: "resolve", ids: ["msg_1"] }, ["/ids/0"]],
    [{ action: "resolve", ids: Array(1_001).fill(ID) }, ["/ids"]],
    [{ action: "resolve", filter: { states: ["shut"] } }, ["/filter/states/0"]],
    [{ action: "resolve", ids: [ID], filter: { rule: "a" } }, ["/ids"]],
  ])("is refused for an invalid request (%#)", async (bulk, pointers) => {
    const { errors } = await owner.incidents.countIncidentBulk({ bulk }).catch((error) => error);
    expect(errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers);
  });
});

describe("the job", () => {
  it("changes the counted incidents, and none that was opened later", async () => {
    const ids = await opened(45);
    const id = await begun();
    identity.time.pass(1);
    const { outcome } = await account.ingest({ entityId: "late", severity: "warning" });
    await runner()();
    expect(await jobOf(id)).toMatchObject({ state: "succeeded", total: 45, done: 45, skipped: 0, failed: 0 });
    expect(new Set(await statesOf(ids))).toEqual(new Set(["acknowledged"]));
    expect(await statesOf([outcome?.incidentIds[0] ?? ""])).toEqual(["open"]);
    const { incident } = await owner.incidents.getIncident({ id: ids[0] ?? "" });
    expect(incident?.acknowledgedBy).toBe(email);
  });

  it("mails the end of each incident once", async () => {
    const ids = await opened(3);
    await begun({ action: "resolve", ids });
    await runner()();
    await account.check();
    const subjects = (await account.mails()).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.startsWith("Re: "))).toHaveLength(3);
    expect(await statesOf(ids)).toEqual(["resolved", "resolved", "resolved"]);
  });

  it("skips incidents that are already in the state, and reports removed ones", async () => {
    const ids = await opened(3);
    const id = await begun({ action: "acknowledge", ids });
    await owner.incidents.acknowledgeIncident({ id: ids[0] ?? "" });
    await owner.incidents.resolveIncident({ id: ids[1] ?? "" });
    await identity.db.collection("incidents").deleteOne({ _id: ids[2] as never });
    await runner()();
    const found = new Map((await resultsOf(id)).map((one) => [one.item, [one.outcome, one.code]]));
    expect(ids.map((one) => found.get(one))).toEqual([
      ["skipped", "incident.acknowledged"],
      ["skipped", "incident.resolved"],
      ["failed", "incident.unknown"],
    ]);
  });

  it("has the same results when its process ends after a change that it did not record", async () => {
    const ids = await opened(5);
    const id = await begun();
    const dying: AlertEngine = {
      ...identity.alertEngine,
      changeMany: async (asked) => {
        await identity.alertEngine.changeMany(asked);
        throw fault("store.unavailable");
      },
    };
    await runner(dying)();
    expect(new Set(await statesOf(ids))).toEqual(new Set(["acknowledged"]));
    // A member's change in between is not undone.
    await owner.incidents.unacknowledgeIncident({ id: ids[0] ?? "" });
    identity.time.pass(60_000);
    await runner()();
    expect(await jobOf(id)).toMatchObject({ state: "succeeded", done: 5, skipped: 0, failed: 0 });
    expect(await statesOf(ids.slice(0, 2))).toEqual(["open", "acknowledged"]);
    const { history } = await owner.incidents.getIncident({ id: ids[1] ?? "" });
    expect(history.filter(({ kind }) => kind === "acknowledged")).toHaveLength(1);
  });

  it("starts once for a confirmation, which is valid for its caller, request and ten minutes", async () => {
    await opened(1);
    const { confirmation } = await owner.incidents.countIncidentBulk({ bulk: OPEN });
    const begin = (bulk: Bulk, as = owner) => as.incidents.beginIncidentBulk({ bulk, confirmation });
    const [one, other] = [await begin(OPEN), await begin(OPEN)];
    expect(other.job?.id).toBe(one.job?.id);
    const invalid = { code: "incident.confirmation_invalid" };
    await expect(begin({ ...OPEN, action: "resolve" })).rejects.toMatchObject(invalid);
    const member = await identity.memberOf(account.accountId);
    await expect(begin(OPEN, identity.as({ session: member.token }))).rejects.toMatchObject(invalid);
    await runner()();
    await opened(1);
    const late = await owner.incidents.countIncidentBulk({ bulk: OPEN });
    identity.time.pass(10 * 60_000 + 1);
    const asked = owner.incidents.beginIncidentBulk({ bulk: OPEN, confirmation: late.confirmation });
    await expect(asked).rejects.toMatchObject(invalid);
  });
});
