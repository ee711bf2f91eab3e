import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Incident } from "../../gen/hermod/incident/v1/incident_service_pb.ts";
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

/** A Prometheus Alertmanager with the configuration from the guide. */
interface Alertmanager {
  /** Sends alerts with their end times, like Prometheus. */
  send(...alerts: readonly PrometheusAlert[]): Promise<void>;
  /** A counter of its webhook receiver. */
  count(metric: string): Promise<number>;
  stop(): Promise<void>;
}

interface PrometheusAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly startsAt?: string;
  readonly endsAt?: string;
}

async function startAlertmanager(hermodUrl: string, key: string): Promise<Alertmanager> {
  const folder = await mkdtemp(path.join(tmpdir(), "hermod-alertmanager-"));
  const inFolder = (name: string) => path.join(folder, name);
  const guide = await readFile("docs/how-to/alert-sources.md", "utf8");
  const config = [
    [GUIDE.address, hermodUrl],
    [GUIDE.keyFile, inFolder("hermod.key")],
    ...GUIDE.times.map((text, index) => [text, TIMES[index] ?? ""]),
  ].reduce(
    (text, [from = "", to = ""]) => {
      expect(text).toContain(from);
      return text.replace(from, to);
    },
    fencedBlock(guide, "Alertmanager", "yaml"),
  );
  await writeFile(inFolder("alertmanager.yml"), config);
  await writeFile(inFolder("hermod.key"), key);
  const port = await freePort();
  const child = spawn(
    "alertmanager",
    [
      `--config.file=${inFolder("alertmanager.yml")}`,
      `--storage.path=${inFolder("data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
      // A single node.
      "--cluster.listen-address=",
    ],
    { cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
  );
  let log = "";
  child.stderr.on("data", (chunk) => {
    log += chunk;
  });
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`Alertmanager did not start:\n${log}`);
    const answer = await fetch(`${url}/-/ready`).catch(() => undefined);
    return answer?.ok || undefined;
  }).catch(async (error) => {
    await end(child);
    throw error;
  });
  return {
    send: async (...alerts) => {
      const response = await fetch(`${url}/api/v2/alerts`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(alerts),
      });
      expect([response.status, await response.text()]).toEqual([200, ""]);
    },
    count: async (metric) => {
      const text = await (await fetch(`${url}/metrics`)).text();
      const line = new RegExp(`^${metric}\\{(?:.*,)?integration="webhook"(?:,.*)?\\} (\\S+)$`, "gm");
      return [...text.matchAll(line)].reduce((sum, [, value]) => sum + Number(value), 0);
    },
    stop: async () => {
      await end(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
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
    source = await startAlertmanager(firstRun.base_url, secret);
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
