import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DomainRole } from "../../src/intel/catalogue.ts";
import type { CheckStatus } from "../../src/intel/check-result.ts";
import type { MailHostProbe } from "../../src/intel/mail-host-probe/mail-host-probe.ts";
import type { Vantage } from "../../src/intel/mail-host-probe/vantage.ts";
import { checkMx } from "../../src/intel/mx/check-mx.ts";
import { findMailHosts, type MailHosts } from "../../src/intel/mx/find-mail-hosts.ts";
import { checkReverse } from "../../src/intel/reverse/check-reverse.ts";
import { type DnsServer, type DnsZones, PATIENT, startDnsServer } from "../harness/dns-server.ts";
import { IMPATIENT, type ProbeZonesOptions, probeZones } from "../harness/probe-zones.ts";
import { withParts } from "../harness/text-parts.ts";

let server: DnsServer;
beforeAll(async () => {
  server = await startDnsServer();
});
afterAll(() => server.close());

const probe = (zones: DnsZones, maxLookups?: number, patience: ProbeZonesOptions = IMPATIENT) =>
  probeZones(server, zones, { ...patience, maxLookups });

async function check(
  zones: DnsZones,
  role: DomainRole = "sending",
  maxLookups?: number,
  patience?: ProbeZonesOptions,
) {
  const found = await findMailHosts("example.com", probe(zones, maxLookups, patience));
  const asked = { domain: "example.com", role, found, probes: new Map(), vantage: "open" } as const;
  const results = checkMx(asked).map(withParts);
  const statusOf = (id: string) => results.find((one) => one.id === id)?.status;
  return {
    results,
    statuses: ["null", "resolves", "cname"].map((name) => statusOf(`infra.mx.${name}`)),
  };
}

const V4 = "203.0.113.5";
const V6 = "2001:db8:1::5";
const PUBLIC = { A: ["93.184.216.34"], AAAA: ["2606:2800:220:1::1"] };
const mx = (...records: string[]) => ({ "example.com": { MX: records } });

describe("the MX records of a domain", () => {
  it.each<[string, DnsZones, DomainRole, (CheckStatus | undefined)[]]>([
    [
      "name hosts",
      { ...mx("10 mx.example.com"), "mx.example.com": PUBLIC },
      "sending",
      ["pass", "pass", "pass"],
    ],
    [
      "name an alias",
      { ...mx("10 mx.example.com"), "mx.example.com": { CNAME: "a.example.com" }, "a.example.com": PUBLIC },
      "sending",
      ["pass", "pass", "fail"],
    ],
    ["name nothing that there is", mx("10 mx.example.com"), "sending", ["pass", "fail", "pass"]],
    ["name an address", mx("10 192.0.2.1"), "sending", ["pass", "fail", "pass"]],
    [
      "name a private address",
      { ...mx("10 mx.example.com"), "mx.example.com": { A: ["10.0.0.1"] } },
      "sending",
      ["pass", "fail", "pass"],
    ],
    [
      "name one that is there and one that is not",
      { ...mx("10 mx.example.com", "20 b.example.com"), "mx.example.com": PUBLIC },
      "sending",
      ["pass", "warn", "pass"],
    ],
    ["are the null MX", mx("0 ."), "sending", ["pass", "not_tested", "not_tested"]],
    [
      "are the null MX, of a domain that is to receive",
      mx("0 ."),
      "receiving",
      ["fail", "not_tested", "not_tested"],
    ],
    ["are the null MX, of a parked domain", mx("0 ."), "parked", ["pass", "not_tested", "not_tested"]],
    [
      "are there, of a parked domain",
      { ...mx("10 mx.example.com"), "mx.example.com": PUBLIC },
      "parked",
      ["fail", "pass", "pass"],
    ],
    [
      "are not there, and the domain has an address",
      { "example.com": PUBLIC },
      "receiving",
      ["warn", "pass", "pass"],
    ],
    [
      "are not there, nor is anything else",
      { "example.com": { TXT: ["x"] } },
      "receiving",
      ["fail", "not_tested", "not_tested"],
    ],
    ["are not there, nor is anything else, of a sender", {}, "sending", ["warn", "not_tested", "not_tested"]],
  ])("%s", async (_, zones, role, expected) => {
    expect((await check(zones, role)).statuses).toEqual(expected);
  });

  it.each(["servfail", "refused", "drop", "truncate_always", "garbage"] as const)(
    "with a failed lookup (%s) are an error, and no absence",
    async (behaviour) => {
      const { statuses, results } = await check({ "example.com": { behaviour } }, "receiving");
      expect(statuses).toEqual(["error", "error", "error"]);
      expect(results[0]?.evidence).toMatchObject([{ name: "example.com", type: "MX", rcode: "ERROR" }]);
    },
  );

  it("with one failed host lookup are neither a fault nor a pass", async () => {
    const zones = { ...mx("10 a.example.com", "20 b.example.com"), "a.example.com": PUBLIC };
    const failing = { ...zones, "b.example.com": { behaviour: "servfail" as const } };
    const { statuses } = await check(failing);
    expect(statuses).toEqual(["pass", "error", "error"]);
  });

  it("have evidence with their records", async () => {
    const { results } = await check({ ...mx("10 mx.example.com"), "mx.example.com": { A: [V4] } });
    expect(results[0]?.evidence).toMatchObject([
      { name: "example.com", type: "MX", rcode: "NOERROR", data: ["10 mx.example.com."], ttlSeconds: 300 },
      { name: "mx.example.com", type: "A", data: [V4] },
      { name: "mx.example.com", type: "AAAA", rcode: "NOERROR", data: [] },
    ]);
  });

  it("of a hostile zone cost at most their budget", async () => {
    const hosts = Array.from({ length: 200 }, (_, n) => `${n} h${n}.example.com`);
    const { statuses } = await check(mx(...hosts), "sending", 9, PATIENT);
    expect(statuses).toEqual(["pass", "error", "error"]);
    expect(server.queries.filter(({ name }) => name.startsWith("h")).length).toBeLessThan(20);
  });
});

