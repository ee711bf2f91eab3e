import { readFile } from "node:fs/promises";
import path from "node:path";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Incident } from "../../gen/hermod/incident/v1/incident_service_pb.ts";
import { type Alertmanager, type PrometheusAlert, startAlertmanager } from "../harness/alertmanager.ts";
import { fencedBlock } from "../harness/fenced-block.ts";
import { capturedSource } from "../harness/http.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { allCaptured } from "../harness/stored.ts";
import { freePort } from "../harness/tcp-proxy.ts";
import { tool } from "../harness/tools.ts";

const alertmanager = tool("alertmanager");

const RECIPIENT = "oncall@example.net";
/** Hermod's address in the guide, and shorter times for the test. */
const GUIDE = {
  address: "https://hermod.example.com",
  keyFile: "/etc/alertmanager/hermod.key",
  times: ["group_wait: 5s", "group_interval: 1m"],
} as const;
const TIMES = ["group_wait: 1s", "group_interval: 1s"] as const;

/** An Alertmanager with the configuration from the guide. */
async function connectAlertmanager(hermodUrl: string, key: string): Promise<Alertmanager> {
  const guide = fencedBlock(await readFile("docs/how-to/alert-sources.md", "utf8"), "Alertmanager", "yaml");
  const configOf = (folder: string) =>
    [
      [GUIDE.address, hermodUrl],
      [GUIDE.keyFile, path.join(folder, "hermod.key")],
      ...GUIDE.times.map((text, index) => [text, TIMES[index] ?? ""]),
    ].reduce((text, [from = "", to = ""]) => {
      expect(text).toContain(from);
      return text.replace(from, to);
    }, guide);
  return startAlertmanager(configOf, { "hermod.key": key });
}

const past = () => new Date(Date.now() - 1_000).toISOString();

/** An alert of Prometheus about a full disk. */
function diskFull(host: string, changes: Partial<PrometheusAlert> = {}): PrometheusAlert {
  return {
    labels: { alertname: `DiskFull${host}`, instance: `${host}:9100`, job: "node", severity: "page" },
    annotations: { summary: `/var on ${host} is 97 % full`, runbook_url: "https://wiki.example.com/disk" },
    ...changes,
  };
}

