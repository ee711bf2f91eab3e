import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readSeverities } from "../../src/edge/alert-sources/severities.ts";
import { fencedBlock } from "../harness/fenced-block.ts";
import { type Hermod, startHermod } from "../harness/start-hermod.ts";
import { tool } from "../harness/tools.ts";

const run = promisify(execFile);
const curl = tool("curl");
const go = tool("go");

const ROOT = path.resolve(import.meta.dirname, "../..");
const FIXTURES = path.join(ROOT, "test/fixtures/alert-sources");
const ADDRESS = "https://hermod.example.com";

let guide: string;
let hermod: Hermod;
/** A key created as in the guide. */
let key: string;

beforeAll(async () => {
  guide = await readFile(path.join(ROOT, "docs/how-to/alert-sources.md"), "utf8");
  hermod = await startHermod();
  key = (await shell(fencedBlock(guide, "The key", "sh"))).trim();
}, 120_000);
afterAll(() => hermod?.dispose());

/** Runs the commands of the guide on a host with Hermod and a backup that fails or works. */
async function shell(script: string, backup: "true" | "false" = "true"): Promise<string> {
  const commands = [
    `hermod() { "${process.execPath}" "${ROOT}/bin/hermod.js" "$@"; }`,
    `backup() { ${backup}; }`,
    script.replaceAll(ADDRESS, hermod.firstRun.base_url),
  ];
  const env = { ...hermod.env, ALERT_KEY: key ?? "" };
  const { stdout } = await run("bash", ["--norc", "-e", "-c", commands.join("\n")], { env, cwd: tmpdir() });
  return stdout;
}

async function post(url: string, body: string, headers: Record<string, string> = {}) {
  const address = url.trim().replace(ADDRESS, hermod.firstRun.base_url).replace("ALERT_KEY", key);
  const response = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  const answer: unknown = await response.json();
  return { status: response.status, body: answer as { readonly alert_id?: string } };
}

const fixture = (name: string) => readFile(path.join(FIXTURES, `${name}.json`), "utf8");
const bearer = () => ({ authorization: `Bearer ${key}` });

/** The alerts with this key, or all, oldest first. */
async function stored(dedupKey?: string) {
  const { alerts } = await hermod.core.alerts.listAlerts({ pageSize: 1_000 });
  const all = alerts.map(({ alert }) => alert).reverse();
  return dedupKey === undefined ? all : all.filter((alert) => alert?.dedupKey === dedupKey);
}

describe("the guide to alert sources", () => {
  it("creates a key that may only ingest alerts", async () => {
    const { keys } = await hermod.core.keys.listKeys({});
    expect(keys.find(({ name }) => name === "alertmanager")?.scopeMode).toBe("alerts_only");
  });

  it.skipIf(curl.missing)(`reports an active and a resolved alert with curl${curl.note}`, async () => {
    for (const number of [0, 1]) await shell(fencedBlock(guide, "curl", "sh", number));
    expect(await stored("web-1/var")).toMatchObject([
      { eventType: "disk.full", severity: "critical", status: "firing" },
      { eventType: "disk.full", severity: "info", status: "resolved" },
    ]);
  });

  it("reports a failed and a working job from cron", async () => {
    const script = fencedBlock(guide, "cron", "sh");
    const before = (await stored()).length;
    await shell(script, "false");
    await shell(script, "true");
    expect((await stored()).slice(before)).toMatchObject([
      { eventType: "backup", severity: "warning", status: "firing", source: "cron" },
      { eventType: "backup", severity: "info", status: "resolved", source: "cron" },
    ]);
  });

  it("accepts the webhook of Grafana with the key as authorization", async () => {
    const { contactPoints } = parse(fencedBlock(guide, "Grafana", "yaml"));
    const [{ type, settings }] = contactPoints[0].receivers;
    const { url, httpMethod, authorization_scheme: scheme, authorization_credentials: variable } = settings;
    expect([type, httpMethod, variable]).toEqual(["webhook", "POST", "$ALERT_KEY"]);
    const headers = { authorization: `${scheme} ${key}` };
    expect(await post(url, await fixture("grafana"), headers)).toEqual({ status: 202, body: { alerts: 1 } });
    expect(await stored("c6eadffa33fcdf37")).toMatchObject([{ eventType: "High memory usage" }]);
  });

  it("answers clients of PagerDuty in the format that they expect", async () => {
    const url = fencedBlock(guide, "Clients of PagerDuty", "text");
    const answer = await post(url, fencedBlock(guide, "Clients of PagerDuty", "json"));
    const dedup_key = "db-1/replication";
    expect(answer).toEqual({
      status: 202,
      body: { status: "success", message: "Event processed", dedup_key },
    });
    expect(await stored(dedup_key)).toMatchObject([
      { eventType: "replication", severity: "critical", entityType: "component", entityId: "postgres" },
    ]);
  });

  it("mails an event once that a client of PagerDuty sends twice", async () => {
    const notify = { recipients: ["oncall@example.net"], from: "hello@example.com" };
    await hermod.core.rules.putRule({ settings: { name: "pager", notify } });
    const url = fencedBlock(guide, "Clients of PagerDuty", "text");
    for (let time = 0; time < 2; time++)
      expect((await post(url, fencedBlock(guide, "Clients of PagerDuty", "json"))).status).toBe(202);
    const { incidents } = await hermod.core.incidents.listIncidents({ pageSize: 10 });
    expect(incidents).toMatchObject([{ state: "open", alerts: 2, notices: 1 }]);
    await hermod.core.rules.deleteRule({ name: "pager" });
  });

  it("writes the key of an address to no log", () => {
    expect(hermod.log()).toContain("sx_");
    expect(hermod.log()).not.toContain(key);
  });

  it("maps Sentry's errors to warnings", async () => {
    const url = fencedBlock(guide, "Sentry", "text");
    const headers = { "sentry-hook-resource": "event_alert" };
    expect((await post(url, await fixture("sentry"), headers)).status).toBe(202);
    expect(await stored("sentry issue 1170820242")).toMatchObject([{ severity: "warning" }]);
  });

  it("documents the mapping of severity words", async () => {
    const severityOf = readSeverities(undefined);
    const rows = [...guide.matchAll(/^\| ((?:`\w+`(?:, )?)+) \| `(\w+)` \|$/gm)];
    const words = rows.flatMap(([, names = "", severity]) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, word]) => ({ word, severity })),
    );
    expect(words.length).toBe(13);
    for (const { word, severity } of words)
      expect([word, severityOf(word), severityOf(word?.toUpperCase())]).toEqual([word, severity, severity]);
    expect([severityOf("other"), severityOf(undefined)]).toEqual(["info", "info"]);
    const url = fencedBlock(guide, "Severities", "text");
    const { alerts, ...group } = JSON.parse(await fixture("alertmanager"));
    const told = ["sev1", "sev2", "error", "page", "low"].map((severity) => ({
      ...alerts[0],
      fingerprint: `of ${severity}`,
      labels: { alertname: "Words", severity },
    }));
    expect((await post(url, JSON.stringify({ ...group, alerts: told }), bearer())).status).toBe(202);
    const all = (await stored()).filter((alert) => alert?.eventType === "Words");
    expect(Object.fromEntries(all.map((alert) => [alert?.dedupKey, alert?.severity]))).toEqual({
      "of sev1": "critical",
      "of sev2": "warning",
      "of error": "warning",
      "of page": "critical",
      "of low": "info",
    });
  });
});

