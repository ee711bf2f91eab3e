import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Dashboard, type Method, openDashboard } from "../harness/dashboard.ts";

let world: Dashboard;
let accountId: string;
let member: { readonly userId: string; readonly email: string; readonly token: string };

beforeAll(async () => {
  // Berlin skips 02:00 to 03:00 on 31 March 2030.
  world = await openDashboard({ startAt: new Date("2030-03-25T08:00:00Z") });
});
afterAll(() => world.close());
beforeEach(async () => {
  accountId = await world.identity.openAccount();
  member = await world.identity.memberOf(accountId);
});

const ask = (method: Method, path: string, body?: unknown, token = member.token) =>
  world.ask(method, `/api/on-call-schedules${path}`, { token, ...(body !== undefined && { body }) });

const layer = (changes: object = {}) => ({
  name: "Daily",
  participants: [{ address: "ada@example.net" }, { user_id: member.userId }],
  starts_at: "2030-03-25T09:00:00+01:00",
  time_zone: "Europe/Berlin",
  shift: { length: 1, unit: "day" },
  ...changes,
});
const schedule = (changes: object = {}) => ({
  layers: [layer()],
  fallback_recipients: ["ops@example.net"],
  ...changes,
});
const put = (changes: object = {}, name = "primary") => ask("PUT", `/${name}`, schedule(changes));
const shifts = (from: string, until: string, more = "") =>
  ask("GET", `/primary/shifts?from=${from}&until=${until}${more}`);

interface ShownShift {
  readonly from: string;
  readonly person?: { readonly address: string };
  readonly layer: string;
  readonly override_id: string;
}
const lines = (data: readonly ShownShift[]) =>
  data.map(({ from, person, layer: name, override_id }) =>
    [from.slice(5, 16), person?.address ?? "none", override_id === "" ? name : "override"].join(" "),
  );

