import { afterEach, describe, expect, it } from "vitest";
import { createMxRoute, type MxRoute, type MxRouteOptions } from "../../src/delivery/routing/mx-route.ts";
import { createResolver } from "../../src/dns/resolver.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { type DnsServer, type DnsZones, startDnsServer } from "../harness/dns-server.ts";

const opened: DnsServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

/** The route of `d.test`, or of another name, on an Internet that is made of these zones. */
async function route(
  zones: DnsZones,
  options: Partial<MxRouteOptions> = {},
  domain = "d.test",
): Promise<MxRoute> {
  const server = await startDnsServer(zones);
  opened.push(server);
  return createMxRoute({
    resolver: createResolver({
      servers: [server.address],
      clock: systemClock,
      timeoutMs: 4_000,
      retryMs: 4_000,
    }),
    random: () => 0.5,
    allowPrivate: false,
    ownAddresses: ["127.0.0.1", "10.0.0.1", "8.8.0.1", "2a00::1"],
    ownNames: ["Mail.Ours.test."],
    ipv6: "prefer",
    ...options,
  })(domain);
}

const exchangesOf = (found: MxRoute) =>
  found.kind === "hosts" ? found.hosts.map(({ exchange }) => exchange) : found;
const addressesOf = (found: MxRoute) =>
  found.kind === "hosts"
    ? found.hosts.map(({ addresses }) => addresses.map(({ address }) => address))
    : found;
const droppedOf = (found: MxRoute) =>
  found.kind === "hosts" ? found.dropped.map(({ exchange, reason }) => `${exchange} ${reason}`) : found;

describe("mail exchanges", () => {
  it("come in order of preference, with all data for a connection", async () => {
    const found = await route({
      "d.test": { MX: ["20 b.test", "10 A.test"] },
      "a.test": { A: ["8.8.8.1"] },
      "b.test": { A: ["8.8.8.2"], AAAA: ["2a00::2"] },
    });
    expect(found).toEqual({
      kind: "hosts",
      implicit: false,
      hosts: [
        {
          exchange: "a.test",
          preference: 10,
          addresses: [{ address: "8.8.8.1", family: 4 }],
          authenticated: false,
        },
        {
          exchange: "b.test",
          preference: 20,
          addresses: [
            { address: "2a00::2", family: 6 },
            { address: "8.8.8.2", family: 4 },
          ],
          authenticated: false,
        },
      ],
      dropped: [],
    });
  });

  it("of one preference come in random order, before those of a worse one", async () => {
    const zones: DnsZones = {
      "d.test": { MX: ["5 z.test", "10 a.test", "10 b.test", "10 c.test"] },
      "a.test": { A: ["8.8.8.1"] },
      "b.test": { A: ["8.8.8.2"] },
      "c.test": { A: ["8.8.8.3"] },
      "z.test": { A: ["8.8.8.4"] },
    };
    const chance = (...values: number[]) => ({ random: () => values.shift() ?? 0 });
    expect(exchangesOf(await route(zones, chance(0.9, 0.3, 0.2, 0.1)))).toEqual([
      "z.test",
      "c.test",
      "b.test",
      "a.test",
    ]);
    expect(exchangesOf(await route(zones, chance(0.9, 0.1, 0.3, 0.2)))).toEqual([
      "z.test",
      "a.test",
      "c.test",
      "b.test",
    ]);
  });

  it.each([
    ["30 a.test", "20 b.test", "10 A.test"],
    ["10 A.test", "20 b.test", "30 a.test"],
  ])("named twice are tried once, at their best preference: %s, %s, %s", async (...MX) => {
    const found = await route({
      "d.test": { MX },
      "a.test": { A: ["8.8.8.1", "8.8.8.1"] },
      "b.test": { A: ["8.8.8.2"] },
    });
    expect(exchangesOf(found)).toEqual(["a.test", "b.test"]);
    expect(addressesOf(found)).toEqual([["8.8.8.1"], ["8.8.8.2"]]);
  });

  it("behind an alias are accepted, and so is an alias of the domain", async () => {
    const found = await route({
      "d.test": { CNAME: "e.test" },
      "e.test": { MX: ["10 mx.test"] },
      "mx.test": { CNAME: "real.test" },
      "real.test": { A: ["8.8.8.1"] },
    });
    expect(found).toMatchObject({ implicit: false, hosts: [{ exchange: "mx.test" }] });
    expect(addressesOf(found)).toEqual([["8.8.8.1"]]);
  });

  it("that are addresses, or not host names, are skipped", async () => {
    const found = await route({
      "d.test": { MX: ["1 8.8.8.9", "2 2a00::9", "3 [8.8.8.9]", "4 a\nb.test", "5 127.1", "10 ok.test"] },
      "ok.test": { A: ["8.8.8.1"] },
    });
    expect(exchangesOf(found)).toEqual(["ok.test"]);
    expect(droppedOf(found)).toEqual([
      "8.8.8.9 is an address, not the name of a host",
      "2a00::9 is an address, not the name of a host",
      "[8.8.8.9] is not the name of a host",
      "a b.test is not the name of a host",
      "127.1 is not the name of a host",
    ]);
  });

  it("without any host name are a permanent failure", async () => {
    expect(await route({ "d.test": { MX: ["1 8.8.8.9", "0 ."], A: ["8.8.8.8"] } })).toMatchObject({
      kind: "no_route",
      enhancedStatusCode: "5.4.4",
    });
  });

  it("are limited to twenty, and addresses to eight for each", async () => {
    const numbers = Array.from({ length: 30 }, (_, i) => i);
    const MX = numbers.map((i) => `${i} mx${i}.test`);
    const A = numbers.map((i) => `8.8.8.${i}`);
    const AAAA = numbers.map((i) => `2a00::${i + 100}`);
    const found = await route({
      "d.test": { MX },
      ...Object.fromEntries(numbers.map((i) => [`mx${i}.test`, { A, AAAA }])),
    });
    expect(exchangesOf(found)).toEqual(numbers.slice(0, 20).map((i) => `mx${i}.test`));
    expect(droppedOf(found)).toContain("mx29.test comes after 20 others");
    expect(addressesOf(found)).toContainEqual([
      ...["2a00::100", "8.8.8.0", "2a00::101", "8.8.8.1"],
      ...["2a00::102", "8.8.8.2", "2a00::103", "8.8.8.3"],
    ]);
  });
});

