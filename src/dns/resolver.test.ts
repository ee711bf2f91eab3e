import dns from "node:dns";
import * as wire from "dns-packet";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import {
  type DnsServer,
  type DnsServerOptions,
  type DnsZones,
  startDnsServer,
} from "../../test/harness/dns-server.ts";
import { createResolver, type Resolver, type ResolverOptions } from "./resolver.ts";

const opened: DnsServer[] = [];
let nowMs = 1_000;
const clock = { now: () => new Date(nowMs), monotonicMs: () => nowMs };

afterAll(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

async function serve(zones: DnsZones, options?: DnsServerOptions): Promise<DnsServer> {
  const server = await startDnsServer(zones, options);
  opened.push(server);
  return server;
}

function resolverAt(servers: readonly DnsServer[], options: Partial<ResolverOptions> = {}): Resolver {
  return createResolver({
    servers: servers.map(({ address }) => address),
    clock,
    timeoutMs: 20_000,
    retryMs: 20_000,
    ...options,
  });
}

async function serveAndResolve(
  zones: DnsZones,
  options: Partial<ResolverOptions> = {},
): Promise<{ server: DnsServer; resolver: Resolver }> {
  const server = await serve(zones);
  return { server, resolver: resolverAt([server], options) };
}

describe("existing records", () => {
  it("are returned for each type", async () => {
    const certificate = Buffer.alloc(32, 7);
    const caa = { flags: 128, tag: "issue", value: "ca.test; policy=ev" };
    const dnskey = { flags: 257, algorithm: 13, key: Buffer.alloc(64, 1) };
    const ds = { keyTag: 1, algorithm: 13, digestType: 2, digest: Buffer.alloc(32, 2) };
    const { server, resolver } = await serveAndResolve({
      "a.test": {
        A: ["192.0.2.1", "192.0.2.2"],
        AAAA: ["2001:db8::1"],
        MX: ["10 mx.a.test", "0 ."],
        TXT: ["v=spf1 -all", ["one ", "two"], "é"],
        PTR: ["host.a.test"],
        CAA: [caa],
        DNSKEY: [dnskey],
        DS: [ds],
        SOA: { primary: "ns.a.test", serial: 3, minimum: 60 },
        ttl: 77,
      },
      "_25._tcp.a.test": { TLSA: [{ usage: 3, selector: 1, matchingType: 1, certificate }] },
    });
    const canonicalName = "a.test";
    const found = {
      kind: "records",
      ttlSeconds: 77,
      authenticated: false,
      canonicalName,
      server: server.address,
    };
    expect(await resolver.resolve("a.test", "A")).toEqual({ ...found, records: ["192.0.2.1", "192.0.2.2"] });
    expect(await resolver.resolve("A.Test.", "AAAA")).toEqual({ ...found, records: ["2001:db8::1"] });
    expect(await resolver.resolve("a.test", "MX")).toEqual({
      ...found,
      records: [
        { preference: 10, exchange: "mx.a.test" },
        { preference: 0, exchange: "." },
      ],
    });
    const txt = [["v=spf1 -all"], ["one ", "two"], ["é"]];
    expect(await resolver.resolve("a.test", "TXT")).toEqual({ ...found, records: txt });
    expect(await resolver.resolve("a.test", "PTR")).toEqual({ ...found, records: ["host.a.test"] });
    expect(await resolver.resolve("a.test", "CAA")).toEqual({ ...found, records: [caa] });
    expect(await resolver.resolve("a.test", "DNSKEY")).toEqual({ ...found, records: [dnskey] });
    expect(await resolver.resolve("a.test", "DS")).toEqual({ ...found, records: [ds] });
    const soa = { primary: "ns.a.test", serial: 3, minimumSeconds: 60 };
    expect(await resolver.resolve("a.test", "SOA")).toEqual({ ...found, records: [soa] });
    expect(await resolver.resolve("_25._tcp.a.test", "TLSA")).toEqual({
      ...found,
      canonicalName: "_25._tcp.a.test",
      ttlSeconds: 300,
      records: [{ usage: 3, selector: 1, matchingType: 1, certificate }],
    });
  });

  it("distinguishes a name without such records from a name that does not exist", async () => {
    const { resolver } = await serveAndResolve({ "a.b.test": { A: ["192.0.2.1"] } });
    expect(await resolver.resolve("a.b.test", "MX")).toMatchObject({ kind: "no_data", authenticated: false });
    expect(await resolver.resolve("b.test", "MX")).toMatchObject({ kind: "no_data", authenticated: false });
    expect(await resolver.resolve("c.test", "MX")).toMatchObject({ kind: "no_domain", authenticated: false });
  });

  it("reports whether the server has validated the answer, also for denials", async () => {
    const { resolver } = await serveAndResolve({ "a.test": { A: ["192.0.2.1"], authenticated: true } });
    expect(await resolver.resolve("a.test", "A")).toMatchObject({ kind: "records", authenticated: true });
    expect(await resolver.resolve("a.test", "MX")).toMatchObject({ kind: "no_data", authenticated: true });
  });

  it("queries from another port under another id each time, for answers that fit into a datagram", async () => {
    const names = Array.from({ length: 20 }, (_, i) => `n${i}.test`);
    const { server, resolver } = await serveAndResolve({});
    await Promise.all(names.map((name) => resolver.resolve(name, "A")));
    expect(new Set(server.queries.map(({ port }) => port)).size).toBe(20);
    expect(new Set(server.queries.map(({ id }) => id)).size).toBeGreaterThan(15);
    expect(server.queries.every(({ edns }) => edns)).toBe(true);
  });
});

describe("aliases", () => {
  const chain = (length: number): DnsZones =>
    Object.fromEntries([
      ...Array.from({ length }, (_, i) => [`n${i}.test`, { CNAME: `N${i + 1}.test`, ttl: 100 - i }]),
      [`n${length}.test`, { A: ["192.0.2.1"], ttl: 200 }],
    ]);

  it.each([{ leaveAliases: false }, { leaveAliases: true }])(
    "are followed up to eight, with the shortest of their TTLs: %j",
    async (options) => {
      const resolver = resolverAt([await serve(chain(8), options)]);
      expect(await resolver.resolve("n0.test", "A")).toMatchObject({
        records: ["192.0.2.1"],
        ttlSeconds: 93,
        canonicalName: "n8.test",
      });
      const longer = resolverAt([await serve(chain(9), options)]);
      expect(await longer.resolve("n0.test", "A")).toMatchObject({ kind: "failed" });
    },
  );

  it.each([{ leaveAliases: false }, { leaveAliases: true }])(
    "in a loop are a failure: %j",
    async (options) => {
      const server = await serve({ "a.test": { CNAME: "b.test" }, "b.test": { CNAME: "a.test" } }, options);
      const resolver = resolverAt([server]);
      const results = await Promise.all([resolver.resolve("a.test", "A"), resolver.resolve("b.test", "A")]);
      expect(results.map(({ kind }) => kind)).toEqual(["failed", "failed"]);
      expect(server.queries.length).toBeLessThan(20);
    },
  );

  it("return the result of their target, and are validated only with it", async () => {
    const { resolver } = await serveAndResolve({
      "a.test": { CNAME: "gone.test" },
      "b.test": { CNAME: "c.test", authenticated: true },
      "c.test": { A: ["192.0.2.1"] },
    });
    expect(await resolver.resolve("a.test", "A")).toMatchObject({ kind: "no_domain" });
    expect(await resolver.resolve("b.test", "MX")).toMatchObject({ kind: "no_data" });
    expect(await resolver.resolve("b.test", "A")).toMatchObject({ kind: "records", authenticated: false });
  });

  it("are not followed further when the answer denies the queried name", async () => {
    const { server, resolver } = await serveAndResolve({ "a.test": { CNAME: "b.test" }, "b.test": {} });
    expect(await resolver.resolve("a.test", "A")).toMatchObject({ kind: "no_data" });
    expect(server.queries).toHaveLength(1);
  });

  it("are validated only if each answer on the path is", async () => {
    const zones = { "a.test": { CNAME: "b.test" }, "b.test": { A: ["192.0.2.1"], authenticated: true } };
    const resolver = resolverAt([await serve(zones, { leaveAliases: true })]);
    expect(await resolver.resolve("a.test", "A")).toMatchObject({ kind: "records", authenticated: false });
  });

  it("to a name that cannot be queried are a failure", async () => {
    const { resolver } = await serveAndResolve({ "a.test": { CNAME: "sp ace.test" } });
    expect(await resolver.resolve("a.test", "A")).toMatchObject({ kind: "failed" });
  });
});

describe("the cache", () => {
  it.each([
    { ttl: 0, keptSeconds: 1 },
    { ttl: 90, keptSeconds: 90 },
    { ttl: 1_000_000, keptSeconds: 3_600 },
    // RFC 2181 section 8: the first bit set means zero.
    { ttl: 0x8000_0000, keptSeconds: 1 },
  ])("keeps records with a TTL of $ttl s for $keptSeconds s", async ({ ttl, keptSeconds }) => {
    const { server, resolver } = await serveAndResolve({ "a.test": { A: ["192.0.2.1"], ttl } });
    expect(await resolver.resolve("a.test", "A")).toMatchObject({ ttlSeconds: keptSeconds });
    nowMs += keptSeconds * 1_000 - 1;
    expect(await resolver.resolve("A.test.", "A")).toMatchObject({ ttlSeconds: 1 });
    expect(server.count("a.test")).toBe(1);
    nowMs += 1;
    await resolver.resolve("a.test", "A");
    expect(server.count("a.test")).toBe(2);
  });

  it.each([
    { SOA: { ttl: 100, minimum: 20 }, keptSeconds: 20 },
    { SOA: { ttl: 20, minimum: 100 }, keptSeconds: 20 },
    { SOA: { ttl: 10_000, minimum: 10_000 }, keptSeconds: 300 },
  ])("keeps a denial with $SOA for $keptSeconds s", async ({ SOA, keptSeconds }) => {
    const { server, resolver } = await serveAndResolve({ "a.test": { SOA } });
    await resolver.resolve("a.test", "A");
    nowMs += keptSeconds * 1_000 - 1;
    expect(await resolver.resolve("a.test", "A")).toMatchObject({ kind: "no_data" });
    expect(server.count("a.test")).toBe(1);
    nowMs += 1;
    await resolver.resolve("a.test", "A");
    expect(server.count("a.test")).toBe(2);
  });

  it.each(["servfail", "empty"] as const)("keeps %s for 5 s", async (behaviour) => {
    const { server, resolver } = await serveAndResolve({ "a.test": { behaviour } }, { tries: 1 });
    await resolver.resolve("a.test", "A");
    nowMs += 4_999;
    await resolver.resolve("a.test", "A");
    expect(server.count("a.test")).toBe(1);
    nowMs += 1;
    await resolver.resolve("a.test", "A");
    expect(server.count("a.test")).toBe(2);
  });

  it("is bounded in number", async () => {
    const { server, resolver } = await serveAndResolve({}, { maxCacheEntries: 2 });
    for (const name of ["a.test", "b.test", "c.test", "a.test"]) await resolver.resolve(name, "A");
    expect(server.count("a.test")).toBe(2);
  });

  it("one query serves all concurrent callers", async () => {
    const { server, resolver } = await serveAndResolve({ "a.test": { A: ["192.0.2.1"] } });
    const results = await Promise.all(Array.from({ length: 50 }, () => resolver.resolve("a.test", "A")));
    expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(["records"]));
    await resolver.resolve("a.test", "MX");
    expect([server.count("a.test", "A"), server.count("a.test", "MX")]).toEqual([1, 1]);
  });
});