describe("on-call schedules, in the dashboard", () => {
  it("are created with defaults, listed, read, replaced and removed", async () => {
    const made = await put();
    expect([made.status, made.body]).toMatchObject([
      201,
      {
        id: expect.stringMatching(/^ocs_/),
        account_id: accountId,
        settings: {
          name: "primary",
          description: "",
          layers: [
            {
              name: "Daily",
              participants: [{ address: "ada@example.net" }, { user_id: member.userId }],
              starts_at: "2030-03-25T08:00:00Z",
              time_zone: "Europe/Berlin",
              shift: { length: 1, unit: "day" },
              handover: { time: "09:00" },
              windows: [],
            },
          ],
          fallback_recipients: ["ops@example.net"],
        },
        people: [
          { user_id: "", address: "ada@example.net" },
          { user_id: member.userId, address: member.email },
        ],
      },
    ]);
    expect((await ask("GET", "/primary")).body).toEqual(made.body);
    expect((await ask("GET", "")).body).toEqual({ data: [made.body], has_more: false });
    // The answer is a valid request.
    const { name: _, ...settings } = made.body.settings;
    const same = await ask("PUT", "/primary", settings);
    expect([same.status, same.body]).toEqual([200, made.body]);
    const weekly = layer({ shift: { length: 2, unit: "week" }, handover: { time: "08:30" } });
    const replaced = await put({ layers: [weekly], if_revision: made.body.revision });
    expect(replaced.body.settings.layers[0].handover).toEqual({ time: "08:30", weekday: 1 });
    expect((await put({ if_revision: made.body.revision })).problem).toMatchObject({
      code: "resource.stale",
      revision: replaced.body.revision,
    });
    expect((await put({ if_revision: "none" })).problem.code).toBe("resource.stale");
    const { body: difference } = await ask("GET", "/primary/diff");
    expect(difference.changes.map(({ field }: { field: string }) => field)).toContain("layers.0.shift.unit");
    const restored = await ask("POST", "/primary/restore", { version: 1 });
    expect(restored.body.settings).toEqual(made.body.settings);
    const { body: versions } = await ask("GET", "/primary/versions");
    expect(versions.data.map(({ version }: { version: number }) => version)).toEqual([3, 2, 1]);
    expect((await ask("GET", "/primary/versions/2")).body.content).toEqual(replaced.body.settings);
    expect((await ask("DELETE", "/primary")).status).toBe(204);
    expect((await ask("GET", "/primary")).problem.code).toBe("on_call_schedule.unknown");
  });

  it("have handovers at the same local time before and after a clock change", async () => {
    await put();
    const { body } = await shifts("2030-03-29T00:00:00Z", "2030-04-02T00:00:00Z");
    expect(lines(body.data)).toEqual([
      `03-29T00:00 ${member.email} Daily`,
      "03-29T08:00 ada@example.net Daily",
      `03-30T08:00 ${member.email} Daily`,
      "03-31T07:00 ada@example.net Daily",
      `04-01T07:00 ${member.email} Daily`,
    ]);
    expect(body.data.at(-1).until).toBe("2030-04-02T00:00:00Z");
  });

  it("list shifts in pages, with overrides and gaps", async () => {
    await put({ layers: [layer({ windows: [{ days: [1, 2, 3, 4, 5], from: "09:00", to: "17:00" }] })] });
    const override = {
      participant: { address: "eve@example.net" },
      from: "2030-03-25T10:00:00Z",
      until: "2030-03-25T11:00:00Z",
      comment: "dentist",
    };
    const added = await ask("POST", "/primary/overrides", override);
    expect([added.status, added.body]).toMatchObject([
      201,
      {
        state: "pending",
        comment: "dentist",
        created_by: member.email,
        person: { address: "eve@example.net" },
      },
    ]);
    const found: ShownShift[] = [];
    let cursor = "";
    do {
      const { body } = await shifts(
        "2030-03-25T08:00:00Z",
        "2030-03-26T08:00:00Z",
        `&limit=2${cursor && `&cursor=${cursor}`}`,
      );
      expect(body.data.length).toBeLessThanOrEqual(2);
      found.push(...body.data);
      cursor = body.next_cursor ?? "";
    } while (cursor !== "");
    expect(lines(found)).toEqual([
      "03-25T08:00 ada@example.net Daily",
      "03-25T10:00 eve@example.net override",
      "03-25T11:00 ada@example.net Daily",
      "03-25T16:00 none ",
    ]);
    const atNight = await ask("GET", "/primary/on-call?at=2030-03-25T20:00:00Z");
    expect(atNight.body).toMatchObject({ at: "2030-03-25T20:00:00Z", recipients: ["ops@example.net"] });
    expect(atNight.body.shift.until).toBe("2030-03-26T08:00:00Z");
    const { body: listed } = await ask("GET", "/primary/overrides");
    expect(listed).toEqual({ data: [added.body], has_more: false });
    expect((await ask("DELETE", `/primary/overrides/${added.body.id}`)).status).toBe(204);
    expect((await ask("GET", "/primary/overrides")).body.data).toEqual([]);
  });

  it("swap two shifts in one request, if the expected participants are on call", async () => {
    await put();
    const [monday, tuesday] = [
      { from: "2030-03-25T08:00:00Z", until: "2030-03-26T08:00:00Z" },
      { from: "2030-03-26T08:00:00Z", until: "2030-03-27T08:00:00Z" },
    ];
    const ada = { address: "ada@example.net" };
    const self = { user_id: member.userId };
    const swapped = await ask("POST", "/primary/swaps", {
      first: { ...monday, participant: ada },
      second: { ...tuesday, participant: self },
      comment: "holiday",
    });
    expect(swapped.status).toBe(201);
    expect(swapped.body.data).toMatchObject([
      { person: { address: member.email }, ...monday, comment: "holiday" },
      { person: ada, ...tuesday, comment: "holiday" },
    ]);
    const { body } = await shifts("2030-03-25T08:00:00Z", "2030-03-28T08:00:00Z");
    expect(lines(body.data)).toEqual([
      `03-25T08:00 ${member.email} override`,
      "03-26T08:00 ada@example.net override",
      "03-27T08:00 ada@example.net Daily",
    ]);
    const faultsOf = async (first: object, second: object) =>
      (await ask("POST", "/primary/swaps", { first, second })).problem.errors?.map(({ pointer }) => pointer);
    expect(await faultsOf({ ...monday, participant: ada }, { ...tuesday, participant: ada })).toEqual([
      "/first/participant",
    ]);
    expect(await faultsOf({ from: monday.from, until: tuesday.until }, tuesday)).toEqual(["/second"]);
    expect(await faultsOf(monday, { from: tuesday.from, until: "2030-03-29T08:00:00Z" })).toEqual([
      "/second",
    ]);
    const wednesday = { from: "2030-03-27T08:00:00Z", until: "2030-03-28T08:00:00Z" };
    expect(await faultsOf(tuesday, wednesday)).toEqual(["/second"]);
    expect((await ask("GET", "/primary/overrides")).body.data).toHaveLength(2);
  });

  it("are refused with every faulty field, and then nothing is stored", async () => {
    const refused = await put({
      layers: [
        layer({
          name: "",
          participants: [{}, { address: "no address" }, { user_id: "usr_1", address: "a@example.net" }],
          time_zone: "Europe/Atlantis",
          shift: { length: 0, unit: "day" },
          handover: { time: "9", weekday: 1 },
          windows: [{ from: "x", to: "24:00" }],
        }),
      ],
      fallback_recipients: [],
    });
    expect(refused.status).toBe(422);
    const pointers = refused.problem.errors?.map(({ pointer }) => pointer) ?? [];
    expect(pointers.length).toBeGreaterThan(0);
    const valid = { shift: { length: 1, unit: "day" } };
    const byCore = await put({
      layers: [
        layer({
          ...valid,
          name: "",
          participants: [{}, { address: "no address" }],
          time_zone: "Europe/Atlantis",
          shift: { length: 400, unit: "day" },
          handover: { time: "9", weekday: 1 },
          windows: [{ from: "x", to: "24:00" }],
        }),
        layer(),
        layer(),
      ],
      fallback_recipients: [],
    });
    expect(byCore.problem.errors?.map(({ pointer }) => pointer)).toEqual([
      "/layers/0/name",
      "/layers/0/time_zone",
      "/layers/0/shift/length",
      "/layers/0/participants/0",
      "/layers/0/participants/1/address",
      "/layers/0/handover/time",
      "/layers/0/handover/weekday",
      "/layers/0/windows/0/from",
      "/layers/0/windows/0/to",
      "/layers/2/name",
      "/fallback_recipients",
    ]);
    const many = Array.from({ length: 51 }, () => ({ address: "ada@example.net" }));
    const tooMany = await put({ layers: [layer({ participants: many })] });
    expect(tooMany.problem.errors).toMatchObject([
      { pointer: "/layers/0/participants", code: "field.too_many" },
    ]);
    const early = await put({ layers: [layer({ starts_at: "1970-01-01T00:00:00Z" })] });
    expect(early.problem.errors).toMatchObject([{ pointer: "/layers/0/starts_at" }]);
    const noTime = await put({ layers: [layer({ starts_at: "tomorrow" })] });
    expect(noTime.problem.errors).toMatchObject([{ pointer: "/layers/0/starts_at" }]);
    expect((await ask("GET", "")).body.data).toEqual([]);
    await put();
    const range = await shifts("2030-03-25T00:00:00Z", "2030-06-27T00:00:00Z");
    expect(range.problem.errors).toMatchObject([{ pointer: "/until" }]);
    const past = { participant: { address: "eve@example.net" }, until: "2030-03-25T00:00:00Z" };
    expect((await ask("POST", "/primary/overrides", past)).problem.errors).toMatchObject([
      { pointer: "/until" },
    ]);
    const stranger = { participant: { user_id: "usr_1" }, until: "2030-03-26T00:00:00Z" };
    expect((await ask("POST", "/primary/overrides", stranger)).problem.code).toBe("member.unknown");
  });

  it("are read, but not changed, by a viewer", async () => {
    await put();
    const viewer = (await world.identity.memberOf(accountId, "viewer")).token;
    expect((await ask("GET", "/primary", undefined, viewer)).status).toBe(200);
    const override = { participant: { address: "eve@example.net" }, until: "2030-03-26T00:00:00Z" };
    const refused = await ask("POST", "/primary/overrides", override, viewer);
    expect(refused.problem.code).toBe("auth.permission_missing");
  });
});
