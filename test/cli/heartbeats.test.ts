import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BASE_URL } from "../harness/identity.ts";
import { type AlertShell, openAlertShell } from "./alert-shell.ts";

let shell: AlertShell;
beforeAll(async () => {
  shell = await openAlertShell();
});
afterAll(() => shell.close());

async function create(name: string, ...options: string[]) {
  shell.identity.time.pass(1);
  const { code, out, err } = await shell.hermod("heartbeat", "create", name, ...options);
  expect(code, err).toBe(0);
  const [, id = ""] = /\((hbt_\w+)\)/.exec(err) ?? [];
  return { id, url: out.trimEnd() };
}
const show = (id: string) => shell.json("heartbeat", "show", id);
const ping = (url: string) =>
  shell.identity.operator.heartbeats.pingHeartbeat({ token: url.split("/").at(-1) ?? "" });

describe("hermod heartbeat", () => {
  it("create writes only the URL to standard output, and show and list have the rest", async () => {
    const times = ["--cron", "5 2 * * *", "--timezone", "Europe/Berlin", "--grace", "30m"];
    const { id, url } = await create("nightly backup", ...times, "--tag", "db");
    expect(url).toMatch(new RegExp(`^${BASE_URL}/inbound/heartbeats/hm_ping_\\w+$`));
    const shown = { cron: "5 2 * * *", grace_seconds: 1_800, tags: ["db"], state: "new" };
    expect(await show(id)).toMatchObject(shown);
    const { out } = await shell.hermod("heartbeat", "show", id);
    expect(out).toContain("5 2 * * * (Europe/Berlin), grace 30m 0s");
    const listed = (await shell.hermod("heartbeat", "list", "--tag", "db")).out.split("\n");
    expect(listed[0]).toMatch(/^ID +NAME +STATE +EXPECTED +LAST SUCCESS +NEXT DUE$/);
    expect(listed[1]).toMatch(
      /nightly backup +new +5 2 \* \* \* \(Europe\/Berlin\), grace 30m 0s +never +-$/,
    );
    const none = await shell.hermod("heartbeat", "list", "--state", "down");
    expect(none.out).toBe("There are no heartbeats.\n");
  });

  it("edit changes the given settings, and replaces an expression by a period", async () => {
    const { id } = await create("hourly", "--cron", "@hourly", "--severity", "warning", "--tag", "a");
    await shell.hermod("heartbeat", "edit", id, "--period", "1h", "--name", "every hour");
    expect(await show(id)).toMatchObject({
      name: "every hour",
      cron: null,
      timezone: null,
      period_seconds: 3_600,
      severity: "warning",
      tags: ["a"],
    });
    await shell.hermod("heartbeat", "edit", id, "--cron", "@daily", "--tag", "");
    expect(await show(id)).toMatchObject({ cron: "@daily", timezone: "UTC", tags: [] });
    const refused = await shell.hermod("heartbeat", "edit", id, "--cron", "@never");
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("cron")]);
  });

  it("pause, resume, pings, rotate-token and remove", async () => {
    const { id, url } = await create("job", "--period", "10m");
    await ping(url);
    const pings = await shell.hermod("heartbeat", "pings", id);
    expect(pings.out).toMatch(/^NUMBER .*\n1 .* success +- +- +token/);
    expect((await shell.hermod("heartbeat", "pause", id)).out).toBe('Paused the heartbeat "job".\n');
    expect((await show(id)).state).toBe("paused");
    expect((await shell.hermod("heartbeat", "resume", id)).out).toMatch(
      /^Resumed the heartbeat "job"\. The next ping is due \d{4}-.* UTC\.\n$/,
    );
    const rotated = (await shell.hermod("heartbeat", "rotate-token", id)).out.trimEnd();
    await expect(ping(url)).rejects.toMatchObject({ code: "heartbeat.unknown" });
    expect(await ping(rotated)).toMatchObject({ state: "up" });
    expect((await shell.hermod("heartbeat", "remove", id)).out).toBe(`Removed the heartbeat ${id}.\n`);
    expect((await shell.hermod("heartbeat", "show", id)).code).toBe(1);
  });
});
