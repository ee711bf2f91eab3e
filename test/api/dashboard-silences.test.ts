import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Dashboard, type Method, openDashboard } from "../harness/dashboard.ts";
import { allowSending } from "../harness/finished-message.ts";

const HOUR = 3_600_000;
const MATCH = [{ field: "entity_id", op: "eq", value: "backup-1" }];

let world: Dashboard;
let accountId: string;
let token: string;

beforeAll(async () => {
  world = await openDashboard();
});
afterAll(() => world.close());
beforeEach(async () => {
  accountId = await world.identity.openAccount();
  token = (await world.identity.memberOf(accountId)).token;
});

const ask = (method: Method, path: string, body?: unknown) =>
  world.ask(method, `/api${path}`, { token, ...(body !== undefined && { body }) });
const later = (ms: number) => new Date(world.identity.time.clock.now().getTime() + ms).toISOString();
const WEEKLY = {
  time_zone: "Europe/Berlin",
  windows: [{ days: [7], from: "02:00", to: "04:00" }],
};

describe("silences, in the dashboard", () => {
  it("are created for a time and weekly, read, changed, listed and ended", async () => {
    const asked = { match: MATCH, comment: "backup", ends_at: later(HOUR) };
    const once = await ask("POST", "/silences", asked);
    expect([once.status, once.body]).toMatchObject([
      201,
      { match: MATCH, any: [], state: "active", active_until: asked.ends_at, ends_at: asked.ends_at },
    ]);
    expect(once.body).not.toHaveProperty("weekly");
    const weekly = await ask("POST", "/silences", { match: MATCH, comment: "backup", weekly: WEEKLY });
    expect([weekly.status, weekly.body]).toMatchObject([201, { weekly: WEEKLY, comment: "backup" }]);
    expect(weekly.body).not.toHaveProperty("ends_at");
    const { id, revision, starts_at, state } = weekly.body;
    expect(weekly.body).toHaveProperty(state === "active" ? "active_until" : "next_start_at");
    expect((await ask("GET", `/silences/${id}`)).body).toEqual(weekly.body);

    const change = { match: MATCH, comment: "longer", ends_at: later(2 * HOUR), if_revision: revision };
    const changed = await ask("PUT", `/silences/${id}`, change);
    expect([changed.status, changed.body]).toMatchObject([200, { id, starts_at, comment: "longer" }]);
    expect(changed.body).not.toHaveProperty("weekly");
    const stale = await ask("PUT", `/silences/${id}`, change);
    expect([stale.status, stale.problem]).toMatchObject([
      409,
      { code: "resource.stale", revision: changed.body.revision },
    ]);
    const { body: list } = await ask("GET", "/silences");
    expect(list.data.map((one: { id: string }) => one.id)).toEqual(
      expect.arrayContaining([id, once.body.id]),
    );
    expect((await ask("POST", `/silences/${id}/end`)).body).toMatchObject({ state: "expired" });
    const over = await ask("PUT", `/silences/${id}`, { ...change, if_revision: undefined });
    expect([over.status, over.problem.code]).toEqual([422, "silence.ended"]);
  });

  it("are previewed, with the need of a confirmation", async () => {
    await allowSending(world.identity, accountId);
    await world.identity.operator.rules.putRule({ accountId, settings: { name: "all" } });
    const alert = { eventType: "e", severity: "info", source: "s", message: "m", entityId: "backup-1" };
    await world.identity.operator.alerts.sendAlert({ accountId, alert });
    const { status, body } = await ask("POST", "/silences/preview", { match: MATCH });
    expect([status, body]).toMatchObject([
      200,
      {
        needs_confirmation: false,
        incidents: 1,
        partial_incidents: 0,
        listed: [{ rule: "all", severity: "info", state: "open", firing: 1, matching: 1 }],
        all_incidents_read: true,
        alerts: 1,
        alerts_read: 1,
        all_alerts_read: true,
      },
    ]);
    const every = await ask("POST", "/silences/preview", {});
    expect(every.body).toMatchObject({ needs_confirmation: true, alerts: 1 });
    const refused = await ask("POST", "/silences", { comment: "all", ends_at: later(HOUR) });
    expect([refused.status, refused.problem.code]).toEqual([409, "silence.unconfirmed"]);
  });

  it.each([
    [{ comment: "x", ends_at: "tomorrow" }, ["/ends_at"]],
    [{ comment: "x", weekly: { ...WEEKLY, time_zone: "Mars/Olympus" } }, ["/weekly/time_zone"]],
    [
      { comment: "x", weekly: { ...WEEKLY, windows: [{ from: "25:00", to: "04:00" }] } },
      ["/weekly/windows/0/from"],
    ],
    [
      { comment: "x", weekly: { ...WEEKLY, windows: [{ days: [0], from: "02:00", to: "04:00" }] } },
      ["/weekly/windows/0/days/0"],
    ],
    [{ comment: "x", weekly: { ...WEEKLY, every: 2 } }, ["/weekly/every"]],
    [{ comment: "", weekly: WEEKLY }, ["/comment"]],
    [{ comment: "x", match: [{ field: "host", op: "eq", value: "a" }], weekly: WEEKLY }, ["/match/0/field"]],
  ])("are refused with the field: %j", async (body, pointers) => {
    const { status, problem } = await ask("POST", "/silences", body);
    expect([status, problem.code]).toEqual([422, "request.validation_failed"]);
    expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(pointers);
    expect((await ask("GET", "/silences")).body.data).toEqual([]);
  });
});