// Most of them wait for answers that never come.
describe.concurrent("failures", () => {
  it.each([
    ["servfail", "servfail"],
    ["refused", "refused"],
    ["formerr", "other_rcode"],
    ["notimp", "other_rcode"],
    ["drop", "timeout"],
    ["truncate_always", "malformed"],
    ["hang_up", "unreachable"],
    ["wrong_id", "malformed"],
    ["wrong_question", "malformed"],
    ["garbage", "malformed"],
    ["referral", "not_resolved"],
  ] as const)("ignores %s and succeeds with another try", async (behaviour, code) => {
    const zones: DnsZones = {
      "bad.test": { A: ["192.0.2.1"], behaviour },
      "better.test": { A: ["192.0.2.1"], behaviour: [behaviour] },
    };
    const { server, resolver } = await serveAndResolve(zones, { timeoutMs: 2_000, retryMs: 100 });
    const failed = await resolver.resolve("bad.test", "A");
    expect(failed).toEqual({
      kind: "failed",
      code,
      reason: expect.stringMatching(/^bad\.test A: .+ from 127/),
    });
    expect(server.queries.filter(({ transport }) => transport === "udp")).toHaveLength(3);
    if (behaviour === "truncate_always" || behaviour === "hang_up") return;
    expect(await resolver.resolve("better.test", "A")).toMatchObject({ records: ["192.0.2.1"] });
  });

  it("ignores a CAA tag that is longer than its record", async () => {
    const bytes = (query: Buffer) => {
      const { id, questions } = wire.decode(query);
      const data = { flags: 0, tag: "issue", value: "ca.test" };
      const answers = [{ name: "a.test", type: "CAA", ttl: 60, data }];
      const message = wire.encode({ id, type: "response", questions, answers });
      message.writeUInt8(200, message.indexOf("issue") - 1);
      return [message];
    };
    const { resolver } = await serveAndResolve(
      { "a.test": { behaviour: { bytes } } },
      { retryMs: 20, tries: 2 },
    );
    expect(await resolver.resolve("a.test", "CAA")).toMatchObject({ kind: "failed", code: "malformed" });
  });

  it("waits for a server that is down only once", async () => {
    const [down, up] = [await serve({ "a.test": { behaviour: "drop" } }), await serve({ "a.test": {} })];
    const resolver = resolverAt([down, up], { retryMs: 2_000 });
    expect(await resolver.resolve("a.test", "A")).toMatchObject({ kind: "no_data" });
    expect(await resolver.resolve("b.test", "A")).toMatchObject({ kind: "no_domain" });
    expect([down.queries.length, up.queries.length]).toEqual([1, 2]);
  });

  it("queries silent servers after all others from then on", async () => {
    const asked: number[] = [];
    const silent = (n: number): DnsZones => ({
      "b.test": {
        behaviour: {
          bytes: () => {
            asked.push(n);
            return [];
          },
        },
      },
    });
    const down: DnsZones = { "a.test": { behaviour: "drop" } };
    const servers = [
      await serve({ ...down, ...silent(1) }),
      await serve({ ...down, ...silent(2) }),
      await serve({ "a.test": {}, ...silent(3) }),
      await serve({ "a.test": {}, ...silent(4) }),
    ];
    const resolver = resolverAt(servers, { timeoutMs: 4_000, retryMs: 200 });
    expect(await resolver.resolve("a.test", "A")).toMatchObject({ kind: "no_data" });
    expect(await resolver.resolve("b.test", "A")).toMatchObject({ kind: "failed" });
    expect(asked.slice(0, 4)).toEqual([3, 4, 1, 2]);
  });

  it("skips a closed port without waiting", async () => {
    const gone = await startDnsServer();
    await gone.close();
    const resolver = resolverAt([gone, await serve({ "a.test": {} })]);
    expect(await resolver.resolve("a.test", "A")).toMatchObject({ kind: "no_data" });
  });

  it("accepts the answer to an earlier try until the lookup ends", async () => {
    const server = await serve({ "a.test": { A: ["192.0.2.1"] } }, { lateMs: 3_000 });
    const resolver = resolverAt([server], { retryMs: 100 });
    expect(await resolver.resolve("a.test", "A")).toMatchObject({ records: ["192.0.2.1"] });
    const { queries } = server;
    expect(queries.map(({ transport }) => transport)).toEqual(["udp", "udp", "udp", "tcp"]);
    // UDP and TCP have separate port numbers: the fourth query may have the same number as another one.
    const udpPorts = queries.filter(({ transport }) => transport === "udp").map(({ port }) => port);
    expect(new Set(udpPorts).size).toBe(3);
    expect(new Set(queries.map(({ id }) => id)).size).toBeGreaterThan(1);
  });

  it("ignores an answer to one try at the port of another", async () => {
    const queries: Buffer[] = [];
    const swapped = (query: Buffer) => {
      queries.push(query);
      const [first, second] = queries;
      // The second try receives the answer to the first one; later ones receive nothing.
      if (queries.length !== 2 || !first || !second || first.subarray(0, 2).equals(second.subarray(0, 2)))
        return [];
      const { id, questions } = wire.decode(first);
      const answers = [{ name: "a.test", type: "A", ttl: 60, data: "192.0.2.66" }];
      return [wire.encode({ id, type: "response", flags: 0x180, questions, answers })];
    };
    const { resolver } = await serveAndResolve(
      { "a.test": { behaviour: { bytes: swapped } } },
      { tries: 3, retryMs: 50, timeoutMs: 1_500 },
    );
    expect(await resolver.resolve("a.test", "A")).toMatchObject({ kind: "failed" });
    expect(queries.length).toBeGreaterThan(1);
  });

  it("ends a lookup at its timeout, even if tries are open", async () => {
    const { resolver } = await serveAndResolve(
      { "a.test": { behaviour: "drop" } },
      { timeoutMs: 1_000, retryMs: 50 },
    );
    expect(await resolver.resolve("a.test", "A")).toEqual({
      kind: "failed",
      code: "timeout",
      reason: expect.stringMatching(/^a\.test A: no answer .*in time from 127/),
    });
  });

  it("finds all names when a third of all datagrams is lost", async () => {
    const names = Array.from({ length: 60 }, (_, i) => `n${i}.test`);
    const zones = Object.fromEntries(names.map((name) => [name, { A: ["192.0.2.1"] }]));
    const server = await serve(zones, { loss: { share: 0.3, seed: 7 } });
    const resolver = resolverAt([server], { retryMs: 50 });
    const results = await Promise.all(names.map((name) => resolver.resolve(name, "A")));
    expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(["records"]));
    expect(server.queries.length).toBeGreaterThan(60);
  });

  it("queries a server without EDNS support without it", async () => {
    const { resolver } = await serveAndResolve({ "a.test": { A: ["192.0.2.1"], behaviour: "no_edns" } });
    expect(await resolver.resolve("a.test", "A")).toMatchObject({ records: ["192.0.2.1"] });
  });

  it("understands a server that does not return the question", async () => {
    const bytes = (query: Buffer) => {
      const header = Buffer.from(query.subarray(0, 12));
      header.writeUInt16BE(0x8181, 2);
      header.fill(0, 4);
      return [header];
    };
    const { resolver } = await serveAndResolve({ "a.test": { behaviour: { bytes } } });
    expect(await resolver.resolve("a.test", "A")).toMatchObject({
      reason: expect.stringContaining("FORMERR"),
    });
  });

  it("does not wait for a closed connection", async () => {
    const { resolver } = await serveAndResolve({ "a.test": { behaviour: "hang_up" } });
    expect(await resolver.resolve("a.test", "A")).toMatchObject({
      reason: expect.stringContaining("closed"),
    });
  });

  it("does not treat name servers beside a denial or an alias as a referral", async () => {
    const ns = { name: "test", type: "NS", ttl: 60, data: "ns.test" };
    const soa = { name: "test", type: "SOA", ttl: 60, data: { mname: "a", rname: "b", minimum: 60 } };
    const alias = { name: "b.test", type: "CNAME", ttl: 60, data: "c.test" };
    const reply = (query: Buffer, sections: Pick<wire.Packet, "answers" | "authorities">) => {
      const { id, questions } = wire.decode(query);
      return [wire.encode({ id, type: "response", flags: 0x180, questions, ...sections })];
    };
    const { resolver } = await serveAndResolve({
      "a.test": { behaviour: { bytes: (query) => reply(query, { authorities: [ns, soa] }) } },
      "b.test": { behaviour: { bytes: (query) => reply(query, { answers: [alias], authorities: [ns] }) } },
      "c.test": { A: ["192.0.2.1"] },
    });
    expect(await resolver.resolve("a.test", "A")).toMatchObject({ kind: "no_data" });
    expect(await resolver.resolve("b.test", "A")).toMatchObject({ records: ["192.0.2.1"] });
  });

  it("waits for a slow answer within the time", async () => {
    const { resolver } = await serveAndResolve({
      "a.test": { A: ["192.0.2.1"], behaviour: { delayMs: 50 } },
    });
    expect(await resolver.resolve("a.test", "A")).toMatchObject({ records: ["192.0.2.1"] });
  });

  it("uses TCP for an answer that does not fit into a datagram", async () => {
    const TXT = Array.from({ length: 20 }, (_, i) => `${i}`.padEnd(200, "x"));
    const { server, resolver } = await serveAndResolve({
      "long.test": { TXT },
      "a.test": { A: ["192.0.2.1"], behaviour: "truncate" },
    });
    expect(await resolver.resolve("long.test", "TXT")).toMatchObject({ records: TXT.map((text) => [text]) });
    expect(await resolver.resolve("a.test", "A")).toMatchObject({ records: ["192.0.2.1"] });
    expect(server.queries.map(({ transport }) => transport)).toEqual(["udp", "tcp", "udp", "tcp"]);
  });
});

