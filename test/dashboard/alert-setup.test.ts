import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { startAlertmanager } from "../harness/alertmanager.ts";
import { askOn, holdAnswers, placeOf } from "../harness/browser.ts";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { eventually } from "../harness/start-hermod.ts";
import { tool } from "../harness/tools.ts";

const run = promisify(execFile);
const browser = tool("chromium");
const alertmanager = tool("alertmanager");

const WAITING = "Waiting for the first alert…";
const ARRIVED = "Alerts of this key arrive.";

describe.skipIf(browser.missing)(`the set-up of alert sources${browser.note}`, () => {
  let world: DashboardWorld;
  let visit: Visit;
  let page: Page;

  beforeAll(async () => {
    world = await openDashboard();
    visit = await world.signIn("/alerts");
    page = visit.page;
  });
  afterAll(() => world?.dispose());

  const ask = (method: string, at: string, body?: object) => askOn(page, method, `/api${at}`, body);
  const open = async (at: string) => {
    await page.goto(`${world.url}/dashboard${at}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
  };
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const expectAccessible = async () => expect(await visit.violations()).toEqual([]);
  /** The text of a code block. */
  const code = async (name: string) =>
    (await page.getByRole("region", { name, exact: true }).textContent()) ?? "";
  const TEST = "Test without the source: run it on the same host";
  /** Opens the guide of a source and creates its key. @returns the key */
  const begin = async (source: string) => {
    await open(`/alerts/set-up/${source}`);
    await page.getByText("ALERT_KEY stands for the key.").waitFor();
    await button("Create a key for it").click();
    await page.getByText(WAITING).waitFor();
    const key = (await page.getByRole("alert").locator("code").textContent()) ?? "";
    expect(key).toMatch(/^hm_live_/);
    return key;
  };
  const shell = (script: string) => run("sh", ["-e", "-c", script]);
  const alertsOf = async (source: string) => (await ask("GET", `/alerts?source=${source}`)).body.data;

  it("names the sources, and what each of them reports", async () => {
    await page.getByRole("link", { name: "Set up a source" }).click();
    await page.getByRole("link", { name: "Prometheus Alertmanager" }).waitFor();
    await expectAccessible();
    await page.getByRole("link", { name: "Cron and scripts" }).click();
    await page.getByRole("heading", { level: 1, name: "Set up Cron and scripts" }).waitFor();
    await page.getByText("Create or choose a key first.").waitFor();
    await expectAccessible();
  });

  it("creates a key for cron, and turns green when the shown script has reported", async () => {
    const key = await begin("cron");
    await expectAccessible();
    const script = await code("Script");
    expect(script).toContain(`${world.url}/v1/alerts/ingest`);
    expect(script).toContain(key);
    await shell(script.replace("/usr/local/bin/backup", "false"));
    // No reload: the page polls.
    await page.getByText(ARRIVED).waitFor();
    await expectAccessible();
    await shell(script.replace("/usr/local/bin/backup", "true"));
    await shell(await code(TEST));
    const alerts = await eventually(async () => {
      const found = await alertsOf("cron");
      return found.length === 3 ? found : undefined;
    });
    const states = alerts.map(({ alert }: { readonly alert: { readonly status?: string } }) => alert.status);
    expect(states.toReversed()).toEqual(["firing", "resolved", "firing"]);
    const { data } = (await ask("GET", "/keys?query=cron")).body;
    expect(data).toMatchObject([{ name: "cron", scope_mode: "alerts_only" }]);
  });

  it("keeps waiting for the same key after a reload, without its secret", async () => {
    const key = await begin("grafana");
    const file = await code("/etc/grafana/provisioning/alerting/hermod.yaml");
    const [point] = parse(file).contactPoints[0].receivers;
    expect(point).toMatchObject({
      type: "webhook",
      settings: { url: `${world.url}/inbound/alerts/grafana`, authorization_credentials: key },
    });
    const command = await code(TEST);
    page.once("dialog", (asked) => void asked.accept());
    await page.reload();
    await page.getByText("ALERT_KEY stands for the key.").waitFor();
    await page.getByText(WAITING).waitFor();
    expect(await page.content()).not.toContain(key);
    await shell(command);
    await page.getByText(ARRIVED).waitFor();
    await page.getByRole("link", { name: "Open the alerts" }).click();
    await page.getByRole("row").filter({ hasText: "A test of the set-up" }).first().waitFor();
  });

  it.skipIf(alertmanager.missing)(
    `works with the configuration of Alertmanager as shown${alertmanager.note}`,
    async () => {
      await begin("alertmanager");
      const keyFile = await code("Command that stores the key");
      const config = await code("alertmanager.yml");
      const FILE = "/etc/alertmanager/hermod.key";
      const text = keyFile.match(/'(hm_live_[^']+)'/)?.[1] ?? "";
      const source = await startAlertmanager(
        (folder) => config.replace(FILE, path.join(folder, "hermod.key")),
        {
          "hermod.key": text,
        },
      );
      try {
        await source.send({
          labels: { alertname: "DiskFull", severity: "critical", job: "node" },
          annotations: { summary: "/var is 97 % full" },
        });
        await page.getByText(ARRIVED).waitFor();
      } finally {
        await source.stop();
      }
      const [{ alert }] = await alertsOf("node");
      expect(alert).toMatchObject({ event_type: "DiskFull", severity: "critical" });
    },
  );

  it("has an address with the key for clients of PagerDuty", async () => {
    await begin("pagerduty");
    expect(await code("Address")).toMatch(/\/inbound\/alerts\/pagerduty\/hm_live_\w+\/v2\/enqueue$/);
    await shell(await code(TEST));
    await page.getByText(ARRIVED).waitFor();
    expect(await alertsOf("set-up")).toHaveLength(1);
  });

  it("shows why a request was refused, and what to do", async () => {
    await begin("sentry");
    const url = await code("Address");
    const post = (body: string) =>
      fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", "sentry-hook-resource": "event_alert" },
        body,
      });
    expect((await post("no json")).status).toBe(400);
    await page.getByText("Hermod refused the last request").waitFor();
    await page.getByText("request.malformed_json").waitFor();
    await page.getByText("The body is not that of this source.").waitFor();
    await expectAccessible();
    const fixture = path.join(import.meta.dirname, "../fixtures/alert-sources/sentry.json");
    expect((await post(await readFile(fixture, "utf8"))).status).toBe(202);
    await page.getByText(ARRIVED).waitFor();
  });

  it("asks before the user leaves with a key that is not stored", async () => {
    const key = await begin("cron");
    await page.getByRole("link", { name: "Set up a source" }).click();
    await page.getByRole("dialog", { name: "Leave without the key?" }).waitFor();
    await expectAccessible();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    expect(await page.content()).toContain(key);
    await page.getByRole("checkbox", { name: "I have stored it" }).check();
    await page.getByRole("link", { name: "Set up a source" }).click();
    await page.getByRole("link", { name: "Prometheus Alertmanager" }).waitFor();
  });

  it("takes an existing key, and shows its last alert", async () => {
    await open("/alerts/set-up/pagerduty");
    await page.getByRole("combobox", { name: "Key of the source" }).click();
    await page.getByRole("option", { name: /^pagerduty \(hm_live_/ }).click();
    await page.getByText(ARRIVED).waitFor();
    expect(new URL(page.url()).searchParams.get("key")).toMatch(/^key_/);
    await page.getByText("ALERT_KEY stands for the key.").waitFor();
    await expectAccessible();
  });

  it("finds a key of many by a part of its name", async () => {
    for (let n = 0; n < 25; n++) {
      const name = n === 24 ? "siren" : `monitor ${n}`;
      const created = await ask("POST", "/keys", { name, kind: "account", scope_mode: "alerts_only" });
      expect(created.status).toBe(201);
    }
    await open("/alerts/set-up/pagerduty");
    const field = page.getByRole("combobox", { name: "Key of the source" });
    await field.click();
    await page.getByRole("option", { name: /^monitor 0 / }).waitFor();
    expect(await page.getByRole("option", { name: /^siren / }).count()).toBe(0);
    await field.fill("sire");
    await page.getByRole("option", { name: /^siren \(hm_live_/ }).click();
    await page.waitForURL("**/alerts/set-up/pagerduty?key=key_*");
    await expect.poll(() => field.inputValue()).toMatch(/^siren /);
    await page.reload();
    await expect.poll(() => field.inputValue()).toMatch(/^siren /);
    await expectAccessible();
  });

  it("keeps the button for a new key in its place when the present keys arrive", async () => {
    const held = await holdAnswers(page, `${world.url}/api/keys?*`);
    await open("/alerts/set-up/pagerduty");
    const create = button("Create a key for it");
    const before = await placeOf(create);
    held.release();
    await page.getByRole("combobox", { name: "Key of the source" }).waitFor();
    expect(await create.boundingBox()).toEqual(before);
  });

  it.each([320, 390, 768, 1280])("fits into %i px", async (width) => {
    await page.setViewportSize({ width, height: 800 });
    for (const source of ["", "/alertmanager", "/grafana", "/pagerduty", "/sentry", "/cron"]) {
      await open(`/alerts/set-up${source}`);
      await expect
        .poll(() => page.getByText("Loading", { exact: true }).count(), { timeout: 30_000 })
        .toBe(0);
      expect([source, await visit.overflow()]).toEqual([source, 0]);
    }
    await page.setViewportSize({ width: 1280, height: 860 });
  });
});