describe("a domain without mail exchanges", () => {
  it("is its own host", async () => {
    const found = await route({ "d.test": { A: ["8.8.8.8"], AAAA: ["2a00::8"] } });
    expect(found).toMatchObject({ implicit: true, hosts: [{ exchange: "d.test", preference: 0 }] });
    expect(addressesOf(found)).toEqual([["2a00::8", "8.8.8.8"]]);
  });

  it("is so as an alias too", async () => {
    const found = await route({ "d.test": { CNAME: "e.test" }, "e.test": { A: ["8.8.8.8"] } });
    expect(found).toMatchObject({ implicit: true, hosts: [{ exchange: "d.test" }] });
  });

  it("with any MX it is not, regardless of the target: hosts that do not exist are permanent", async () => {
    for (const MX of [["10 gone.test"], ["10 gone.test", "20 none.test"]]) {
      const zones = { "d.test": { MX, A: ["8.8.8.8"] }, "none.test": { TXT: ["no address"] } };
      expect(await route(zones)).toMatchObject({
        kind: "no_route",
        enhancedStatusCode: "5.4.4",
        reason: "no MX of the domain leads to a usable address",
      });
    }
  });

  it("is deferred while the DNS does not answer for one of its hosts", async () => {
    const found = await route({
      "d.test": { MX: ["10 gone.test", "20 broken.test"] },
      "broken.test": { behaviour: "servfail" },
    });
    expect(found).toMatchObject({ kind: "temporary", enhancedStatusCode: "4.4.3" });
  });

  it("without addresses accepts no mail: permanent", async () => {
    expect(await route({ "d.test": { TXT: ["x"] } })).toMatchObject({
      kind: "no_route",
      enhancedStatusCode: "5.4.4",
    });
  });
});

describe("a domain that accepts no mail", () => {
  it.each([["0 ."], ["10 ."], ["0 .", "10 ."]])("declares it by the root alone: %j, %j", async (...MX) => {
    expect(await route({ "d.test": { MX, A: ["8.8.8.8"] } })).toEqual({
      kind: "null_mx",
      enhancedStatusCode: "5.1.10",
      reason: "the domain d.test takes no mail",
      reasonParts: [{ code: "route.null_mx", params: { domain: "d.test" } }],
    });
  });

  it("does not declare it beside other exchanges, and the root is never connected to", async () => {
    const found = await route({ "d.test": { MX: ["0 .", "10 a.test"] }, "a.test": { A: ["8.8.8.1"] } });
    expect(exchangesOf(found)).toEqual(["a.test"]);
    expect(droppedOf(found)).toEqual([
      ". means that the domain takes no mail, but stands beside other exchanges",
    ]);
  });
});

