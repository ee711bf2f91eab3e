import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createResolver } from "../../src/dns/resolver.ts";
import type { CheckStatus } from "../../src/intel/check-result.ts";
import { evaluateExpiry } from "../../src/intel/expiry/evaluate-expiry.ts";
import {
  createLookUpRdap,
  type LookUpRdapOptions,
  registrableName,
} from "../../src/intel/expiry/look-up-rdap.ts";
import type { RdapResult } from "../../src/intel/expiry/rdap-result.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { createRefuseDestination } from "../../src/shared/destination-address.ts";
import { issueCertificate } from "../../src/shared/issue-certificate.ts";
import { type DnsServer, type DnsZones, startDnsServer } from "../harness/dns-server.ts";
import { createTestTime } from "../harness/test-time.ts";
import { withParts } from "../harness/text-parts.ts";

const NOW = new Date("2026-05-01T00:00:00Z");
const ca = issueCertificate({ subject: "authority", authority: true });
const names = ["rdap.test", "other.test", "iana.test"];
const zones: DnsZones = Object.fromEntries(names.map((name) => [name, { A: ["127.0.0.1"] }]));

type Handle = (response: ServerResponse, request: IncomingMessage) => void;

let dns: DnsServer;
let server: Server;
let port: number;
/** Pages by host and path. */
let pages: Record<string, Handle>;
let requests: string[];

