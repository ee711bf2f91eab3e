import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AlertShell, openAlertShell } from "./alert-shell.ts";

let shell: AlertShell;
beforeAll(async () => {
  shell = await openAlertShell();
  expect((await shell.hermodWith(SCHEDULE, "on-call", "put", "-")).code).toBe(0);
});
afterAll(() => shell.close());

const SCHEDULE = `
name: primary
layers:
  - name: Daily
    participants: [{ address: ada@example.net }, { address: bob@example.net }]
    starts_at: 2026-01-01T08:00:00Z
    time_zone: UTC
    shift: { length: 1, unit: day }
fallback_recipients: [ops@example.net]
`;

/** The columns of each line of a table. */
const rows = async (...argv: string[]) =>
  (await shell.hermod(...argv)).out
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/ {2,}/));

describe("hermod on-call", () => {
  it("put creates and changes schedules in the form that show writes", async () => {
    const again = await shell.hermodWith(
      (await shell.hermod("on-call", "show", "primary")).out,
      ...["on-call", "put", "-"],
    );
    expect(again.out).toBe("The on-call schedule primary is stored.\n");
    expect(await rows("on-call", "list")).toEqual([
      ["SCHEDULE", "LAYERS", "PEOPLE", "FALLBACK"],
      ["primary", "Daily (1 day)", "ada@example.net, bob@example.net", "ops@example.net"],
    ]);
  });

  it("who and shifts show the participants on call", async () => {
    const who = await shell.hermod("on-call", "who", "primary", "--at", "2030-01-01T09:00:00Z");
    expect(who.out).toMatch(/^(ada|bob)@example\.net is on call until 2030-01-02 08:00:00 UTC\.\n$/);
    const before = await shell.hermod("on-call", "who", "primary", "--at", "2025-12-31T09:00:00Z");
    expect(before.out).toBe(
      "No participant is on call until 2026-01-01 08:00:00 UTC. Notified instead: ops@example.net.\n",
    );
    const range = ["--from", "2026-01-01T00:00:00Z", "--until", "2026-01-03T00:00:00Z"];
    expect(await rows("on-call", "shifts", "primary", ...range)).toEqual([
      ["FROM", "UNTIL", "ON CALL", "BY"],
      ["2026-01-01 00:00:00 UTC", "2026-01-01 08:00:00 UTC", "none", "fallback"],
      ["2026-01-01 08:00:00 UTC", "2026-01-02 08:00:00 UTC", "ada@example.net", "Daily"],
      ["2026-01-02 08:00:00 UTC", "2026-01-03 00:00:00 UTC", "bob@example.net", "Daily"],
    ]);
  });

  it("override add, list and remove replace the participant for a time", async () => {
    const added = await shell.hermod(
      ...["on-call", "override", "add", "primary", "eve@example.net", "--for", "2h", "--comment", "dentist"],
    );
    expect(added.out).toMatch(/^oco_\w+: eve@example\.net is on call until .* UTC\.\n$/);
    const [id = ""] = added.out.split(":");
    const [, row] = await rows("on-call", "override", "list", "primary");
    expect([row?.[0], row?.[4], row?.[5]]).toEqual([id, "eve@example.net", "dentist"]);
    const removed = await shell.json("on-call", "override", "remove", "primary", id);
    expect(removed).toEqual({ removed: id });
    expect((await shell.hermod("on-call", "override", "list", "primary")).out).toBe(
      "There are no overrides.\n",
    );
    const unclear = await shell.hermod("on-call", "override", "add", "primary", "eve@example.net");
    expect([unclear.code, unclear.err]).toEqual([1, expect.stringContaining("either --for or --until")]);
  });

  it("swap exchanges two shifts, and refuses what is no shift", async () => {
    const day = Math.ceil(Date.now() / 86_400_000) * 86_400_000 + 9 * 3_600_000;
    const time = (days: number) => {
      const from = day + days * 86_400_000;
      return [from, from + 3_600_000].map((at) => new Date(at).toISOString()).join("/");
    };
    const [, ...swapped] = await rows("on-call", "swap", "primary", time(1), time(2));
    expect(swapped.map((row) => row[4]).toSorted()).toEqual(["ada@example.net", "bob@example.net"]);
    expect(await rows("on-call", "override", "list", "primary")).toHaveLength(3);
    const refused = await shell.hermod("on-call", "swap", "primary", time(1), "tomorrow");
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('but is "tomorrow"')]);
  });

  it("remove refuses a schedule that a rule names", async () => {
    const rule = `
name: pager
notify: { on_call_schedules: [primary], from: alerts@example.com }
`;
    expect((await shell.hermodWith(rule, "alert-rule", "put", "-")).code).toBe(0);
    const [, row] = await rows("alert-rule", "list");
    expect(row).toContain("on call: primary");
    const refused = await shell.hermod("on-call", "remove", "primary");
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("\n  alert_rule pager (")]);
    await shell.hermod("alert-rule", "remove", "pager");
    expect((await shell.hermod("on-call", "remove", "primary")).out).toBe(
      "Removed the on-call schedule primary.\n",
    );
  });
});