describe("failures of the DNS", () => {
  it("a domain that does not exist is permanent", async () => {
    expect(await route({})).toMatchObject({ kind: "no_domain", enhancedStatusCode: "5.1.2" });
  });

  it.each(["", ".", "..", "[8.8.8.8]", "8.8.8.8", "a b.test", "-.test", "x".repeat(64)])(
    "%j is not a domain, and is not queried",
    async (domain) => {
      expect(await route({}, {}, domain)).toMatchObject({ kind: "no_domain" });
      expect(opened[0]?.queries).toEqual([]);
    },
  );

  it.each(["servfail", "drop", "garbage"] as const)("%s for the domain is temporary", async (behaviour) => {
    expect(await route({ "d.test": { A: ["8.8.8.8"], behaviour } })).toMatchObject({
      kind: "temporary",
      enhancedStatusCode: "4.4.3",
    });
  });

  it("for all exchanges is temporary, even beside one with private addresses", async () => {
    const found = await route({
      "d.test": { MX: ["10 a.test", "20 b.test"] },
      "a.test": { behaviour: "servfail" },
      "b.test": { A: ["10.0.0.1"] },
    });
    expect(found).toMatchObject({ kind: "temporary", enhancedStatusCode: "4.4.3" });
  });

  it("for one exchange leaves the others", async () => {
    const found = await route({
      "d.test": { MX: ["10 a.test", "20 b.test", "30 c.test"] },
      "a.test": { behaviour: "servfail" },
      "c.test": { A: ["8.8.8.1"] },
    });
    expect(exchangesOf(found)).toEqual(["c.test"]);
    expect(droppedOf(found)).toEqual([
      expect.stringMatching(/^a\.test a\.test A: SERVFAIL from/),
      "b.test has no address",
    ]);
  });
});

describe("addresses that must not be connected to", () => {
  it.each(["127.0.0.1", "10.1.2.3", "169.254.169.254", "0.0.0.0", "224.0.0.1", "8.8.0.1"])(
    "%s is skipped, and the exchange used over its other addresses",
    async (address) => {
      const found = await route({
        "d.test": { MX: ["5 first.test", "10 a.test"] },
        "first.test": { A: ["8.8.8.2"] },
        "a.test": { A: [address, "8.8.8.1"], AAAA: ["::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"] },
      });
      // An address of ours is a loop, which ends the list.
      expect(addressesOf(found)).toEqual(address === "8.8.0.1" ? [["8.8.8.2"]] : [["8.8.8.2"], ["8.8.8.1"]]);
    },
  );

  it("exclude the exchange if it has no others", async () => {
    const found = await route({
      "d.test": { MX: ["10 a.test", "20 b.test"] },
      "a.test": { A: ["10.0.0.1"], AAAA: ["fd00::1"] },
      "b.test": { A: ["8.8.8.1"] },
    });
    expect(exchangesOf(found)).toEqual(["b.test"]);
    expect(droppedOf(found)).toEqual([
      "a.test has no address that may be connected to (10.0.0.1: not_public, fd00::1: not_public)",
    ]);
  });

  it.each([
    { zones: { "d.test": { A: ["127.0.0.1"] } } },
    { zones: { "d.test": { MX: ["10 a.test"] }, "a.test": { A: ["10.0.0.1"], AAAA: ["::1"] } } },
  ])("alone are permanent, and are not named in public: %j", async ({ zones }) => {
    const found = await route(zones);
    expect(found).toMatchObject({ kind: "no_route", enhancedStatusCode: "5.4.4" });
    expect(JSON.stringify(found)).not.toMatch(/127|10\.0|::1/);
  });

  it("beside an exchange that does not exist are permanent too", async () => {
    const found = await route({
      "d.test": { MX: ["10 a.test", "20 gone.test"] },
      "a.test": { A: ["10.0.0.1"] },
    });
    expect(found).toMatchObject({ kind: "no_route", enhancedStatusCode: "5.4.4" });
  });

  it("may be private when private destinations are allowed", async () => {
    const zones = { "d.test": { A: ["127.0.0.1", "0.0.0.0", "8.8.0.1"], AAAA: ["::1"] } };
    expect(addressesOf(await route(zones, { allowPrivate: true }))).toEqual([
      ["::1", "127.0.0.1", "8.8.0.1"],
    ]);
  });
});

