import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AlertDocument } from "../../src/store/alert-documents.ts";
import { type Dashboard, openDashboard } from "../harness/dashboard.ts";

let world: Dashboard;
let accountId: string;
let secret: string;

beforeAll(async () => {
  world = await openDashboard();
});
afterAll(() => world.close());
beforeEach(async () => {
  const { identity } = world;
  identity.time.pass(1);
  accountId = await identity.openAccount();
  secret = (await identity.operator.keys.createKey({ accountId, name: "monitor", scopeMode: "alerts_only" }))
    .secret;
});

interface Posted {
  readonly key?: string | undefined;
  readonly query?: string;
  readonly headers?: Record<string, string>;
  readonly behind?: string;
}

async function post(format: string, body: object | string, posted: Posted = {}, at = world) {
  const { key = secret, query = "", headers = {}, behind = "" } = posted;
  const url = `/inbound/alerts/${format}${key === "" ? "" : `/${key}`}${behind}${query}`;
  const payload = typeof body === "string" ? body : JSON.stringify(body);
  // Ids are ordered by time.
  at.identity.time.pass(1);
  const answer = await at.app.inject({ method: "POST", url, payload, headers });
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
}

const FIXTURES = path.resolve(import.meta.dirname, "../fixtures/alert-sources");
const fixture = (name: string) => JSON.parse(readFileSync(path.join(FIXTURES, `${name}.json`), "utf8"));
const stored = () =>
  world.identity.db.collection<AlertDocument>("alerts").find({ accountId }).sort({ _id: 1 }).toArray();
const only = async () => {
  const [alert, ...others] = await stored();
  expect(others).toEqual([]);
  if (!alert) throw new Error("no alert is stored");
  return alert;
};

