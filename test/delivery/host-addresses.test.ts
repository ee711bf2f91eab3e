import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkedAddresses } from "../../src/dns/checked-addresses.ts";
import { createHostAddresses } from "../../src/dns/host-addresses.ts";
import { createHostsFile } from "../../src/dns/hosts-file.ts";
import { createResolver, type Resolver } from "../../src/dns/resolver.ts";
import { createRefuseDestination } from "../../src/shared/destination-address.ts";
import { type DnsServer, startDnsServer } from "../harness/dns-server.ts";

let dns: DnsServer;
let resolver: Resolver;
let nowMs = 0;
const clock = { now: () => new Date(nowMs), monotonicMs: () => nowMs };
const folder = mkdtempSync(path.join(tmpdir(), "hermod-hosts-"));
const file = path.join(folder, "hosts");

beforeAll(async () => {
  dns = await startDnsServer({
    "relay.test": { A: ["192.0.2.1"], AAAA: ["2001:db8::1"] },
    "broken.test": { behaviour: "servfail" },
  });
  resolver = createResolver({ servers: [dns.address], clock, timeoutMs: 2_000, tries: 1 });
  writeFileSync(
    file,
    [
      "# ours",
      "10.0.0.7 inside.test Relay.Test # not asked",
      "::1 inside.test",
      "10.0.0.8 broken.test",
      "nonsense x",
      "",
    ].join("\n"),
  );
});
afterAll(async () => {
  await dns.close();
  rmSync(folder, { recursive: true });
});

const find = (ipv6: "prefer" | "allow" | "never" = "allow") =>
  createHostAddresses({
    resolver,
    hostsFile: createHostsFile({ path: file, clock }),
    ipv6,
    asksSystem: false,
  });
const addresses = async (host: string, ipv6?: "prefer" | "allow" | "never") =>
  (await find(ipv6)(host)).map(({ address }) => address);

it("a relay's name is resolved by the configured DNS servers, and by the hosts file only without an address there", async () => {
  expect(await addresses("relay.test")).toEqual(["192.0.2.1", "2001:db8::1"]);
  expect(await addresses("relay.test", "prefer")).toEqual(["2001:db8::1", "192.0.2.1"]);
  expect(await addresses("relay.test", "never")).toEqual(["192.0.2.1"]);
  expect(await addresses("inside.test")).toEqual(["10.0.0.7", "::1"]);
  expect(await addresses("INSIDE.test.", "never")).toEqual(["10.0.0.7"]);
  expect(await addresses("broken.test")).toEqual(["10.0.0.8"]);
});

it("a name in neither is an error that names it, and the system resolver is not used if servers are configured", async () => {
  await expect(find()("localhost")).rejects.toThrow("the DNS has no address of localhost");
});

it("a change of the hosts file is noticed, and a missing file has no names", async () => {
  const hostsFile = createHostsFile({ path: file, clock });
  expect(await hostsFile("new.test")).toEqual([]);
  writeFileSync(file, "10.0.0.9 new.test\n");
  nowMs += 10_000;
  expect(await hostsFile("new.test")).toEqual(["10.0.0.9"]);
  expect(await createHostsFile({ path: path.join(folder, "none"), clock })("new.test")).toEqual([]);
});

it("a webhook's name is found in the hosts file only if allowed, and checked like any address", async () => {
  const options = { resolver, ipv6: true };
  const anything = createRefuseDestination({ allowPrivate: true, ownAddresses: [] });
  const publicOnly = createRefuseDestination({ allowPrivate: false, ownAddresses: [] });
  const hostsFile = createHostsFile({ path: file, clock });
  expect(await checkedAddresses("new.test", { ...options, refuse: anything, hostsFile })).toEqual([
    { address: "10.0.0.9", family: 4 },
  ]);
  await expect(checkedAddresses("new.test", { ...options, refuse: anything })).rejects.toThrow(
    "has no address",
  );
  await expect(checkedAddresses("new.test", { ...options, refuse: publicOnly, hostsFile })).rejects.toThrow(
    "no address that may be connected to",
  );
});
