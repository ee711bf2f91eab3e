import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sessionRouteOf } from "../../contracts/common/session-access.ts";
import { dashboard as contract } from "../../contracts/index.ts";
import { removals } from "../../src/core/resource-use.ts";
import { webhookCollections } from "../../src/store/webhook-delivery-documents.ts";
import type { Method } from "../harness/dashboard.ts";
import { deliveryDocument } from "../harness/expected-deliveries.ts";
import { allowSending } from "../harness/finished-message.ts";
import { type IntelWorld, openIntelWorld } from "../harness/intel-world.ts";

/** A resource that others use, and its removal. */
interface UsedResource {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Audit action of the removal. */
  readonly action: string;
  readonly users: readonly { readonly kind: string; readonly name: string }[];
}

let world: IntelWorld;
let accountId: string;
let token: string;
let count = 0;

beforeAll(async () => {
  world = await openIntelWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  accountId = await world.newAccount();
  world.dashboard.identity.time.pass(1);
  token = (await world.dashboard.identity.memberOf(accountId)).token;
  await allowSending(world.dashboard.identity, accountId);
});

const ask = (method: Method, path: string, body?: unknown) =>
  world.dashboard.ask(method, `/api${path}`, { token, ...(body !== undefined && { body }) });

async function made(method: Method, path: string, body: unknown) {
  const answer = await ask(method, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}

const putRule = (name: string, notify: object = {}) =>
  made("PUT", `/alert-rules/${name}`, {
    match: [{ field: "source", op: "eq", value: "cron" }],
    notify: { recipients: ["oncall@example.net"], from: "Alerts <alerts@example.com>", ...notify },
  });
const putOnCall = (name: string) =>
  made("PUT", `/on-call-schedules/${name}`, {
    layers: [
      {
        name: "Daily",
        participants: [{ address: "ada@example.net" }],
        starts_at: "2026-01-01T08:00:00Z",
        time_zone: "UTC",
        shift: { length: 1, unit: "day" },
      },
    ],
    fallback_recipients: ["ops@example.net"],
  });
const putSchedule = (name: string, changes: object = {}) =>
  made("POST", "/intel/schedules", {
    name,
    scope: { type: "workspace" },
    cadence: "weekly",
    recipients: ["it@client.example"],
    from: "Reports <reports@example.com>",
    ...changes,
  });

async function newPolicy(name: string): Promise<string> {
  return (await made("POST", "/policies", { name, transports: [{ sandbox: {} }] })).revision;
}

async function newTemplate(name: string) {
  const { revision } = await made("POST", "/templates", {
    name,
    subject: "An alert",
    text: "Look.",
    variables: [],
  });
  await made("POST", `/templates/${name}/publish`, { revision });
}

async function usersOfSender(value: string) {
  const address = value.includes("@") ? value : `news@${value}`;
  await putRule("pager", { from: `Alerts <${address}>` });
  await putSchedule("Weekly", { from: address });
  await made("POST", "/keys", { name: "Shop", senders: [address] });
  return [
    { kind: "alert_rule", name: "pager" },
    { kind: "schedule", name: "Weekly" },
    { kind: "key", name: "Shop" },
  ];
}

async function newWatch() {
  const client = await made("POST", "/intel/clients", { name: `Client ${count++}`, contact_emails: [] });
  const name = `watched-${count++}.example.com`;
  return { client, watch: await made("POST", "/intel/domains", { name, client_id: client.id }) };
}

/** Creates a user of each resource. An operation that the table of the core has and this one does not fails the test. */
const used: Readonly<Record<string, () => Promise<UsedResource>>> = {
  deletePolicy: async () => {
    const revision = await newPolicy("relay");
    await putRule("pager", { routing_policy: "relay" });
    await putSchedule("Weekly", { routing_policy: "relay" });
    const url = "https://93.184.215.14/hook";
    await made("POST", "/webhooks", { url, policies: ["relay"] });
    const users = [
      { kind: "alert_rule", name: "pager" },
      { kind: "schedule", name: "Weekly" },
      { kind: "webhook", name: url },
    ];
    return { path: "/policies/relay", query: { revision }, action: "policy.delete", users };
  },
  deleteTemplate: async () => {
    await newTemplate("pager-mail");
    await putRule("pager", { template: "pager-mail" });
    const users = [{ kind: "alert_rule", name: "pager" }];
    return { path: "/templates/pager-mail", action: "template.delete", users };
  },
  deleteOnCallSchedule: async () => {
    await putOnCall("primary");
    await putRule("pager", { recipients: [], on_call_schedules: ["primary"] });
    const users = [{ kind: "alert_rule", name: "pager" }];
    return { path: "/on-call-schedules/primary", action: "on_call_schedule.delete", users };
  },
  removeSender: async () => {
    const value = "ops@shop.example";
    await world.dashboard.identity.operator.senders.addSender({ accountId, value });
    return { path: `/senders/${value}`, action: "sender.remove", users: await usersOfSender(value) };
  },
  removeDomain: async () => {
    const name = `shop-${count++}.example`;
    await provenDomain(name);
    return { path: `/domains/${name}`, action: "domain.remove", users: await usersOfSender(name) };
  },
  removeWatchedDomain: async () => {
    const { watch } = await newWatch();
    await putSchedule("Weekly", { scope: { type: "domain", id: watch.id } });
    const users = [{ kind: "schedule", name: "Weekly" }];
    return { path: `/intel/domains/${watch.id}`, action: "watched_domain.remove", users };
  },
  deleteTarget: async () => {
    const target = await made("POST", "/alert-targets", {
      kind: "slack",
      name: "ops-channel",
      url: "https://93.184.215.14/hook",
    });
    await putRule("pager", { targets: [target.id] });
    const users = [{ kind: "alert_rule", name: "pager" }];
    return { path: `/alert-targets/${target.id}`, action: "alert_target.delete", users };
  },
  removeClient: async () => {
    const client = await made("POST", "/intel/clients", { name: `Client ${count++}`, contact_emails: [] });
    await putSchedule("Weekly", { scope: { type: "client", id: client.id } });
    const users = [{ kind: "schedule", name: "Weekly" }];
    return { path: `/intel/clients/${client.id}`, action: "client.remove", users };
  },
  deleteWebhook: async () => {
    const webhook = await made("POST", "/webhooks", { url: "https://93.184.215.14/hook" });
    const { endedAt: _, ...waiting } = deliveryDocument();
    const ids = { _id: `${webhook.id}.${waiting.eventId}`, accountId, endpointId: webhook.id };
    await webhookCollections(world.dashboard.identity.db).deliveries.insertOne({
      ...waiting,
      ...ids,
      state: "pending",
      dueAt: new Date(),
    });
    const users = [{ kind: "webhook_delivery", name: "message.delivered" }];
    return { path: `/webhooks/${webhook.id}`, action: "webhook.delete", users };
  },
};

/** A domain with a valid proof in the DNS. */
async function provenDomain(name: string): Promise<void> {
  const { operator, db, time } = world.dashboard.identity;
  await operator.domains.addDomain({ accountId, domain: name });
  await db.collection("domains").updateOne({ accountId, name }, { $set: { verifiedAt: time.clock.now() } });
}

const remove = (path: string, query: Readonly<Record<string, string>> = {}) => {
  const text = new URLSearchParams(query).toString();
  return ask("DELETE", text === "" ? path : `${path}?${text}`);
};

async function entriesOf(action: string) {
  const { entries } = await world.dashboard.identity.operator.audits.listEntries({
    accountId,
    filter: { action, outcome: "changed" },
  });
  return entries;
}

const deleting = Object.values(contract).flatMap((router) =>
  Object.entries(router)
    .filter(([, { method }]) => method === "DELETE")
    .map(([name, route]) => ({ name, faults: sessionRouteOf(route).faults })),
);

describe("the table of removals", () => {
  it("names, for every removal, the resources that may use the removed one, or why none does", () => {
    expect(Object.keys(removals).sort()).toEqual(deleting.map(({ name }) => name).sort());
  });

  it.each(deleting)(
    "$name declares resource.in_use if and only if other resources can use the resource",
    ({ name, faults }) => {
      const removable = removals[name];
      const mayBeUsed = removable !== undefined && "users" in removable;
      expect(faults.includes("resource.in_use")).toBe(mayBeUsed);
      expect(Object.hasOwn(used, name)).toBe(mayBeUsed);
    },
  );

  it.each(Object.entries(used))("%s is tested with a user of each kind", async (name, use) => {
    const removable = removals[name];
    const { users } = await use();
    expect(users.map(({ kind }) => kind)).toEqual(removable && "users" in removable ? removable.users : []);
  });
});

/** Whether a removal accepts `force`. */
function isForcible(name: string): boolean {
  const removable = removals[name];
  return removable !== undefined && "users" in removable && removable.isForcible !== false;
}

describe.each(Object.entries(used))("%s", (name, use) => {
  it("answers 409 with the users of the resource, and removes nothing", async () => {
    const { path, query, users } = await use();
    for (let attempt = 0; attempt < 2; attempt++) {
      const refused = await remove(path, query);
      expect(refused.status).toBe(409);
      expect(refused.problem).toMatchObject({ code: "resource.in_use", used_by_count: users.length });
      expect(refused.problem.used_by).toMatchObject(users);
      expect(refused.problem.detail).toContain(`"${users[0]?.name}"`);
    }
  });

  it.runIf(isForcible(name))(
    "removes the resource with force, and the answer and the audit log name the affected resources",
    async () => {
      const { path, query, users, action } = await use();
      const removed = await remove(path, { ...query, force: "true" });
      expect(removed.status).toBe(200);
      expect(removed.body).toMatchObject({ used_by: users, used_by_count: users.length });
      expect((await remove(path, query)).status).toBe(404);
      const [entry] = await entriesOf(action);
      const named = entry?.changes.find(({ field }) => field === "used_by")?.before;
      expect(JSON.parse(named ?? "[]")).toEqual(users.map(({ kind, name }) => `${kind} ${name}`));
    },
  );

  it("is not blocked by resources of another account with the same names", async () => {
    const { path, query = {}, users } = await use();
    const own = accountId;
    accountId = await world.newAccount();
    token = (await world.dashboard.identity.memberOf(accountId)).token;
    await allowSending(world.dashboard.identity, accountId);
    const forced = isForcible(name) ? { ...query, force: "true" } : query;
    expect((await remove(path, forced)).status).toBe(404);
    accountId = own;
    token = (await world.dashboard.identity.memberOf(own)).token;
    expect((await remove(path, query)).problem.used_by_count).toBe(users.length);
  });
});

describe("users of a resource", () => {
  it("are listed up to 10, and all are counted", async () => {
    const revision = await newPolicy("relay");
    for (let n = 0; n < 13; n++) await putRule(`rule-${n}`, { routing_policy: "relay" });
    const refused = await remove("/policies/relay", { revision });
    expect(refused.problem.used_by).toHaveLength(10);
    expect(refused.problem.used_by_count).toBe(13);
    expect(refused.problem.detail).toContain("and 10 more");
  });

  it("do not include disabled rules and rules without recipients", async () => {
    await newTemplate("pager-mail");
    const rule = { match: [{ field: "source", op: "eq", value: "cron" }] };
    const notify = { recipients: ["oncall@example.net"], from: "alerts@example.com", template: "pager-mail" };
    await made("PUT", "/alert-rules/off", { ...rule, enabled: false, notify });
    await made("PUT", "/alert-rules/silent", { ...rule, notify: { template: "pager-mail" } });
    expect((await remove("/templates/pager-mail")).status).toBe(204);
    const enabled = await ask("PUT", "/alert-rules/off", { ...rule, notify });
    expect(enabled.problem.code).toBe("template.unknown");
  });

  it("of an on-call schedule include disabled rules and escalations, which prevent its removal", async () => {
    await putOnCall("primary");
    await putOnCall("managers");
    await made("PUT", "/alert-rules/off", {
      match: [{ field: "source", op: "eq", value: "cron" }],
      enabled: false,
      notify: {
        on_call_schedules: ["primary"],
        from: "alerts@example.com",
        escalation: [{ after_seconds: 60, recipients: [], on_call_schedules: ["managers"] }],
      },
    });
    for (const name of ["primary", "managers"]) {
      const refused = await remove(`/on-call-schedules/${name}`);
      expect(refused.problem).toMatchObject({ code: "resource.in_use", used_by: [{ name: "off" }] });
      expect(refused.problem.detail).not.toContain("force");
    }
    expect((await remove("/on-call-schedules/primary", { force: "true" })).status).toBe(422);
    expect((await remove("/alert-rules/off")).status).toBe(204);
    expect((await remove("/on-call-schedules/primary")).status).toBe(204);
  });

  it("of a sender are only those without another permission to send as the address", async () => {
    const { operator } = world.dashboard.identity;
    await operator.senders.addSender({ accountId, value: "alerts@example.com" });
    await putRule("pager");
    // `example.com` permits the address too.
    expect((await remove("/senders/alerts@example.com")).status).toBe(204);
    await operator.senders.addSender({ accountId, value: "alerts@example.com" });
    expect((await remove("/senders/example.com")).status).toBe(204);
    expect((await remove("/senders/alerts@example.com")).problem.used_by).toMatchObject([{ name: "pager" }]);
    await provenDomain("example.com");
    expect((await remove("/senders/alerts@example.com")).status).toBe(204);
    expect((await remove("/domains/example.com")).problem.used_by).toMatchObject([{ name: "pager" }]);
  });

  it("of a sender do not include revoked keys", async () => {
    await world.dashboard.identity.operator.senders.addSender({ accountId, value: "ops@shop.example" });
    const { key } = await made("POST", "/keys", { name: "Shop", senders: ["ops@shop.example"] });
    expect((await remove("/senders/ops@shop.example")).status).toBe(409);
    await made("POST", `/keys/${key.id}/revoke`, undefined);
    expect((await remove("/senders/ops@shop.example")).status).toBe(204);
  });

  it("of a client prevent archiving without force, and the answer to force names them", async () => {
    const { client, watch } = await newWatch();
    await putSchedule("Weekly", { scope: { type: "domain", id: watch.id } });
    await putSchedule("Monthly", { scope: { type: "client", id: client.id } });
    const path = `/intel/clients/${client.id}`;
    const body = { name: client.name, contact_emails: [], archived: true };
    const refused = await ask("PUT", path, body);
    expect(refused.problem.code).toBe("resource.in_use");
    expect(refused.problem.used_by?.map(({ name }) => name).sort()).toEqual(["Monthly", "Weekly"]);
    const { body: archived } = await ask("PUT", path, { ...body, force: true });
    expect(archived).toMatchObject({ id: client.id, status: "archived", used_by_count: 2 });
    expect(archived.used_by).toEqual(refused.problem.used_by);
    expect(archived.used_by).toContainEqual(
      expect.objectContaining({
        kind: "schedule",
        id: expect.stringMatching(/^rps_|^[a-z]+_/),
        name: "Weekly",
      }),
    );
    const [entry] = await entriesOf("client.update");
    const named = entry?.changes.find(({ field }) => field === "used_by")?.before;
    expect(JSON.parse(named ?? "[]").sort()).toEqual(["schedule Monthly", "schedule Weekly"]);
    const { body: restored } = await ask("PUT", path, { ...body, archived: false });
    expect(restored.status).toBe("active");
    expect(Object.keys(restored)).not.toContain("used_by");
  });
});

describe("a removal and a new user at the same moment", () => {
  const rounds = Array.from({ length: 12 }, (_, round) => round);

  it.each(rounds)("never leave a rule without its on-call schedule (round %i)", async (round) => {
    const { operator } = world.dashboard.identity;
    const name = `primary-${round}`;
    await putOnCall(name);
    const settings = {
      name: "pager",
      match: [{ field: "source", op: "exists" }],
      notify: { onCallSchedules: [name], from: "alerts@example.com" },
    };
    const [put, removed] = await Promise.allSettled([
      operator.rules.putRule({ accountId, settings }),
      operator.oncalls.deleteOnCallSchedule({ accountId, name }),
    ]);
    expect([put.status, removed.status].sort()).toEqual(["fulfilled", "rejected"]);
  });

  it.each(rounds)("never leave a rule without its template (round %i)", async (round) => {
    const { operator } = world.dashboard.identity;
    const name = `mail-${round}`;
    await newTemplate(name);
    const settings = {
      name: "pager",
      match: [{ field: "source", op: "exists" }],
      notify: { recipients: ["oncall@example.net"], from: "alerts@example.com", template: name },
    };
    const [put, removed] = await Promise.allSettled([
      operator.rules.putRule({ accountId, settings }),
      operator.templates.deleteTemplate({ accountId, name }),
    ]);
    expect([put.status, removed.status].sort()).toEqual(["fulfilled", "rejected"]);
  });
});