describe("a webhook of Alertmanager", () => {
  it("creates one alert for each of its alerts", async () => {
    const answer = await post("alertmanager", fixture("alertmanager"));
    expect([answer.status, answer.body]).toEqual([202, { alerts: 2 }]);
    const all = await stored();
    const [firing, resolved] = ["firing", "resolved"].map((wanted) =>
      all.find(({ status }) => status === wanted),
    );
    expect(firing).toMatchObject({
      alert: {
        eventType: "DiskFull",
        severity: "critical",
        source: "node",
        message: "/var on web-1 is 97 % full",
        entityType: "instance",
        entityId: "web-1:9100",
        context: { labels: { team: "storage" }, annotations: { description: "Less than 2 GB are left." } },
      },
      status: "firing",
      dedupKey: "c4ed0cbb2ae2e3a1",
      occurredAt: new Date("2030-01-02T03:04:05.678Z"),
      links: [
        { href: "https://wiki.example.com/disk-full", text: "Runbook" },
        { text: "Source" },
        { href: "http://alertmanager.example.com", text: "Alertmanager" },
      ],
    });
    expect(resolved).toMatchObject({
      alert: { severity: "warning", entityId: "web-2:9100" },
      status: "resolved",
      dedupKey: "90b5d1c94a1f8c10",
      occurredAt: new Date("2030-01-02T02:00:00Z"),
    });
  });

  it("is accepted once if it is resent after a lost response, and counts as new if it is repeated later", async () => {
    for (let time = 0; time < 3; time++)
      expect((await post("alertmanager", fixture("alertmanager"))).status).toBe(202);
    expect(await stored()).toHaveLength(2);
    world.identity.time.pass(3_600_000);
    await post("alertmanager", fixture("alertmanager"));
    expect(await stored()).toHaveLength(4);
  });

  it("is accepted once if it arrives several times at once, and the early requests are asked to retry", async () => {
    const answers = await Promise.all([1, 2, 3].map(() => post("alertmanager", fixture("alertmanager"))));
    const early = answers.filter(({ status }) => status !== 202);
    expect(early.length).toBeLessThan(3);
    for (const { status, body, headers } of early) {
      expect([status, body.code]).toEqual([503, "service.busy"]);
      expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    }
    expect((await post("alertmanager", fixture("alertmanager"))).status).toBe(202);
    expect(await stored()).toHaveLength(2);
  });

  it("with the same alert twice reports it once", async () => {
    const { alerts } = fixture("alertmanager");
    const answer = await post("alertmanager", { alerts: [...alerts, ...alerts, {}, {}] });
    expect([answer.status, answer.body]).toEqual([202, { alerts: 6 }]);
    expect(await stored()).toHaveLength(3);
  });

  it("has up to the maximum number of alerts of a group, and each is stored", async () => {
    const { alerts, ...group } = fixture("alertmanager");
    const many = Array.from({ length: 1_100 }, (_, index) => ({ ...alerts[0], fingerprint: `f${index}` }));
    expect((await post("alertmanager", { ...group, alerts: many })).body).toEqual({ alerts: 1_100 });
    expect(new Set((await stored()).map(({ dedupKey }) => dedupKey)).size).toBe(1_100);
  });

  it("is accepted with any labels", async () => {
    const [bidi, lone, nul] = ["\u202e", "\ud800", "\u0000"];
    const hostile = {
      status: "firing",
      labels: {
        alertname: `${"x".repeat(300)}😀`,
        severity: "???",
        instance: 7,
        job: `${nul}${bidi}${lone}`,
      },
      annotations: {
        summary: `\r\nSubject: ${"y".repeat(20_000)}`,
        runbook_url: "javascript:alert(1)",
        dashboard: "https://user:secret@example.com/",
        ...Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`a${index}`, "z".repeat(500)])),
      },
      startsAt: "yesterday",
      generatorURL: `https://example.com/${"u".repeat(3_000)}`,
    };
    const body = JSON.stringify({ alerts: [hostile] }).replace(
      '"labels":{',
      '"labels":{"__proto__":{"polluted":true},',
    );
    expect((await post("alertmanager", body)).status).toBe(202);
    const { alert, links, dedupKey, occurredAt } = await only();
    expect(alert).toMatchObject({ severity: "info", entityId: "7" });
    expect([alert.eventType.length, alert.message.length]).toEqual([255, 10_000]);
    expect([alert.eventType, alert.message].every((text) => text.endsWith("…"))).toBe(true);
    expect([links, dedupKey, occurredAt]).toEqual([[], undefined, undefined]);
    expect(JSON.stringify(alert.context).length).toBeLessThan(60_000);
    expect(JSON.stringify(alert.context)).not.toContain("polluted");
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe("the time of an alert", () => {
  it.each([
    ["2030-01-02T03:04:05.123456789Z", new Date("2030-01-02T03:04:05.123Z")],
    ["2030-01-02T03:04:05.12+01:00", new Date("2030-01-02T02:04:05.120Z")],
    ["2030-01-02T03:04:05+0100", new Date("2030-01-02T02:04:05Z")],
    ["0001-01-01T00:00:00Z", undefined],
    ["2030-02-30T00:00:00Z", undefined],
    ["", undefined],
    [1_893_553_445, undefined],
  ])("is read from %s", async (startsAt, expected) => {
    const alerts = [{ status: "firing", labels: { alertname: "Up" }, startsAt }];
    expect((await post("alertmanager", { alerts })).status).toBe(202);
    expect((await only()).occurredAt).toEqual(expected);
  });
});

describe("a name or a text with a NUL character", () => {
  const nul = "\u0000";

  it("is not stored, because the database does not support it, and the rest of the alert is accepted", async () => {
    const labels = { alertname: `Disk${nul}Full`, team: "storage", [`a${nul}b`]: "left out" };
    expect((await post("alertmanager", { alerts: [{ status: "firing", labels }] })).status).toBe(202);
    const { alert } = await only();
    expect(alert).toMatchObject({ eventType: "Disk\ufffdFull" });
    expect(alert.context.labels).toEqual({ alertname: "Disk\ufffdFull", team: "storage" });
  });

  it("can be a tag of Sentry", async () => {
    const data = { event: { title: "It broke", tags: [[`a${nul}b`, "c"]] } };
    const headers = { "sentry-hook-resource": "event_alert" };
    expect((await post("sentry", { action: "triggered", data }, { headers })).status).toBe(202);
    expect((await only()).alert.context).toEqual({ tags: { "a\ufffdb": "c" } });
  });
});

it("an address that becomes too long when it is escaped is left out", async () => {
  const alert = { status: "firing", labels: { alertname: "Up" }, fingerprint: "f" };
  const links = {
    generatorURL: "https://example.com/a b\n?q=\u8a9e",
    panelURL: `https://example.com/${"\u8a9e".repeat(900)}`,
    dashboardURL: "https://example.com",
  };
  expect((await post("grafana", { alerts: [{ ...alert, ...links }] })).status).toBe(202);
  expect((await only()).links).toEqual([
    { href: "https://example.com", text: "Dashboard" },
    { href: "https://example.com/a%20b?q=%E8%AA%9E", text: "Source" },
  ]);
});

describe("a webhook of Grafana", () => {
  it("includes its values, and links to its pages", async () => {
    expect((await post("grafana", fixture("grafana"))).status).toBe(202);
    const { alert, links, dedupKey, occurredAt } = await only();
    expect(alert).toMatchObject({
      eventType: "High memory usage",
      severity: "info",
      source: "Platform",
      message: "The system has high memory usage",
      context: { labels: { team: "blue" }, values: { B: 44.23943737541908, C: 1 } },
    });
    expect([dedupKey, occurredAt]).toEqual(["c6eadffa33fcdf37", new Date("2030-01-02T09:31:55.106Z")]);
    expect(links.map(({ text }) => text)).toEqual([
      ...["Runbook", "Dashboard", "Panel", "Source", "Silence at its source", "Grafana"],
    ]);
  });
});

describe("an event of PagerDuty", () => {
  const send = (body: object) => post("pagerduty", body, { behind: "/v2/enqueue" });

  it("is triggered, acknowledged and resolved by its key", async () => {
    const trigger = fixture("pagerduty");
    const { routing_key, dedup_key } = trigger;
    const answers = [
      await send(trigger),
      await send({ routing_key, dedup_key, event_action: "acknowledge" }),
      await send({ routing_key, dedup_key, event_action: "resolve" }),
    ];
    for (const { status, body } of answers)
      expect([status, body]).toEqual([202, { status: "success", message: "Event processed", dedup_key }]);
    const [first, second, third] = await stored();
    expect(first).toMatchObject({
      alert: {
        eventType: "deploy",
        severity: "critical",
        source: "monitoringtool:srv01.example.com",
        entityType: "component",
        entityId: "postgres",
        context: { group: "prod-datapipe", custom_details: { pings: { lost: 4 } } },
      },
      occurredAt: new Date("2030-01-02T03:04:05Z"),
      links: [{ href: "https://example.com/", text: "Graphs" }, { text: "Sample Monitoring Service" }],
    });
    expect([first, second, third].map((one) => [one?.status, one?.fingerprint])).toEqual([
      ["firing", first?.fingerprint],
      ["acknowledged", first?.fingerprint],
      ["resolved", first?.fingerprint],
    ]);
  });

  it("without a key is a separate alert each time", async () => {
    const { dedup_key: _, ...trigger } = fixture("pagerduty");
    const keys = [(await send(trigger)).body.dedup_key, (await send(trigger)).body.dedup_key];
    expect(new Set(keys).size).toBe(2);
    expect((await stored()).map(({ dedupKey }) => dedupKey)).toEqual(keys);
  });

  it("truncates names of links at character boundaries", async () => {
    const links = [{ href: "https://example.com/", text: `${"x".repeat(98)}😀 and more` }];
    expect((await send({ ...fixture("pagerduty"), links, client: "😀".repeat(60) })).status).toBe(202);
    const texts = (await only()).links.map(({ text }) => text);
    expect(texts).toEqual([`${"x".repeat(98)}…`, `${"😀".repeat(49)}…`]);
  });

  it.each([
    [{ event_action: "explode" }, "/event_action"],
    [{ event_action: "trigger", payload: {} }, "/payload/summary"],
    [{ event_action: "resolve" }, "/dedup_key"],
  ])("%j is refused", async (body, pointer) => {
    const answer = await send(body);
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, pointer]);
    expect(await stored()).toEqual([]);
  });
});

