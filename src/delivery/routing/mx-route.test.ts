import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { expect, it } from "vitest";
import type { DnsResult, RecordData, RecordType } from "../../dns/records.ts";
import type { Resolver } from "../../dns/resolver.ts";
import { createMxRoute, type MxHost, mxProvider } from "./mx-route.ts";

type Zone = Partial<{ [T in RecordType]: DnsResult<RecordData[T]> }>;

/** A resolver that knows only these names. */
function resolverOf(zones: ReadonlyMap<string, Zone>): Resolver {
  return {
    resolve: async (name, type) => {
      const zone = zones.get(name);
      return zone?.[type] ?? { kind: zone ? "no_data" : "no_domain", authenticated: false };
    },
  };
}

const OWN_NAME = "mail.ours.test";
const NAMES = ["a.test", "b.test", "mx.b.test", OWN_NAME];
const ODD_NAMES = [
  "",
  ".",
  "A.Test.",
  "127.0.0.1",
  "::1",
  "[::1]",
  "127.1",
  "a b.test",
  "x\r\ny.test",
  "a..test",
  "_.test",
];
const OWN_ADDRESS = "203.0.114.7";

const result = <T>(record: fc.Arbitrary<T>): fc.Arbitrary<DnsResult<T>> =>
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant("records" as const),
        records: fc.array(record, { minLength: 1, maxLength: 30 }),
        ttlSeconds: fc.nat(),
        authenticated: fc.boolean(),
        canonicalName: fc.constantFrom(...NAMES),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constantFrom("no_data", "no_domain"), authenticated: fc.boolean() }),
    },
    {
      weight: 1,
      arbitrary: fc.constant({ kind: "failed", code: "servfail", reason: "SERVFAIL\r\n" } as const),
    },
  );
const special4 = fc.constantFrom(
  ...["127.0.0.1", "10.0.0.1", "169.254.169.254", "0.0.0.0", "224.0.0.1", "255.255.255.255", "192.168.0.1"],
  ...["100.64.0.1", OWN_ADDRESS, "8.8.8.8"],
);
const v4 = fc.oneof(fc.ipV4(), special4);
const v6 = fc.oneof(
  fc.ipV6(),
  fc.constantFrom("::", "::1", "fe80::1", "fd00::1", "ff02::1", "2002:7f00:1::", "2001:db8::1", "2a00::1"),
  v4.map((address) => `::ffff:${address}`),
  v4.map((address) => `64:ff9b::${address}`),
  v4.map((address) => `::${address}`),
);
const mx = fc.record({
  preference: fc.nat({ max: 3 }),
  exchange: fc.oneof(fc.constantFrom(...NAMES, ...ODD_NAMES), fc.string({ unit: "binary", maxLength: 12 })),
});
const zone: fc.Arbitrary<Zone> = fc.record(
  { A: result(v4), AAAA: result(v6), MX: result(mx) },
  { requiredKeys: [] },
);
const zones = fc
  .dictionary(fc.constantFrom(...NAMES), zone)
  .map((entries) => new Map<string, Zone>(Object.entries(entries)));

/** Independent check of forbidden targets of a route. */
const FORBIDDEN = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"],
  ...["192.0.0.0/24", "192.0.2.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"],
  ...["224.0.0.0/3", `${OWN_ADDRESS}/32`],
].map((range) => ipaddr.parseCIDR(range));

function mayBeReached(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) {
    return !FORBIDDEN.some((range) => ipaddr.IPv4.parse(address).match(range as [ipaddr.IPv4, number]));
  }
  const [head, tail] = [
    ipaddr.IPv6.parse(address).toByteArray().slice(0, 12),
    address.split(":").at(-1) ?? "",
  ];
  const wrapped =
    head.join() === "0,0,0,0,0,0,0,0,0,0,255,255" || head.join() === "0,100,255,155,0,0,0,0,0,0,0,0";
  if (wrapped) return mayBeReached(tail);
  return ((head[0] ?? 0) & 0xe0) === 0x20 && !/^(2002:|2001:(0?|db8):)/.test(address);
}

it("no zones lead to a forbidden address, to a host without a name, or past this server", async () => {
  let routed = 0;
  await fc.assert(
    fc.asyncProperty(zones, fc.constantFrom("prefer", "allow", "never"), async (known, ipv6) => {
      const route = createMxRoute({
        resolver: resolverOf(known),
        random: Math.random,
        allowPrivate: false,
        ownAddresses: [OWN_ADDRESS],
        ownNames: [OWN_NAME],
        ipv6,
      });
      const found = await route("a.test");
      if (found.kind !== "hosts") {
        expect(found.reason).toMatch(/^[ -~]+$/);
        expect(found.enhancedStatusCode).toMatch(/^[45]\.\d+\.\d+$/);
        return;
      }
      routed++;
      expect(found.hosts.length).toBeGreaterThan(0);
      for (const { exchange, addresses } of found.hosts) {
        expect(NAMES).toContain(exchange);
        expect(exchange).not.toBe(OWN_NAME);
        expect(addresses.length).toBeGreaterThan(0);
        expect(addresses.length).toBeLessThanOrEqual(8);
        for (const { address, family } of addresses) {
          expect([address, mayBeReached(address)]).toEqual([address, true]);
          expect(address.includes(":")).toBe(family === 6);
        }
      }
    }),
    { numRuns: 1_000 },
  );
  expect(routed).toBeGreaterThan(50);
});

const host = (exchange: string, preference = 10): MxHost => ({
  exchange,
  preference,
  addresses: [],
  authenticated: false,
});

it.each([
  ["google.com", [host("aspmx.l.google.com", 1), host("alt1.aspmx.l.google.com", 5)]],
  ["outlook.com", [host("example-com.mail.protection.outlook.com")]],
  ["example.co.uk", [host("mx_1.a.example.co.uk")]],
  ["b.com", [host("mx.a.com", 20), host("mx.b.com", 10)]],
  ["github.io", [host("mx.somebody.github.io")]],
  ["a.com", [host("mx.b.com"), host("mx.a.com")]],
  ["a.com", [host("mx.a.com"), host("mx.b.com")]],
  ["localhost", [host("localhost")]],
  ["co.uk", [host("co.uk")]],
  [undefined, []],
])("the provider is %s for %j", (expected, hosts) => {
  expect(mxProvider(hosts)).toBe(expected);
});
