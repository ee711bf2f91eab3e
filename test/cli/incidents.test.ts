import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type AlertShell, DISK, openAlertShell, PAGER } from "./alert-shell.ts";

let shell: AlertShell;
beforeAll(async () => {
  shell = await openAlertShell();
  await shell.hermodWith(PAGER, "alert-rule", "put", "-");
});
afterAll(() => shell.close());

let entity = 0;
let id: string;
beforeEach(async () => {
  shell.identity.time.pass(1);
  const file = shell.file("disk.yaml", DISK);
  const { outcome } = await shell.json("alert", "send", file, "--entity-id", `web-${++entity}`);
  [id] = outcome.incident_ids;
});

const stateOf = async (incident: string) => (await shell.json("incident", "show", incident)).incident.state;
const idsOf = async (...options: string[]) =>
  (await shell.json("incident", "list", ...options)).data.map((one: { id: string }) => one.id);

it("hermod incident list shows newest first, and filters by state", async () => {
  const { out } = await shell.hermod("incident", "list", "--limit", "1");
  const [heading, line, ...others] = out.split("\n").map((one) => one.split(/ {2,}/));
  expect(heading).toEqual(["INCIDENT", "STATE", "OPENED", "ALERTS", "TITLE"]);
  expect(line).toEqual([
    id,
    "open",
    expect.stringMatching(/ UTC$/),
    "1",
    `[critical] cron: /var is full (host web-${entity})`,
  ]);
  expect(others).toEqual([[""]]);
  await shell.hermod("incident", "resolve", id);
  expect(await idsOf("--state", "resolved")).toEqual([id]);
  expect(await idsOf("--state", "open")).not.toContain(id);
  expect((await shell.hermod("incident", "list", "--state", "acknowledged")).out).toBe(
    "No incidents match.\n",
  );
  expect((await shell.hermod("incident", "list", "--state", "shut")).code).toBe(2);
});

it("hermod incident show has active alerts, notifications and the next notification", async () => {
  const { out } = await shell.hermod("incident", "show", id);
  const lines = out.split("\n").map((line) => line.split(/ {2,}/));
  expect(lines).toEqual([
    ["Incident", id],
    ["Title", `[critical] cron: /var is full (host web-${entity})`],
    ["State", "open"],
    ["Rule", "pager, version 1"],
    ["Opened", expect.stringMatching(/ UTC$/)],
    ["Next notice", expect.stringMatching(/ UTC$/)],
    [""],
    ["Active alerts"],
    ["critical", "/var is full", expect.stringMatching(/^since .* UTC$/), "once"],
    [""],
    ["History"],
    [expect.stringMatching(/ UTC$/), "opened", "by rule pager, version 1"],
    [expect.stringMatching(/ UTC$/), "notice", expect.stringContaining("oncall@example.net")],
    [""],
  ]);
  const { incident, history } = await shell.json("incident", "show", id);
  expect(incident).toMatchObject({ id, severity: "critical", notices: 1, acknowledged_by: "" });
  expect(history[1]).toMatchObject({ kind: "notice", message_ids: [expect.stringMatching(/^msg_/)] });
});

it("hermod incident ack and resolve show the state, and may be repeated", async () => {
  for (const _again of [1, 2]) {
    expect((await shell.hermod("incident", "ack", id)).out).toBe(`${id} is acknowledged.\n`);
    expect(await stateOf(id)).toBe("acknowledged");
  }
  const { resolved_by: by } = await shell.json("incident", "resolve", id);
  expect([by, await stateOf(id)]).toEqual(["operator", "resolved"]);
  expect((await shell.hermod("incident", "resolve", id)).code).toBe(0);
  // A resolved incident is no longer acknowledged.
  expect((await shell.hermod("incident", "ack", id)).out).toBe(`${id} is resolved.\n`);
});

it.each(["show", "ack", "resolve"])("hermod incident %s reports an unknown incident", async (verb) => {
  const { code, out, err } = await shell.hermod("incident", verb, "inc_none", "--json");
  expect([code, out, JSON.parse(err).error.code]).toEqual([1, "", "incident.unknown"]);
});

it("hermod incident list filters by severity, rule and text, and sorts", async () => {
  const all = await idsOf();
  expect(await idsOf("--sort", "oldest")).toEqual(all.toReversed());
  expect(await idsOf("--severity", "critical", "--rule", "pager", "--text", `WEB-${entity}`)).toEqual([id]);
  expect(await idsOf("--severity", "info")).toEqual([]);
  expect((await shell.hermod("incident", "list", "--sort", "best")).code).toBe(2);
});

it("hermod incident snooze, assign, note, unack and reopen change an incident, and show has the changes", async () => {
  const snoozed = await shell.hermod("incident", "snooze", id, "--for", "2h");
  expect(snoozed.out).toMatch(new RegExp(`^${id} is snoozed until .* UTC\\.\n$`));
  expect((await shell.hermod("incident", "snooze", id, "--end")).out).toBe(`${id} is not snoozed.\n`);
  expect((await shell.hermod("incident", "snooze", id)).err).toContain("Give one of --for");
  expect((await shell.hermod("incident", "assign", id)).out).toBe(`${id} is assigned to no member.\n`);
  expect((await shell.hermod("incident", "assign", id, "nobody@example.com")).code).toBe(1);
  expect((await shell.hermod("incident", "note", id, "On it.")).out).toBe(`${id} has 1 note.\n`);
  await shell.hermod("incident", "ack", id);
  expect((await shell.hermod("incident", "unack", id)).out).toBe(`${id} is open.\n`);
  await shell.hermod("incident", "resolve", id);
  expect((await shell.hermod("incident", "reopen", id)).out).toBe(`${id} is open.\n`);
  const { out } = await shell.hermod("incident", "show", id);
  expect(out).toMatch(/note +.*: On it\./);
  expect(out).toMatch(/reopened/);
});
