import { afterAll, beforeAll, expect, it } from "vitest";
import { type DnsServer, type DnsZones, startDnsServer } from "../harness/dns-server.ts";
import { untilReported } from "../harness/http.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { withStore } from "../harness/store-client.ts";
import { allCaptured } from "../harness/stored.ts";

const NAME = "nordwind.example.com";
const BASE = "/api/deliverability/v1";

/** All records that a domain without mail needs. Answers expire after a second, to keep the test short. */
const good: DnsZones = {
  [NAME]: { TXT: ["v=spf1 -all"], MX: ["0 ."], ttl: 1 },
  [`_dmarc.${NAME}`]: { TXT: ["v=DMARC1; p=reject; rua=mailto:dmarc@nordwind.example.com"] },
};
const open: DnsZones = { ...good, [NAME]: { TXT: ["v=spf1 +all"], MX: ["0 ."], ttl: 1 } };

let dns: DnsServer;
let hermod: Hermod;
beforeAll(async () => {
  dns = await startDnsServer(good);
  hermod = await startHermod({
    settings: { HERMOD_DNS_SERVERS: dns.address, HERMOD_ALLOW_PRIVATE_DESTINATIONS: "true" },
  });
  await hermod.core.rules.putRule({
    settings: {
      name: "deliverability",
      match: [
        { field: "source", op: "eq", value: { kind: { case: "stringValue", value: "deliverability" } } },
      ],
      notify: { recipients: ["ops@example.net"], from: "hello@example.com", mailsPerHour: 1_000 },
    },
  });
});
afterAll(async () => {
  await hermod.dispose();
  await dns.close();
});

async function ask<Body = Record<string, unknown>>(
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
  readonly bytes: Buffer;
}> {
  const key = hermod.firstRun.deliverability_api_key;
  const response = await fetch(`${hermod.firstRun.base_url}${BASE}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "x-api-key": key, "content-type": "application/json", ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = response.headers.get("content-type")?.includes("json") ?? false;
  return {
    status: response.status,
    headers: response.headers,
    body: (isJson ? JSON.parse(bytes.toString()) : undefined) as Body,
    bytes,
  };
}

interface DomainPage {
  readonly data: readonly {
    readonly id: string;
    readonly status: string;
    readonly score: number | null;
    readonly checks?: readonly {
      readonly id: string;
      readonly status: string;
      readonly fix: { readonly record: { readonly value: string } | null } | null;
    }[];
  }[];
}

async function domainNow(wanted: string) {
  return eventually(async () => {
    const [domain] = (await ask<DomainPage>(`/domains?name=${NAME}&include=checks`)).body.data;
    return domain?.status === wanted ? domain : undefined;
  });
}

/** A repeated request with the same key waits for the same report. */
const report = <Body = unknown>(wish: object, key: string) =>
  untilReported(() => ask<Body>("/reports/generate", wish, { "idempotency-key": key }));

/** The next scheduled check is hours later, so the time is moved here. */
const wake = () =>
  withStore(hermod, async (db) => {
    await db.collection("watchedDomains").updateMany({}, { $set: { dueAt: new Date(0) } });
    const [known] = await db.collection("watchedChecks").find().toArray();
    const earlier = (known?.checks ?? []).map((check: { contrary?: { at: Date } }) =>
      check.contrary ? { ...check, contrary: { ...check.contrary, at: new Date(0) } } : check,
    );
    await db.collection("watchedChecks").updateMany({}, { $set: { checks: earlier } });
  });

it("watches a domain, reports its findings as alerts, and creates a report, despite a crash", async () => {
  const client = await ask<{ id: string }>("/clients", { name: "Nordwind AG" });
  expect(client.status).toBe(201);
  const asked = { client_id: client.body.id, name: NAME, role: "parked" };
  const added = await ask("/domains", asked, { "idempotency-key": "one" });
  expect([added.status, added.body.status]).toEqual([201, "pending"]);
  const again = await ask("/domains", asked, { "idempotency-key": "one" });
  expect(again.body).toEqual(added.body);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  const { score, checks = [] } = await domainNow("healthy");
  expect(score).toBe(100);
  expect(checks.find(({ id }) => id === "auth.spf.all")).toMatchObject({ status: "pass" });

  dns.serve(open);
  await wake();
  await eventually(async () => {
    const [domain] = (await ask<DomainPage>(`/domains?name=${NAME}&include=checks`)).body.data;
    const all = domain?.checks?.find(({ id }) => id === "auth.spf.all") as { unconfirmed_status?: string };
    if (all?.unconfirmed_status === "fail") return true;
    await wake();
    return undefined;
  });
  // The first check run has notified of nothing. The crash is before the second.
  expect((await domainNow("healthy")).score).toBe(100);
  await hermod.kill();
  hermod = await hermod.restart();
  await wake();
  const critical = await domainNow("critical");
  expect(critical.score).toBeLessThanOrEqual(59);
  const spf = critical.checks?.find(({ id }) => id === "auth.spf.all");
  expect(spf?.fix?.record?.value).toBe("v=spf1 -all");
  const subjects = await eventually(async () => {
    const mails = await allCaptured(hermod);
    return mails.length > 0 ? mails.map(({ subject }) => subject) : undefined;
  });
  expect(subjects.join()).toContain(NAME);

  const wish = { scope: { type: "domain", id: critical.id } };
  const json = await report<{ id: string; findings: { check_id: string }[] }>(wish, "report");
  expect(json.status).toBe(201);
  expect(json.headers.get("x-report-id")).toBe(json.body.id);
  expect(json.body.findings.map(({ check_id }) => check_id)).toContain("auth.spf.all");
  await eventually(async () => {
    const { events } = await hermod.core.events.listEvents({ pageSize: 100 });
    const types = events.map(({ type }) => type);
    return ["finding.opened", "report.generated"].every((type) => types.includes(type)) || undefined;
  });
  await hermod.kill();
  hermod = await hermod.restart();
  const replayed = await report(wish, "report");
  expect(replayed.bytes.equals(json.bytes)).toBe(true);
  const pdf = await report({ ...wish, format: "pdf" }, "pdf");
  expect([pdf.status, pdf.headers.get("content-type")]).toEqual([201, "application/pdf"]);
  expect(pdf.bytes.subarray(0, 5).toString()).toBe("%PDF-");
  const html = await report({ ...wish, format: "html" }, "html");
  expect(html.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(html.bytes.toString()).toContain(NAME);
});