describe.skipIf(alertmanager.missing)(`an Alertmanager${alertmanager.note}`, () => {
  let hermod: Hermod;
  let source: Alertmanager;

  beforeAll(async () => {
    // Alertmanager knows this address, so Hermod restarts there.
    const settings = { HERMOD_HTTP_PORT: String(await freePort()) };
    hermod = await startHermod({ settings });
    const { core, firstRun } = hermod;
    const notify = { recipients: [RECIPIENT], from: "hello@example.com" };
    await core.rules.putRule({ settings: { name: "pager", notify } });
    const { secret } = await core.keys.createKey({ name: "alertmanager", scopeMode: "alerts_only" });
    source = await connectAlertmanager(firstRun.base_url, secret);
  }, 120_000);
  afterAll(async () => {
    await source?.stop();
    await hermod?.dispose();
  });

  /** Header fields and text of the mails with this subject, oldest first, when there are this many. */
  async function mails(about: string, count: number) {
    const found = await eventually(async () => {
      const some = (await allCaptured(hermod)).filter(({ subject }) => subject.includes(about));
      return some.length >= count ? some : undefined;
    });
    const read = await Promise.all(
      found.map(async ({ id }) => {
        const text = (await capturedSource(hermod, id))?.toString() ?? "";
        const at = text.indexOf("\r\n\r\n");
        const header = text.slice(0, at).replace(/\r\n[ \t]+/g, " ");
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, "im").exec(header)?.[1];
        return { field, text: text.slice(at) };
      }),
    );
    return read.sort(
      (a, b) => Number(a.field("In-Reply-To") !== undefined) - Number(b.field("In-Reply-To") !== undefined),
    );
  }

  async function incidents(about: string): Promise<Incident[]> {
    const { incidents: all } = await hermod.core.incidents.listIncidents({ pageSize: 100 });
    return all.filter(({ title }) => title.includes(about));
  }

  it("mails an active alert and its resolution in one thread", async () => {
    // Go writes nine fractional digits.
    const startsAt = new Date(Date.now() - 60_000).toISOString().replace("Z", "123456Z");
    await source.send(diskFull("web-1", { startsAt }));
    const [first] = await mails("web-1", 1);
    await source.send(diskFull("web-1", { startsAt, endsAt: past() }));
    const [again, second, ...others] = await mails("web-1", 2);
    expect(others).toEqual([]);

    const subject = "[critical] node: /var on web-1 is 97 % full (instance web-1:9100)";
    expect([first?.field("Subject"), second?.field("Subject")]).toEqual([subject, `Re: ${subject}`]);
    const messageId = first?.field("Message-ID");
    expect(messageId).toMatch(/^<\S+@example\.com>$/);
    expect(again?.field("Message-ID")).toBe(messageId);
    expect([second?.field("In-Reply-To"), second?.field("References")]).toEqual([messageId, messageId]);
    expect(second?.field("Message-ID")).not.toBe(messageId);
    const [incident] = await incidents("web-1");
    for (const [mail, state] of [
      [first, "open"],
      [second, "resolved"],
    ] as const)
      expect(fieldsOf(mail)).toEqual({
        To: RECIPIENT,
        "Auto-Submitted": "auto-generated",
        "X-Hermod-State": state,
        "X-Hermod-Severity": "critical",
        "X-Hermod-Incident": incident?.id,
      });
    expect(first?.field("List-Id")).toMatch(/<pager\.\S+\.example\.com>$/);
    expect(second?.field("List-Id")).toBe(first?.field("List-Id"));
    expect(first?.text).toContain("FIRING (critical) since");
    expect(second?.text).toMatch(/RESOLVED \(critical\) after \d/);
    expect(first?.text).toContain("https://wiki.example.com/disk");

    expect(incident).toMatchObject({ state: "resolved", alerts: 2, notices: 2, trouble: "" });
    const { alerts } = await hermod.core.alerts.listAlerts({ pageSize: 100 });
    const moments = alerts.map(({ alert }) => alert?.occurredAt).map((at) => at && timestampDate(at));
    expect(moments).toContainEqual(new Date(startsAt));
  });

  it("opens a separate incident for each of several alerts in one request", async () => {
    const webhooks = await source.count("alertmanager_notification_requests_total");
    const group = ["db-1", "db-2", "db-3"].map((host) => diskFull(host));
    const together = group.map(({ labels, ...alert }) => ({
      ...alert,
      labels: { ...labels, alertname: "ReplicaLags" },
    }));
    await source.send(...together);
    await mails("db-", 3);
    // Alertmanager counts a request after its answer, which follows the storing of mails.
    const asked = async () => (await source.count("alertmanager_notification_requests_total")) - webhooks;
    expect(await eventually(async () => (await asked()) || undefined)).toBe(1);
    expect((await incidents("db-")).map(({ state, alerts, notices }) => [state, alerts, notices])).toEqual(
      Array(3).fill(["open", 1, 1]),
    );
    await source.send(...together.map((alert) => ({ ...alert, endsAt: past() })));
    await mails("db-", 6);
    expect((await incidents("db-")).map(({ state }) => state)).toEqual(Array(3).fill("resolved"));
  });

  it("waits while Hermod is unavailable, and doubles nothing when it is back", async () => {
    await hermod.stop();
    const failed = await source.count("alertmanager_notification_requests_failed_total");
    await source.send(diskFull("mx-1"));
    await eventually(async () =>
      (await source.count("alertmanager_notification_requests_failed_total")) > failed ? true : undefined,
    );
    hermod = await hermod.restart();
    await mails("mx-1", 1);
    await source.send(diskFull("mx-1", { endsAt: past() }));
    const all = await mails("mx-1", 2);
    expect(all.map(({ field }) => field("X-Hermod-State"))).toEqual(["open", "resolved"]);
    expect(await incidents("mx-1")).toMatchObject([
      { state: "resolved", alerts: 2, notices: 2, trouble: "" },
    ]);
  });
});

function fieldsOf(mail: { field(name: string): string | undefined } | undefined) {
  const names = ["To", "Auto-Submitted", "X-Hermod-State", "X-Hermod-Severity", "X-Hermod-Incident"];
  return Object.fromEntries(names.map((name) => [name, mail?.field(name)]));
}