describe("mail servers that do not answer", () => {
  const hosts = (count: number): MailHosts => ({
    kind: "hosts",
    hosts: Array.from({ length: count }, (_, n) => ({
      name: `mx${n}.test`,
      preference: n,
      ipv4: PUBLIC.A,
      ipv6: PUBLIC.AAAA,
      isAlias: false,
    })),
    evidence: [],
  });
  const answers = (count: number, vantage: Vantage, outcome: "unreached" | "turned_away" = "unreached") => {
    const found = hosts(count);
    const addresses = [...PUBLIC.A, ...PUBLIC.AAAA].map((address) => ({ address, outcome, reason: "no" }));
    const probes = new Map(
      ("hosts" in found ? found.hosts : []).map(({ name }) => [
        name,
        { name, addresses, at: new Date(0) } satisfies MailHostProbe,
      ]),
    );
    const results = checkMx({ domain: "example.com", role: "sending", found, probes, vantage });
    const { status, observed } = results.map(withParts).find(({ id }) => id === "infra.mx.answers") ?? {};
    return [status, observed];
  };
  const silent = (n: number) => `mx${n}.test (93.184.216.34: no; 2606:2800:220:1::1: no)`;

  it("are named with their reasons, up to five of them", () => {
    expect(answers(1, "open")).toEqual([
      "fail",
      `No mail server answers. These do not answer: ${silent(0)}.`,
    ]);
    expect(answers(7, "unknown")).toEqual([
      "warn",
      `No mail server answers. These do not answer: ${[0, 1, 2, 3, 4].map(silent).join(", ")}, and 2 more. ` +
        "It is not yet known whether Hermod's network allows outbound connections to port 25.",
    ]);
    expect(answers(1, "closed")[0]).toBe("not_tested");
    expect(answers(1, "open", "turned_away")[0]).toBe("error");
  });
});

describe("sending addresses", () => {
  const reverse = async (zones: DnsZones, addresses: readonly string[]) =>
    (await checkReverse({ addresses, dns: probe(zones) })).map(withParts).map(({ status }) => status);
  const PTR4 = "5.113.0.203.in-addr.arpa";
  const PTR6 = `${"5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1.0.0.0.8.b.d.0.1.0.0.2"}.ip6.arpa`;

  it.each<[string, DnsZones, readonly string[], CheckStatus[]]>([
    [
      "have names that lead back",
      { [PTR4]: { PTR: ["mx.example.com"] }, "mx.example.com": { A: [V4] } },
      [V4],
      ["pass", "pass"],
    ],
    [
      "of IPv6 do, too",
      { [PTR6]: { PTR: ["mx.example.com"] }, "mx.example.com": { AAAA: ["2001:db8:1:0::5"] } },
      [V6],
      ["pass", "pass"],
    ],
    [
      "have a name that leads elsewhere",
      { [PTR4]: { PTR: ["mx.example.com"] }, "mx.example.com": { A: ["192.0.2.1"] } },
      [V4],
      ["pass", "fail"],
    ],
    ["have none", {}, [V4], ["fail", "fail"]],
    [
      "of which one has none",
      { [PTR4]: { PTR: ["mx.example.com"] }, "mx.example.com": { A: [V4] } },
      [V4, V6],
      ["fail", "fail"],
    ],
    ["of which nothing is known", { [PTR4]: { behaviour: "servfail" } }, [V4], ["error", "error"]],
    [
      "whose names cannot be looked up",
      { [PTR4]: { PTR: ["mx.example.com"] }, "mx.example.com": { behaviour: "drop" } },
      [V4],
      ["pass", "error"],
    ],
    ["that nobody has named", {}, [], ["not_tested", "not_tested"]],
  ])("%s", async (_, zones, addresses, expected) => {
    expect(await reverse(zones, addresses)).toEqual(expected);
  });
});