const LIBRARY = "github.com/prometheus/alertmanager";
/** The newest version that Go 1.25 builds. */
const VERSION = "v0.34.0";

/** The webhook of Alertmanager, from its own packages: the payload of a configuration for each alert in a file. */
const RENDER_PROGRAM = `
package main

import (
	"encoding/json"
	"net/url"
	"os"
	"time"

	"github.com/prometheus/alertmanager/template"
	"github.com/prometheus/alertmanager/types"
	"github.com/prometheus/common/model"
	"gopkg.in/yaml.v2"
)

type Config struct {
	Receivers []struct {
		Webhooks []struct {
			Payload any
		} \`yaml:"webhook_configs"\`
	}
}

type Case struct {
	Labels, Annotations map[string]string
	StartsAt, EndsAt    time.Time
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func labelsOf(given map[string]string) model.LabelSet {
	labels := model.LabelSet{}
	for name, value := range given {
		labels[model.LabelName(name)] = model.LabelValue(value)
	}
	return labels
}

func main() {
	var config Config
	var cases []Case
	if err := yaml.Unmarshal(must(os.ReadFile(os.Args[1])), &config); err != nil {
		panic(err)
	}
	if err := json.Unmarshal(must(os.ReadFile(os.Args[2])), &cases); err != nil {
		panic(err)
	}
	templates := must(template.FromGlobs(nil))
	templates.ExternalURL = must(url.Parse("http://alertmanager.example.com"))
	rendered := []any{}
	for _, one := range cases {
		data := templates.Data("hermod", nil, nil, "", &types.Alert{Alert: model.Alert{
			Labels:       labelsOf(one.Labels),
			Annotations:  labelsOf(one.Annotations),
			StartsAt:     one.StartsAt,
			EndsAt:       one.EndsAt,
			GeneratorURL: "http://prometheus.example.com/graph?g0.expr=up+%3D%3D+0&g0.tab=1",
		}})
		rendered = append(rendered, must(template.DeepCopyWithTemplate(
			config.Receivers[0].Webhooks[0].Payload,
			func(text string) (string, error) { return templates.ExecuteTextString(text, data) },
		)))
	}
	if err := json.NewEncoder(os.Stdout).Encode(rendered); err != nil {
		panic(err)
	}
}
`;