describe("a webhook of Sentry", () => {
  const send = (resource: string, body: object) =>
    post("sentry", body, { headers: { "sentry-hook-resource": resource }, query: "?severity=error:warning" });

  it("reports an issue, and its resolution", async () => {
    expect((await send("event_alert", fixture("sentry"))).body).toEqual({ alerts: 1 });
    const issue = {
      id: "1170820242",
      title: "ReferenceError: heck is not defined",
      project: { slug: "front" },
    };
    expect((await send("issue", { action: "resolved", data: { issue } })).body).toEqual({ alerts: 1 });
    const [firing, resolved] = await stored();
    expect(firing).toMatchObject({
      alert: {
        eventType: "Very Important Alert Rule!",
        severity: "warning",
        source: "web-1",
        message: "ReferenceError: heck is not defined",
        entityType: "issue",
        entityId: "1170820242",
        context: { environment: "production", tags: { browser: "Chrome 75.0" } },
      },
      status: "firing",
    });
    expect([resolved?.status, resolved?.fingerprint]).toEqual(["resolved", firing?.fingerprint]);
  });

  it("reports a metric alert, and its end", async () => {
    const metric_alert = {
      id: "7",
      projects: ["front"],
      alert_rule: { id: "3", name: "p95", aggregate: "p95()" },
    };
    const data = {
      metric_alert,
      description_title: "Critical: p95",
      web_url: "https://sentry.example.com/a",
    };
    await send("metric_alert", { action: "critical", data });
    await send("metric_alert", { action: "resolved", data });
    const [firing, resolved] = await stored();
    expect(firing?.alert).toMatchObject({ eventType: "p95", severity: "critical", source: "front" });
    expect([resolved?.status, resolved?.fingerprint]).toEqual(["resolved", firing?.fingerprint]);
  });

  it.each(["installation", "comment", "issue", ""])(
    "that reports nothing is accepted: %s",
    async (resource) => {
      const answer = await send(resource, { action: "created", data: {} });
      expect([answer.status, answer.body]).toEqual([202, { alerts: 0 }]);
      expect(await stored()).toEqual([]);
    },
  );
});

