import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AlertShell, DISK, openAlertShell, PAGER } from "./alert-shell.ts";

let shell: AlertShell;
beforeAll(async () => {
  shell = await openAlertShell();
  await shell.hermodWith(PAGER, "alert-rule", "put", "-");
});
afterAll(() => shell.close());
beforeEach(() => shell.identity.time.pass(1));

const OPTIONS = ["--event-type", "disk.full", "--severity", "critical", "--source", "cron"];
const MESSAGE = ["--message", "/var is full"];
const stored = async () => (await shell.json("alert", "list")).data;
const latest = async () => (await stored())[0].alert;

describe("hermod alert send", () => {
  it("sends an alert from options, and shows its outcome", async () => {
    const { code, out } = await shell.hermod(
      ...["alert", "send", ...OPTIONS, ...MESSAGE, "--entity-id", "web-1"],
    );
    expect(code).toBe(0);
    expect(out.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      ["Alert", expect.stringMatching(/^alr_/)],
      ["Status", "routed"],
      ["Rules", "pager"],
      ["Incidents", expect.stringMatching(/^inc_/)],
      ["Messages", expect.stringMatching(/^msg_/)],
      [""],
    ]);
    expect(await latest()).toMatchObject({
      event_type: "disk.full",
      severity: "critical",
      entity_id: "web-1",
    });
  });

  it("shows why no mail is sent at once, and when it is", async () => {
    const { out } = await shell.hermod("alert", "send", ...OPTIONS, ...MESSAGE, "--entity-id", "web-1");
    expect(out).toMatch(/^Messages +none\nDeferred +pager: deduplicated, next at \d{4}-.* UTC\n$/m);
    const unmatched = await shell.hermod("alert", "send", ...OPTIONS, ...MESSAGE, "--severity", "info");
    expect(unmatched.err).toContain("No alert rule matches the alert: it is stored, and no mail is sent.");
    expect(unmatched.out).toMatch(/^Status +unmatched\nRules +none\nIncidents +none\nMessages +none\n$/m);
  });

  it("reads a file; options replace its values and add to the context", async () => {
    const file = shell.file("disk.yaml", DISK);
    const changes = ["--entity-id", "web-2", "--context", "free=0.03", "urgent=true", "why=a=b"];
    expect((await shell.hermod("alert", "send", file, ...changes)).code).toBe(0);
    expect(await latest()).toMatchObject({
      event_type: "disk.full",
      message: "/var is full",
      entity_type: "host",
      entity_id: "web-2",
      context: { mount: "/var", free: 0.03, urgent: true, why: "a=b" },
    });
  });

  it("reads JSON from standard input", async () => {
    const given = { event_type: "job.failed", severity: "info", source: "cron", message: "no backup" };
    expect((await shell.hermodWith(JSON.stringify(given), "alert", "send", "-")).code).toBe(0);
    expect(await latest()).toMatchObject(given);
  });

  it("keeps number-like identifiers as text", async () => {
    const context = ["--context", "order=007", "id=12345678901234567890", "share=1.5"];
    expect((await shell.hermod("alert", "send", ...OPTIONS, ...MESSAGE, ...context)).code).toBe(0);
    expect((await latest()).context).toEqual({ order: "007", id: "12345678901234567890", share: 1.5 });
  });

  it("accepts the same alert with the same idempotency key once", async () => {
    const send = () => shell.json("alert", "send", ...OPTIONS, ...MESSAGE, "--idempotency-key", "backup-1");
    const [first, again] = [await send(), await send()];
    expect([again.alert_id, first.replayed, again.replayed]).toEqual([first.alert_id, false, true]);
  });

  it.each([
    ["an empty file", "", " must hold an object or a list of objects."],
    ["two alerts", `${DISK}---${DISK}`, "hermod: The file must hold one alert."],
    [
      "a context that is no object",
      `${DISK.replace(/context.*/, "context: text")}`,
      " is not a valid alert, at /context: it must be an object.",
    ],
    ["an unknown field", `${DISK}\nhost: web-1\n`, ' is not a valid alert: Alert: key "host" is unknown.'],
    [
      "a number for a text",
      "event_type: 1\n",
      " is not a valid alert: Alert.event_type: expected string, got 1.",
    ],
    [
      "a moment that is none",
      `${DISK}\noccurred_at: yesterday\n`,
      " is not a valid alert, at /occurred_at: ",
    ],
  ])("refuses %s, and stores nothing", async (_what, text, words) => {
    const before = await stored();
    const { code, out, err } = await shell.hermod("alert", "send", shell.file("wrong.yaml", text));
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(words);
    expect(await stored()).toEqual(before);
  });

  it("refuses what the core refuses, field by field", async () => {
    const { code, err } = await shell.hermod("alert", "send", "--event-type", "x", "--severity", "info");
    expect([code, err]).toEqual([
      1,
      "hermod: 2 fields are not valid.\n  /source  The value must not be empty.\n  /message  The value must not be empty.\n",
    ]);
    const wrong = await shell.hermod("alert", "send", ...OPTIONS, ...MESSAGE, "--context", "mount");
    expect([wrong.code, wrong.err]).toEqual([1, 'hermod: --context must be name=value, but is "mount".\n']);
    const list = shell.file("list.yaml", DISK.replace(/context.*/, "context: [1]"));
    const added = await shell.hermod("alert", "send", list, "--context", "a=b");
    expect(added.err).toBe(
      "hermod: `context` in the file must be an object, so that --context can add to it.\n",
    );
  });
});

describe("hermod alert list and show", () => {
  it("list newest first, safe for a terminal", async () => {
    await shell.hermod("alert", "send", ...OPTIONS, "--message", "\u001b[2Jgone", "--entity-id", "web-3");
    const { out } = await shell.hermod("alert", "list", "--limit", "1");
    const [heading, line, ...others] = out.split("\n");
    expect(heading?.split(/ {2,}/)).toEqual(["ALERT", "RECEIVED", "SEVERITY", "STATUS", "MESSAGE"]);
    expect(line?.split(/ {2,}/).slice(2)).toEqual(["critical", "routed", "cron:", "[2Jgone"]);
    expect(others).toEqual([""]);
  });

  it("show the decision of each rule for a received alert, also after rules have changed", async () => {
    const { alert_id: id } = await shell.json("alert", "send", ...OPTIONS, ...MESSAGE, "--severity", "info");
    await shell.hermod("alert-rule", "put", shell.file("drop.yaml", "{ name: pager, effect: drop }"));
    const { out } = await shell.hermod("alert", "show", id);
    expect(out).toBe(
      [
        `Alert      ${id}`,
        ...["Status     unmatched", "Rules      none", "Incidents  none", "Messages   none", ""],
        "pager (version 1): not_met",
        '    fails    severity gte "critical"',
        "",
      ].join("\n"),
    );
    const { alert, rules } = await shell.json("alert", "show", id);
    expect(alert).toMatchObject({ id, outcome: { status: "unmatched" } });
    expect(rules).toMatchObject([{ rule: "pager", version: 1, conditions: [{ verdict: "fails" }] }]);
  });

  it("report an unknown alert", async () => {
    const { code, err } = await shell.hermod("alert", "show", "alr_none", "--json");
    expect([code, JSON.parse(err).error.code]).toEqual([1, "alert.unknown"]);
  });
});