describe("hostile answers", () => {
  /** Turns a query into an answer with this many records of these octets. */
  const answer = (query: Buffer, count: number, records: Buffer): Buffer => {
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(count, 6);
    header.writeUInt16BE(0, 10);
    return Buffer.concat([header, question, records]);
  };
  const record = (type: number, rdata: string | Buffer, owner = "c00c") => {
    const data = typeof rdata === "string" ? Buffer.from(rdata, "hex") : rdata;
    const head = Buffer.from(`${owner}00000001000000640000`, "hex");
    head.writeUInt16BE(type, owner.length / 2);
    head.writeUInt16BE(data.length, head.length - 2);
    return Buffer.concat([head, data]);
  };
  const one = (bytes: Buffer, count = 1): DnsZones => ({
    "a.test": { behaviour: { bytes: (query) => [answer(query, count, bytes)] } },
  });

  it.each([
    ["a name that points at itself", record(15, "000ac019")],
    ["a name that points ahead", record(15, "000ac0ff")],
    ["a label that is longer than the message", record(15, "000a3f61")],
    ["a label of a kind that does not exist", record(15, "000a8061")],
    ["an owner that points at itself", record(15, "000a016100", "c018")],
    ["RDATA that is longer than its content", record(15, "000a016100ff")],
    ["RDATA that is too short", record(15, "000a")],
    ["RDATA that ends behind the message", record(15, "000a016100").subarray(0, -2)],
    ["a record of another type that ends behind the message", record(65_280, "00ff").subarray(0, -1)],
    ["no record where one is announced", Buffer.alloc(0)],
  ])("are malformed: %s", async (_, bytes) => {
    const { resolver } = await serveAndResolve(one(bytes), { tries: 1 });
    expect(await resolver.resolve("a.test", "MX")).toMatchObject({ kind: "failed" });
  });

  it("of the wrong size for an address are malformed", async () => {
    const { resolver } = await serveAndResolve(one(record(1, "7f0000")), { tries: 1 });
    expect(await resolver.resolve("a.test", "A")).toMatchObject({ kind: "failed" });
  });

  it("with records of other names or classes are no answer", async () => {
    const stranger = record(15, "000a016100", "016200");
    const chaos = record(15, "000a016100");
    chaos.writeUInt16BE(3, 4);
    const { resolver } = await serveAndResolve(one(Buffer.concat([stranger, chaos]), 2));
    expect(await resolver.resolve("a.test", "MX")).toMatchObject({ kind: "no_data", authenticated: false });
  });

  it("with records of unknown or malformed types are read for the rest", async () => {
    const odd = Buffer.concat([record(46, "ff"), record(65_280, "00ff"), record(15, "000a016100")]);
    const { resolver } = await serveAndResolve(one(odd, 3));
    expect(await resolver.resolve("a.test", "MX")).toMatchObject({
      records: [{ preference: 10, exchange: "a" }],
    });
  });

  it("with thousands of records and pointers are read in part", async () => {
    // Each pointer except the first points to the one before it.
    const pointers = Buffer.alloc(14_000);
    for (let i = 0; i < pointers.length; i += 2)
      pointers.writeUInt16BE(0xc000 + (i === 0 ? 12 : 34 + i - 2), i);
    const deep = record(15, `000a${(0xc000 + 34 + pointers.length - 2).toString(16)}`);
    const bytes = Buffer.concat([record(65_280, pointers), ...Array(3_000).fill(deep)]);
    const message = (query: Buffer) => {
      const whole = answer(query, 3_001, bytes);
      // The first datagram sends the client to TCP.
      const short = Buffer.from(whole.subarray(0, 24));
      short.writeUInt16BE(0x8380, 2);
      short.writeUInt16BE(0, 6);
      return { whole, short };
    };
    let asked = 0;
    const { resolver } = await serveAndResolve({
      "a.test": {
        behaviour: { bytes: (query) => [asked++ === 0 ? message(query).short : message(query).whole] },
      },
    });
    const result = await resolver.resolve("a.test", "MX");
    expect(result).toMatchObject({ kind: "records" });
    expect(result.kind === "records" && result.records.length).toBe(255);
  });

  it.each([
    ["another id", 0],
    ["the question for another type", 21],
  ])("with %s are ignored, and in a flood end the try", async (_, offset) => {
    const stray = (query: Buffer) => {
      const other = answer(query, 0, Buffer.alloc(0));
      // After the header: "a.test", and then the type.
      other.writeUInt8(other.readUInt8(offset) ^ 1, offset);
      return Array(50).fill(other);
    };
    const { resolver } = await serveAndResolve({ "a.test": { behaviour: { bytes: stray } } }, { tries: 1 });
    expect(await resolver.resolve("a.test", "A")).toMatchObject({
      reason: expect.stringContaining("too many answers to other questions"),
    });
  });

  it("of random octets never break anything", async () => {
    let bytes = Buffer.alloc(0);
    let count = 0;
    const server = await serve({
      "a.test": { behaviour: { bytes: (query) => [answer(query, count, bytes)] } },
    });
    const octets = fc.uint8Array({ maxLength: 60 });
    const records = fc.oneof(
      octets,
      fc.tuple(fc.constantFrom(5, 15), octets).map(([t, o]) => record(t, Buffer.from(o))),
    );
    await fc.assert(
      fc.asyncProperty(records, fc.integer({ min: 0, max: 3 }), async (some, announced) => {
        bytes = Buffer.from(some);
        count = announced;
        const { kind } = await resolverAt([server], { tries: 1 }).resolve("a.test", "MX");
        expect(["records", "no_data", "failed"]).toContain(kind);
      }),
      { numRuns: 200 },
    );
  });
});

describe("names", () => {
  it.each([
    "",
    ".",
    "a..test",
    ".test",
    "a b.test",
    "é.test",
    "a\0.test",
    "x".repeat(64),
    `${"x.".repeat(127)}x`,
  ])("%j is never queried", async (name) => {
    const { server, resolver } = await serveAndResolve({});
    expect(await resolver.resolve(name, "A")).toMatchObject({ kind: "failed" });
    expect(server.queries).toEqual([]);
  });
});

describe("servers", () => {
  it("are those of the system when none are given", async () => {
    const server = await serve({ "a.test": { A: ["192.0.2.1"] } });
    const system = dns.getServers();
    dns.setServers([server.address]);
    const resolver = createResolver({ servers: [], clock });
    dns.setServers(system);
    expect(await resolver.resolve("a.test", "A")).toMatchObject({ records: ["192.0.2.1"] });
  });

  it("that are not addresses are refused at once", () => {
    expect(() => createResolver({ servers: ["dns.example"], clock })).toThrow('"dns.example"');
  });
});