describe("the address of a source", () => {
  it("can have its key in a header field", async () => {
    const headers = { authorization: `Bearer ${secret}` };
    expect((await post("grafana", fixture("grafana"), { key: "", headers })).status).toBe(202);
  });

  it("maps words to severities", async () => {
    const severity = async (query: string) => {
      const { labels, ...alert } = fixture("alertmanager").alerts[0];
      const fingerprint = `of${query}`;
      const alerts = [{ ...alert, fingerprint, labels: { ...labels, severity: "SEV1" } }];
      expect((await post("alertmanager", { alerts }, { query })).status).toBe(202);
      return (await stored()).find(({ dedupKey }) => dedupKey === fingerprint)?.alert.severity;
    };
    expect(await severity("")).toBe("info");
    expect(await severity("?severity=sev1:critical")).toBe("critical");
    expect(await severity("?severity=sev2:critical,*:warning")).toBe("warning");
  });

  it.each([
    ["alertmanager", "", 400, "request.malformed_json"],
    ["alertmanager", "{", 400, "request.malformed_json"],
    ["alertmanager", "[]", 422, "request.validation_failed"],
    ["alertmanager", { alerts: [] }, 422, "request.validation_failed"],
    ["alertmanager", "[".repeat(100_000), 422, "request.validation_failed"],
    ["alertmanager", `[${"1,".repeat(500_000)}1]`, 422, "request.validation_failed"],
    ["alertmanager", " ".repeat(9_000_000), 413, "request.too_large"],
    ["nagios", {}, 404, "request.not_found"],
  ])("%s refuses an invalid body", async (format, body, status, code) => {
    const answer = await post(format, body as object | string);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(await stored()).toEqual([]);
  });

  it.each([
    "?severity=page",
    "?severity=page:high",
    "?severity=:info",
    "?severity=",
    "?colour=red",
    "?severity=a:info&severity=b:info",
  ])("refuses other parameters: %s", async (query) => {
    const answer = await post("grafana", fixture("grafana"), { query });
    expect([answer.status, answer.body.code]).toEqual([422, "request.validation_failed"]);
    expect(await stored()).toEqual([]);
  });

  it("requires a key for alerts, and no response contains the key", async () => {
    const { identity } = world;
    const createKey = async (mode: string) =>
      (await identity.operator.keys.createKey({ accountId, name: mode, scopeMode: mode })).secret;
    const body = fixture("alertmanager");
    const sendOnly = await createKey("send_only");
    const answers = [
      await post("alertmanager", body, { key: "" }),
      await post("alertmanager", body, { key: "guess" }),
      await post("alertmanager", body, { key: sendOnly }),
      await post("alertmanager", body, { key: sendOnly, headers: { "x-api-key": secret } }),
      await post("unknown", body),
    ];
    expect(answers.map(({ status, body: { code } }) => [status, code])).toEqual([
      ...[
        [401, "auth.key_missing"],
        [401, "auth.key_invalid"],
        [403, "auth.scope_missing"],
      ],
      ...[
        [401, "auth.key_conflict"],
        [404, "request.not_found"],
      ],
    ]);
    const check = await world.app.inject({ method: "GET", url: `/inbound/alerts/grafana/${secret}` });
    expect([check.statusCode, check.headers.allow]).toEqual([405, "POST"]);
    const said = JSON.stringify([...answers, check.json()]);
    expect([said.includes(secret), said.includes(sendOnly)]).toEqual([false, false]);
    expect(await stored()).toEqual([]);
  });

  it("answers 503 without capacity, because clients give up after 429", async () => {
    const limited = await openDashboard({ rates: { perKey: 1 } });
    try {
      const { operator } = limited.identity;
      const { account } = await operator.accounts.createAccount({ name: "Acme" });
      const { secret: key } = await operator.keys.createKey({
        accountId: account?.id ?? "",
        name: "monitor",
      });
      expect((await post("alertmanager", fixture("alertmanager"), { key }, limited)).status).toBe(202);
      const answer = await post("alertmanager", fixture("grafana"), { key }, limited);
      expect([answer.status, answer.body.code]).toEqual([503, "service.busy"]);
      expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    } finally {
      await limited.close();
    }
  });
});