describe("loops", () => {
  const others: DnsZones = {
    "a.test": { A: ["8.8.8.1"] },
    "b.test": { A: ["8.8.8.2"] },
    "c.test": { A: ["8.8.8.3"] },
    "mail.ours.test": { A: ["8.8.8.4"] },
    "alias.test": { A: ["8.8.8.5", "8.8.0.1"] },
  };

  it.each(["mail.ours.test", "alias.test"])(
    "before this server (%s) mail goes to better exchanges, never to equal or worse ones",
    async (ours) => {
      const MX = ["10 a.test", `20 ${ours}`, "20 b.test", "30 c.test"];
      const found = await route({ "d.test": { MX }, ...others });
      expect(exchangesOf(found)).toEqual(["a.test"]);
      expect(found).toMatchObject({ dropped: [ours, "b.test", "c.test"].map(() => ({})) });
    },
  );

  it.each([["10 mail.ours.test", "20 a.test"], ["10 Mail.Ours.Test", "10 a.test"], ["10 alias.test"]])(
    "this server as the best exchange (%s) is a loop: permanent",
    async (...MX) => {
      expect(await route({ "d.test": { MX }, ...others })).toMatchObject({
        kind: "no_route",
        enhancedStatusCode: "5.4.6",
      });
    },
  );

  it("this server as the domain itself is one too", async () => {
    expect(await route({ "mail.ours.test": { A: ["8.8.8.4"] } }, {}, "mail.ours.test")).toMatchObject({
      enhancedStatusCode: "5.4.6",
    });
  });
});

describe("the families of addresses", () => {
  const zones: DnsZones = {
    "d.test": { A: ["8.8.8.1", "8.8.8.2"], AAAA: ["2a00::11", "2a00::12", "2a00::13"] },
  };

  it.each([
    ["prefer", ["2a00::11", "8.8.8.1", "2a00::12", "8.8.8.2", "2a00::13"]],
    ["allow", ["8.8.8.1", "2a00::11", "8.8.8.2", "2a00::12", "2a00::13"]],
    ["never", ["8.8.8.1", "8.8.8.2"]],
  ] as const)("with IPv6 %s: %j", async (ipv6, expected) => {
    expect(addressesOf(await route(zones, { ipv6 }))).toEqual([expected]);
    expect(opened[0]?.count("d.test", "AAAA")).toBe(ipv6 === "never" ? 0 : 1);
  });

  it("with a failing one the other is used", async () => {
    const found = await route({
      "d.test": { A: ["8.8.8.1"], behaviour: "servfail", misbehavesFor: ["AAAA"] },
    });
    expect(addressesOf(found)).toEqual([["8.8.8.1"]]);
  });

  it("with a failing one and an empty other are temporary", async () => {
    const found = await route({ "d.test": { behaviour: "servfail", misbehavesFor: ["AAAA"] } });
    expect(found).toMatchObject({ kind: "temporary", enhancedStatusCode: "4.4.3" });
  });
});

describe("DNSSEC", () => {
  it.each([
    { mx: true, a: true, aaaa: true },
    { mx: false, a: true, aaaa: true },
    { mx: true, a: false, aaaa: true },
    { mx: true, a: true, aaaa: false },
  ])("must validate the exchange and all its addresses: %j", async ({ mx, a, aaaa }) => {
    const found = await route({
      "d.test": { MX: ["10 a.test"], authenticated: mx },
      "a.test": { A: ["8.8.8.1"], AAAA: ["2a00::2"], authenticated: [a ? "A" : "", aaaa ? "AAAA" : ""] },
    });
    expect(found).toMatchObject({ hosts: [{ authenticated: mx && a && aaaa }] });
  });

  it.each([true, false])("must validate the missing MX: %s", async (mx) => {
    const authenticated = ["A", "AAAA", mx ? "MX" : ""];
    expect(await route({ "d.test": { A: ["8.8.8.1"], authenticated } })).toMatchObject({
      implicit: true,
      hosts: [{ authenticated: mx }],
    });
  });
});

describe("internationalized domains", () => {
  it.each(["bücher.test", "BÜCHER.test.", "xn--bcher-kva.test", "XN--BCHER-KVA.TEST"])(
    "%s is queried in A-labels",
    async (domain) => {
      const found = await route({ "xn--bcher-kva.test": { A: ["8.8.8.1"] } }, {}, domain);
      expect(exchangesOf(found)).toEqual(["xn--bcher-kva.test"]);
    },
  );
});