/** Characters that labels and annotations may contain, and that can break templates, YAML and JSON. */
const hostile = [
  ...["disk: full", "ends with a colon:", "0123", "1e3", "true", "null", "~", "", " ", "- one", "# none"],
  ...[
    '"quoted"',
    "it's",
    "back\\slash \\u0041 \\n",
    "{{ .ExternalURL }} {{",
    '{"a": 1}',
    "[1, 2]",
    "}]",
    "&a *a",
  ],
  ...[
    "two\nlines\r\n\tand a tab",
    "<b>&amp;</b>",
    "\u2028 \u2029",
    "\u0000\u0001\u001b",
    "a\u007f\u0085\u009fb",
  ],
  ...["\ufeffb\ufffec\uffff", "日本語 😀 \u202e", "2030-01-01T00:00:00Z", "%s %d", "x".repeat(20_000)],
  "😀".repeat(6_000),
];
const unreadable = /[\u007f-\u009f\ufeff\ufffe\uffff]/g;
const kept = (text: string, most: number) => [...text].slice(0, most).join("").replace(unreadable, "");

describe.skipIf(go.missing)(`the payload for Alertmanager${go.note}`, () => {
  let folder: string;
  let url: string;
  const startsAt = "2030-01-02T03:04:05.123456789Z";
  const cases = [
    ...hostile.map((text) => ({
      labels: {
        alertname: text,
        severity: text,
        job: text,
        instance: text,
        'name: {{ with }} "dots".': text,
        "<<": text,
      },
      annotations: { summary: text, description: "d" },
      startsAt,
    })),
    { labels: {}, annotations: {}, startsAt },
    ...["critical", "page", "error", "warn", "warning", "info"].map((severity) => ({
      labels: { alertname: "A", severity },
      annotations: {},
      startsAt,
    })),
    { labels: { alertname: "A" }, annotations: {}, startsAt, endsAt: "2020-01-02T04:00:00.5+01:00" },
  ];
  let posted: Awaited<ReturnType<typeof post>>[];

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "hermod-payload-"));
    const file = (name: string) => path.join(folder, name);
    const config = fencedBlock(guide, "Custom fields", "yaml");
    url = parse(config).receivers[0].webhook_configs[0].url;
    await writeFile(file("main.go"), RENDER_PROGRAM);
    await writeFile(file("alertmanager.yml"), config);
    await writeFile(file("cases.json"), JSON.stringify(cases));
    const inFolder = {
      cwd: folder,
      maxBuffer: 64 * 1024 * 1024,
      env: { ...process.env, GOFLAGS: "-mod=mod", GOTOOLCHAIN: "local" },
    };
    await run("go", ["mod", "init", "example.com/render"], inFolder);
    await run("go", ["get", `${LIBRARY}/template@${VERSION}`], inFolder);
    const { stdout } = await run("go", ["run", "main.go", "alertmanager.yml", "cases.json"], inFolder);
    posted = [];
    for (const body of JSON.parse(stdout)) posted.push(await post(url, JSON.stringify(body), bearer()));
  }, 180_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const alertOf = async (number: number) => {
    const { status, body } = posted[number] ?? {};
    expect([status, body]).toEqual([202, expect.objectContaining({ alert_id: expect.any(String) })]);
    return (await hermod.core.alerts.getAlert({ id: body?.alert_id ?? "" })).alert?.alert;
  };

  it.each(hostile.map((text, number) => [JSON.stringify(text).slice(0, 30), number, text] as const))(
    "is accepted, with the same meaning, if all is %s",
    async (_shown, number, text) => {
      const alert = await alertOf(number);
      expect(alert).toMatchObject({
        eventType: kept(text, 120) || "alert",
        source: kept(text, 120) || "alertmanager",
        message: kept(text, 5_000) || "d",
        status: "firing",
      });
      expect(alert?.entityId ?? "").toBe(kept(text, 120));
      expect(alert?.context).toMatchObject({
        labels: { "<<": text.replace(unreadable, "") },
        annotations: { description: "d" },
        generator_url: "http://prometheus.example.com/graph?g0.expr=up+%3D%3D+0&g0.tab=1",
      });
      expect(alert?.occurredAt && timestampDate(alert.occurredAt)).toEqual(
        new Date("2030-01-02T03:04:05.123Z"),
      );
    },
  );

  it("has text for an alert without text", async () => {
    const alert = await alertOf(hostile.length);
    expect(alert).toMatchObject({
      eventType: "alert",
      severity: "info",
      source: "alertmanager",
      message: "(no message)",
    });
    expect([alert?.entityType, alert?.entityId]).toEqual([undefined, undefined]);
  });

  it("maps a word to its severity", async () => {
    const severities = [1, 2, 3, 4, 5, 6].map(
      async (number) => (await alertOf(hostile.length + number))?.severity,
    );
    expect(await Promise.all(severities)).toEqual([
      ...["critical", "critical", "critical", "warning", "warning", "info"],
    ]);
  });

  it("reports a resolved alert with the time at which it began", async () => {
    const alert = await alertOf(cases.length - 1);
    expect(alert).toMatchObject({ status: "resolved", message: "A" });
    expect(alert?.occurredAt && timestampDate(alert.occurredAt)).toEqual(
      new Date("2030-01-02T03:04:05.123Z"),
    );
  });
});