beforeAll(async () => {
  dns = await startDnsServer(zones);
  const { pem, keyPem } = issueCertificate({ subject: "rdap", issuer: ca, names });
  server = createServer({ key: keyPem, cert: pem }, (request, response) => {
    const page = `${request.headers.host?.replace(/:.*/, "")}${request.url}`;
    requests.push(page);
    const handle = pages[page];
    if (handle) handle(response, request);
    else response.writeHead(404).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await dns.close();
});
beforeEach(() => {
  requests = [];
  dns.serve(zones);
  pages = {
    "iana.test/dns.json": json(bootstrap()),
    [DOMAIN_PAGE]: json(registered("2026-12-24T00:00:00Z")),
  };
});

const DOMAIN_PAGE = "rdap.test/com/domain/example.com";
const json =
  (value: unknown, status = 200): Handle =>
  (response) =>
    response.writeHead(status, { "content-type": "application/rdap+json" }).end(JSON.stringify(value));
const redirect =
  (location: string): Handle =>
  (response) =>
    response.writeHead(302, { location }).end();
const bootstrap = () => ({
  version: "1.0",
  services: [
    [
      ["com", "net"],
      [`http://rdap.test:${port}/com/`, `https://rdap.test:${port}/com`],
    ],
    [["co.uk"], [`https://other.test:${port}/`]],
    [["org"], ["http://rdap.test/"]],
  ],
});
const registered = (eventDate: string, more: object = {}) => ({
  objectClassName: "domain",
  ldhName: "EXAMPLE.COM",
  status: ["client transfer prohibited"],
  events: [
    { eventAction: "registration", eventDate: "1995-08-14T04:00:00Z" },
    { eventAction: "expiration", eventDate },
    { eventAction: "registrar expiration", eventDate: "2020-01-01T00:00:00Z" },
  ],
  ...more,
});

function lookUpRdap(options: Partial<LookUpRdapOptions> = {}) {
  return createLookUpRdap({
    resolver: createResolver({ servers: [dns.address], clock: systemClock, timeoutMs: 1_000, tries: 2 }),
    refuse: createRefuseDestination({ allowPrivate: true, ownAddresses: [] }),
    ipv6: false,
    extraCa: ca.pem,
    clock: systemClock,
    bootstrapUrl: `https://iana.test:${port}/dns.json`,
    ...options,
  });
}

async function check(domain = "example.com", options: Partial<LookUpRdapOptions> = {}) {
  const [result] = evaluateExpiry(domain, await lookUpRdap(options)(domain), NOW);
  if (!result) throw new Error("no result");
  return withParts(result);
}

describe("the registration of a domain", () => {
  it.each<[string, string, CheckStatus, string]>([
    ["for long", "2026-12-24T00:00:00Z", "pass", "until 2026-12-24, for another 237 days."],
    ["for 30 days", "2026-05-31T00:00:00Z", "pass", "30 days"],
    ["for less", "2026-05-30T23:59:59Z", "warn", "29 days"],
    ["for a week", "2026-05-08T00:00:00Z", "warn", "7 days"],
    ["for less than a week", "2026-05-07T23:59:59+00:00", "fail", "6 days"],
    ["for a day", "2026-05-02T12:00:00Z", "fail", "for another 1 day."],
    ["for hours", "2026-05-01T12:00:00Z", "fail", "for another few hours."],
    ["until just now", "2026-05-01T00:00:00Z", "fail", "ended on 2026-05-01"],
    ["until a time that is none", "tomorrow", "not_tested", "does not state"],
  ])("lasts %s", async (_, eventDate, status, words) => {
    pages[DOMAIN_PAGE] = json(registered(eventDate));
    expect(await check()).toMatchObject({ status, observed: expect.stringContaining(words) });
  });

  it("is that of the registered name, for any name below it", async () => {
    expect(await check("a.b.example.com")).toMatchObject({
      status: "pass",
      observed: expect.stringContaining("example.com is registered"),
      evidence: [
        {
          name: "example.com",
          type: "RDAP",
          rcode: "NOERROR",
          server: `rdap.test:${port}`,
          data: ["expiration 2026-12-24T00:00:00.000Z"],
        },
      ],
    });
    expect(registrableName("a.b.example.com")).toBe("example.com");
  });

  it("fails if the domain is being deleted, regardless of its date", async () => {
    pages[DOMAIN_PAGE] = json(registered("2027-12-24T00:00:00Z", { status: ["Redemption Period", 7] }));
    expect(await check()).toMatchObject({
      status: "fail",
      observed: expect.stringContaining("redemption period"),
    });
  });

  it("has the first of several ends, and ignores invalid ones", async () => {
    const events = [null, 7, { eventAction: "expiration" }, ...registered("2026-12-24T00:00:00Z").events];
    events.push({ eventAction: "expiration", eventDate: "2026-05-20T00:00:00Z" });
    pages[DOMAIN_PAGE] = json(registered("", { events }));
    expect((await check()).status).toBe("warn");
  });

  it("is a specific error if the registry does not know the domain", async () => {
    pages[DOMAIN_PAGE] = json({}, 404);
    const { status, observed } = await check();
    expect([status, observed]).toEqual([
      "error",
      expect.stringMatching(/does not know example\.com \(HTTP 404\)/),
    ]);
  });

  it.each([
    ["example.org", "has no RDAP server"],
    ["example.dev", "has no RDAP server"],
    ["someone.github.io", "another party has registered"],
    ["co.uk", "not a registrable name"],
  ])("%s is not tested if no registry can be queried", async (domain, words) => {
    expect(await check(domain)).toMatchObject({
      status: "not_tested",
      observed: expect.stringContaining(words),
    });
    expect(requests.filter((page) => !page.startsWith("iana."))).toEqual([]);
  });
});

describe("a registry's server", () => {
  it.each<[string, Handle, string]>([
    ["is out of order", json({}, 500), "HTTP 500"],
    ["is asked too much", json({}, 429), "limits the query rate"],
    ["answers no JSON", (response) => response.end("<html>"), "not JSON"],
    ["answers nested JSON", (response) => response.end("[".repeat(100_000)), "not JSON"],
    ["answers something else", json({ objectClassName: "entity" }), "not about a domain"],
    [
      "answers about another domain",
      json(registered("2030-01-01T00:00:00Z", { ldhName: "b.com" })),
      "another domain",
    ],
    ["answers without end", (response) => void response.write("x".repeat(400_000)), "more than 256 KB"],
    ["hangs up", (response) => response.destroy(), "query failed"],
    ["sends on to HTTP", redirect("http://rdap.test/"), "is not https"],
    ["sends on to nowhere", redirect("https://"), "leads nowhere"],
  ])("that %s causes an error, and no fault of the domain", async (_, handle, words) => {
    pages[DOMAIN_PAGE] = handle;
    const { status, observed, evidence } = await check();
    expect([status, observed]).toEqual(["error", expect.stringContaining(words)]);
    expect(evidence).toMatchObject([{ type: "RDAP", rcode: "ERROR", data: [] }]);
  });

  it.each<[string, Handle]>([
    ["end its answer", (response) => void response.write("{")],
    ["answer", () => undefined],
  ])("that does not %s in time causes an error, and no fault of the domain", async (_, handle) => {
    const timeout = new AbortController();
    // The time is over once the query has arrived, so that a busy machine does not end the lookup before it.
    pages[DOMAIN_PAGE] = (response, request) => {
      handle(response, request);
      setImmediate(() => timeout.abort(new DOMException("The time is over.", "TimeoutError")));
    };
    const { status, observed } = await check("example.com", { abortAfter: () => timeout.signal });
    expect([status, observed]).toEqual(["error", expect.stringContaining("within 20 seconds")]);
  });

  it("may redirect twice", async () => {
    pages[DOMAIN_PAGE] = redirect("/first");
    pages["rdap.test/first"] = redirect(`https://other.test:${port}/second`);
    pages["other.test/second"] = json(registered("2026-12-24T00:00:00Z"));
    expect(await check()).toMatchObject({ status: "pass", evidence: [{ server: `other.test:${port}` }] });
    pages["other.test/second"] = redirect("/third");
    expect(await check()).toMatchObject({
      status: "error",
      observed: expect.stringContaining("more than 2"),
    });
  });

  it.each(["private.test", "10.0.0.1", "[::1]", "169.254.169.254"])(
    "that redirects to %s is not followed: private addresses are never connected",
    async (host) => {
      // This machine represents the public Internet.
      const refuse = (address: string) => (address === "127.0.0.1" ? undefined : "not_public");
      dns.serve({ ...zones, "private.test": { A: ["10.0.0.1"] } });
      pages[DOMAIN_PAGE] = redirect(`https://${host}:${port}/x`);
      const { status, observed } = await check("example.com", { refuse });
      expect([status, observed]).toEqual(["error", expect.stringContaining("be connected to")]);
      expect(requests).toEqual(["iana.test/dns.json", DOMAIN_PAGE]);
    },
  );

  it("on a private address is not queried", async () => {
    const refuse = createRefuseDestination({ allowPrivate: false, ownAddresses: [] });
    expect((await check("example.com", { refuse })).status).toBe("error");
    expect(requests).toEqual([]);
  });

  it("without a certificate for its name is not trusted", async () => {
    const { evidence, status } = await check("example.com", { extraCa: undefined });
    expect([status, evidence]).toEqual(["error", []]);
    expect(requests).toEqual([]);
  });
});

describe("the list of registries' servers", () => {
  it("is fetched once a day, and the old one is used while no new one is available", async () => {
    const { clock, pass } = createTestTime();
    const lookUp = lookUpRdap({ clock });
    const kinds = async (...domains: string[]) => {
      const results: RdapResult[] = await Promise.all(domains.map(lookUp));
      return results.map(({ kind }) => kind);
    };
    const lists = () => requests.filter((page) => page.startsWith("iana.")).length;
    expect(await kinds("example.com", "a.net", "b.co.uk")).toEqual(["registered", "not_found", "not_found"]);
    expect(lists()).toBe(1);
    pass(86_399_999);
    await kinds("example.com");
    expect(lists()).toBe(1);
    delete pages["iana.test/dns.json"];
    pass(1);
    expect(await kinds("example.com", "example.com")).toEqual(["registered", "registered"]);
    expect(lists()).toBe(2);
    pass(300_000);
    await kinds("example.com");
    expect(lists()).toBe(3);
  });

  it.each<[string, Handle]>([
    ["missing", json({}, 404)],
    ["none", json({ services: "x" })],
    ["not JSON", (response) => response.end("x")],
    ["endless", (response) => void response.write("x".repeat(2_000_000))],
  ])("that is %s is an error, and is fetched again only after a delay", async (_, handle) => {
    pages["iana.test/dns.json"] = handle;
    const { clock, pass } = createTestTime();
    const lookUp = lookUpRdap({ clock });
    expect([(await lookUp("example.com")).kind, (await lookUp("example.com")).kind]).toEqual([
      "failed",
      "failed",
    ]);
    expect(requests).toEqual(["iana.test/dns.json"]);
    pages["iana.test/dns.json"] = json(bootstrap());
    pass(300_000);
    expect((await lookUp("example.com")).kind).toBe("registered");
  });
});
