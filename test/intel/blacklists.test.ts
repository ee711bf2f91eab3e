import { inspect } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { createResolver } from "../../src/dns/resolver.ts";
import { createAskList, type ListCheck } from "../../src/intel/blacklists/ask-list.ts";
import { checkBlacklists } from "../../src/intel/blacklists/check-blacklists.ts";
import { createCheckRound } from "../../src/intel/blacklists/check-round.ts";
import { afterCheck } from "../../src/intel/blacklists/listing.ts";
import type { OpenList } from "../../src/intel/blacklists/open-lists.ts";
import type { Trust } from "../../src/intel/blacklists/self-test.ts";
import {
  addressSubject,
  domainSubject,
  queryLabels,
  type Subject,
} from "../../src/intel/blacklists/subject.ts";
import { blacklistZone, exampleCode, openBlacklist, queryNameOf } from "../harness/dns-blacklist.ts";
import { type DnsName, type DnsServer, type DnsZones, startDnsServer } from "../harness/dns-server.ts";
import { createTestTime } from "../harness/test-time.ts";

const KEY = "k3yofth3op3rat0r";
const IP = "193.0.14.129";
const IP6 = "2001:7fd::1";
const opened: DnsServer[] = [];
const zen = () => openBlacklist("spamhaus_zen", { key: KEY });

afterAll(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

async function world(zones: DnsZones, timeoutMs = 5_000) {
  const server = await startDnsServer(zones);
  opened.push(server);
  const time = createTestTime(Date.parse("2026-11-24T12:00:00Z"));
  const { clock } = time;
  const resolver = createResolver({
    servers: [server.address],
    clock,
    timeoutMs,
    retryMs: timeoutMs / 3,
    tries: 2,
  });
  return {
    server,
    time,
    ask: createAskList({ resolver, clock }),
    round: createCheckRound({ resolver, clock }),
  };
}

/** Checks one subject at a list that otherwise works. */
async function lookAt(
  open: OpenList,
  value: string,
  entry: string | DnsName | undefined,
  timeoutMs?: number,
) {
  const entries: Record<string, string | DnsName> = entry === undefined ? {} : { [value]: entry };
  const { server, ask } = await world(blacklistZone(open, entries), timeoutMs);
  const { check, queries } = await ask(open, labelsOf(value));
  return { check, queries, server };
}

function subjectOf(value: string): Subject {
  const subject = addressSubject(value) ?? domainSubject({ domainName: "host" }, value);
  if (!subject) throw new Error(`${value} is no subject`);
  return subject;
}

function labelsOf(value: string): string {
  const { kind, value: asked } = subjectOf(value);
  return queryLabels(kind, asked);
}

describe("an answer of a list", () => {
  it("is a listing with its meaning, text and evidence", async () => {
    const { check, queries } = await lookAt(openBlacklist("mailspike"), IP, {
      A: ["127.0.0.10"],
      TXT: [["Bad reputation: ", "see https://mailspike.test"]],
      ttl: 120,
    });
    expect(check).toMatchObject({
      state: "listed",
      codes: [{ code: "127.0.0.10", meaning: "the address has the worst reputation" }],
      text: "Bad reputation: see https://mailspike.test",
    });
    expect(check.repeatsUntil.getTime() - check.at.getTime()).toBe(120_000);
    expect(check.evidence).toMatchObject([
      {
        name: "129.14.0.193.bl.mailspike.net",
        type: "A",
        rcode: "NOERROR",
        data: ["127.0.0.10"],
        ttlSeconds: 120,
      },
      {
        name: "129.14.0.193.bl.mailspike.net",
        type: "TXT",
        data: ['"Bad reputation: see https://mailspike.test"'],
      },
    ]);
    expect(queries).toBe(2);
  });

  it("is clean for a missing name and for one without addresses, and no text is queried", async () => {
    for (const entry of [undefined, { TXT: ["nothing of an address"] }]) {
      const { check, queries, server } = await lookAt(openBlacklist("psbl"), IP, entry);
      expect(check).toMatchObject({ state: "clean", codes: [] });
      expect(queries).toBe(1);
      expect(server.queries.map(({ type }) => type)).toEqual(["A"]);
    }
  });

  it("includes the codes of all records", async () => {
    const entry = { A: ["127.0.0.2", "127.0.0.9", "127.0.0.10"] };
    const { check } = await lookAt(zen(), IP, entry);
    expect(check.state).toBe("listed");
    expect(check.codes.map(({ code }) => code).sort()).toEqual(["127.0.0.10", "127.0.0.2", "127.0.0.9"]);
  });

  it("is read bit by bit for a list with bits", async () => {
    const surbl = openBlacklist("surbl");
    const { check } = await lookAt(surbl, "www.example.test", "127.0.0.72");
    expect(check.codes.map(({ meaning }) => meaning.slice(0, 5))).toEqual(["PH: t", "ABUSE"]);
    expect((await lookAt(surbl, "www.example.test", "127.0.0.1")).check.state).toBe("refused");
    expect((await lookAt(surbl, "www.example.test", "127.0.0.9")).check.state).toBe("refused");
    expect((await lookAt(surbl, "www.example.test", "127.0.0.2")).check.state).toBe("unreliable");
    expect((await lookAt(surbl, "www.example.test", "127.0.1.8")).check.state).toBe("unreliable");
  });

  it.each([
    ["a code that the list does not have", "psbl", "127.0.0.77", "unreliable"],
    ["an address outside of 127/8", "psbl", "198.51.100.7", "unreliable"],
    ["an address that begins alike", "psbl", "12.7.0.2", "unreliable"],
    ["a good reputation among bad ones", "mailspike", "127.0.0.18", "unreliable"],
    ["127.0.0.1, which filters answer", "psbl", "127.0.0.1", "refused"],
    ["127.0.0.1 where any code counts", "dronebl", "127.0.0.1", "refused"],
    ["127.255.255.254, an open resolver", "spamcop", "127.255.255.254", "refused"],
    ["127.255.255.255 of an unregistered asker", "validity", "127.255.255.255", "refused"],
    ["127.255.255.252 where any code counts", "uceprotect_1", "127.255.255.252", "refused"],
  ] as const)("is never a listing: %s", async (_, id, address, state) => {
    const { check } = await lookAt(openBlacklist(id), IP, address);
    expect(check).toMatchObject({ state, codes: [] });
    expect(check.reason).toContain(address);
  });

  it("is a refusal if a domain list treats the name as an address", async () => {
    const { check } = await lookAt(
      openBlacklist("spamhaus_dbl", { key: KEY }),
      "example.test",
      "127.0.1.255",
    );
    expect(check.state).toBe("refused");
  });

  it("is a refusal, or unreliable, if one of several records is", async () => {
    const listed = exampleCode(zen().list);
    expect((await lookAt(zen(), IP, { A: [listed, "127.255.255.255"] })).check.state).toBe("refused");
    expect((await lookAt(zen(), IP, { A: [listed, "198.51.100.7"] })).check.state).toBe("unreliable");
  });

  it("stays a listing by its known codes if the list has new codes, too", async () => {
    const { check } = await lookAt(zen(), IP, { A: ["127.0.0.2", "127.0.0.99"] });
    expect(check.codes.map(({ code }) => code)).toEqual(["127.0.0.2"]);
  });

  it.each([
    ["servfail", "error", "the name server answered SERVFAIL"],
    ["refused", "refused", "the name server answered REFUSED"],
    ["garbage", "error", "no usable answer"],
    ["drop", "error", "no answer in time"],
    ["truncate_always", "error", "no usable answer"],
  ] as const)("is never clean when the server's is %s", async (behaviour, state, reason) => {
    const { check } = await lookAt(openBlacklist("psbl"), IP, { behaviour }, 300);
    expect(check).toMatchObject({ state, reason, codes: [] });
    expect(check.evidence).toMatchObject([{ rcode: "ERROR", data: [], reason }]);
  });

  it("has a short and harmless text, however large and hostile the original is", async () => {
    const hostile = `a\u0000\u001b[2J\r\nInjected: x\u202e\u2066 b ${"x".repeat(200)}`;
    const entry = {
      A: ["127.0.0.2"],
      TXT: [[hostile], ...Array.from({ length: 60 }, () => ["y".repeat(255), "z"])],
    };
    const { check, server } = await lookAt(openBlacklist("psbl"), IP, entry);
    expect(server.queries.some(({ transport }) => transport === "tcp")).toBe(true);
    expect(check.text).toMatch(/^a \[2J Injected: x b x{100}/);
    expect([...(check.text ?? "")]).toHaveLength(300);
    expect(check.text).not.toMatch(/\p{C}/u);
  });

  it("is kept without its text if the text lookup fails", async () => {
    const entry = { A: ["127.0.0.2"], behaviour: "servfail", misbehavesFor: ["TXT"] } as const;
    const { check } = await lookAt(openBlacklist("psbl"), IP, entry);
    expect(check.state).toBe("listed");
    expect(check.text).toBeUndefined();
  });
});

describe("the query name", () => {
  it("has the octets of IPv4 and the nibbles of IPv6 in reverse order", async () => {
    const four = await lookAt(zen(), IP, "127.0.0.2");
    expect(four.server.queries[0]?.name).toBe(`129.14.0.193.${KEY}.zen.dq.spamhaus.net`);
    const six = await lookAt(zen(), IP6, "127.0.0.2");
    expect(six.check.state).toBe("listed");
    expect(six.server.queries[0]?.name).toBe(
      `1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.d.f.7.0.1.0.0.2.${KEY}.zen.dq.spamhaus.net`,
    );
  });

  it("is the mapped IPv4 address for IPv6, and missing for private addresses", () => {
    expect(addressSubject("::ffff:193.0.14.129")).toEqual({ kind: "ip4", value: IP });
    expect(addressSubject("2001:07FD:0::0001")).toEqual({ kind: "ip6", value: IP6 });
    for (const address of [
      "10.0.0.1",
      "127.0.0.2",
      "192.168.1.1",
      "::1",
      "fe80::1%eth0",
      "::7f00:2",
      "x",
      "",
    ])
      expect(addressSubject(address)).toBeUndefined();
  });

  it("is the registrable name, for SURBL the whole name, and never a public suffix", () => {
    const registrable = { domainName: "registrable" } as const;
    const host = { domainName: "host" } as const;
    expect(domainSubject(registrable, "Mail.Example.CO.UK.")?.value).toBe("example.co.uk");
    expect(domainSubject(host, "Mail.Example.CO.UK.")?.value).toBe("mail.example.co.uk");
    expect(domainSubject(registrable, "a.b.github.io")?.value).toBe("b.github.io");
    for (const suffix of ["co.uk", "github.io", "com", "193.0.14.129", "", ".", "a..b", "é.example"]) {
      expect(domainSubject(registrable, suffix)).toBeUndefined();
      expect(domainSubject(host, suffix)).toBeUndefined();
    }
  });

  it("is an error if it is too long for the list", async () => {
    const long = `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(40)}.example.test`;
    const { check, server } = await lookAt(openBlacklist("surbl"), long, undefined);
    expect(check.state).toBe("error");
    expect(server.queries).toEqual([]);
  });
});

describe("a round", () => {
  const psbl = () => openBlacklist("psbl");
  const subjects = [subjectOf(IP), subjectOf("193.0.14.130")];

  it("tests the list before its first query, and not again for ten minutes", async () => {
    const open = psbl();
    const { round, server, time } = await world(blacklistZone(open, { [IP]: "127.0.0.2" }));
    const first = await round({ open, subjects, maxQueries: 100 });
    expect(
      server.queries
        .slice(0, 2)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["1.0.0.127.psbl.surriel.com", "2.0.0.127.psbl.surriel.com"]);
    expect(first.checks.map(({ check }) => check.state).sort()).toEqual(["clean", "listed"]);
    expect(first).toMatchObject({ left: [], queries: 5, trust: { isOn: true, contrary: 0 } });

    time.pass(9 * 60_000);
    const { queries } = await round({ open, subjects, trust: first.trust, maxQueries: 100 });
    expect(queries).toBe(3);
    time.pass(60_000);
    expect((await round({ open, subjects, trust: first.trust, maxQueries: 100 })).queries).toBe(5);
  });

  it("also tests IPv6 if the list supports it", async () => {
    const open = zen();
    const { round, server } = await world(blacklistZone(open));
    const { trust } = await round({ open, subjects, maxQueries: 100 });
    expect(trust).toMatchObject({ isOn: true, contrary: 0 });
    expect(server.count(queryNameOf(open, "::ffff:7f00:2"))).toBe(1);
    expect(server.count(queryNameOf(open, "::ffff:7f00:1"))).toBe(1);
    expect(queryNameOf(open, "::ffff:7f00:2")).toMatch(/^2\.0\.0\.0\.0\.0\.f\.7\.f\.f\.f\.f\.0\.0\./);
  });

  const everything = { "127.0.0.1": "127.0.0.2", [IP]: "127.0.0.2" };
  const rewriting = { "127.0.0.1": "198.51.100.7", [IP]: "198.51.100.7" };
  const silent = { "127.0.0.2": { behaviour: "servfail" }, "127.0.0.1": { behaviour: "servfail" } } as const;
  it.each([
    ["lists everything", everything, "lists_everything", "unreliable"],
    ["answers through a resolver that rewrites NXDOMAIN", rewriting, "rewritten", "unreliable"],
    [
      "answers 127.0.0.1 for all",
      { "127.0.0.1": "127.0.0.1", "127.0.0.2": "127.0.0.1" },
      "refused",
      "refused",
    ],
    ["refuses all", { "127.0.0.1": "127.255.255.255", "127.0.0.2": "127.255.255.255" }, "refused", "refused"],
    ["is empty", { "127.0.0.2": {} }, "lists_nothing", "unreliable"],
    ["has other codes", { "127.0.0.2": "127.0.0.99" }, "wrong_code", "unreliable"],
    ["does not answer", silent, "error", "error"],
  ] as const)(
    "believes nothing of a list that %s, and puts it off the second time",
    async (_, zone, failure, state) => {
      const open = psbl();
      const { round, server, time } = await world(blacklistZone(open, zone));
      let trust: Trust | undefined;
      const findings: unknown[] = [];
      for (let count = 1; count <= 4; count++) {
        const result = await round({ open, subjects, trust, maxQueries: 100 });
        trust = result.trust;
        if (result.finding) findings.push({ round: count, ...result.finding });
        expect(result.checks.map(({ check }) => check.state)).toEqual([state, state]);
        expect(result.checks[0]?.check.reason).toContain("the list fails its test");
        expect(trust?.failure).toBe(failure);
        time.pass(3_600_000);
      }
      expect(server.count(queryNameOf(open, IP))).toBe(0);
      expect(findings).toMatchObject([{ round: 2, kind: "blacklist.off", listId: "psbl" }]);
    },
  );

  it("queries a disabled list again after two passed tests, and reports that", async () => {
    const open = psbl();
    const { round, server, time } = await world(blacklistZone(open));
    let trust: Trust | undefined = {
      isOn: false,
      contrary: 0,
      testedAt: new Date(0),
      failure: "lists_everything",
    };
    const first = await round({ open, subjects, trust, maxQueries: 100 });
    expect(first.checks.map(({ check }) => check.state)).toEqual(["unreliable", "unreliable"]);
    expect(first.finding).toBeUndefined();
    trust = first.trust;
    time.pass(3_600_000);
    const second = await round({ open, subjects, trust, maxQueries: 100 });
    expect(second.finding?.kind).toBe("blacklist.on");
    expect(second.checks.map(({ check }) => check.state)).toEqual(["clean", "clean"]);
    expect(server.count(queryNameOf(open, IP))).toBe(1);
  });

  it("stays within the budget, and returns the remaining subjects", async () => {
    const open = psbl();
    const { round, server } = await world(blacklistZone(open));
    const none = await round({ open, subjects, maxQueries: 1 });
    expect(none).toMatchObject({ checks: [], left: subjects, queries: 0 });
    expect(server.queries).toEqual([]);
    const one = await round({ open, subjects, maxQueries: 5 });
    expect(one.checks.map(({ subject }) => subject)).toEqual(subjects.slice(0, 1));
    expect(one.left).toEqual(subjects.slice(1));
    expect(server.queries).toHaveLength(one.queries);
  });
});

describe("the operator's key", () => {
  it("is in the queries, and in none of their results", async () => {
    const open = zen();
    const echo = `Query of ${KEY} (${KEY.toUpperCase()}) refused, ${KEY.slice(0, 4)}\u200b${KEY.slice(4)}`;
    const entries: Record<string, string | DnsName>[] = [
      { [IP]: { A: ["127.0.0.2"], TXT: [echo, ["\u0000".repeat(200), `${KEY.slice(0, 8)}`, KEY.slice(8)]] } },
      { [IP]: { behaviour: "servfail" } },
      { [IP]: { behaviour: "refused" } },
      { [IP]: { behaviour: "drop" } },
      { [IP]: { behaviour: "garbage" } },
      { [IP]: "127.255.255.252" },
      { [IP]: "127.0.0.77" },
      { "127.0.0.2": { behaviour: "servfail" } },
      { "127.0.0.2": {} },
    ];
    const outputs: unknown[] = [open];
    for (const one of entries) {
      const { round, server } = await world(blacklistZone(open, one), 300);
      let trust: Trust | undefined;
      for (let count = 0; count < 2; count++) {
        const result = await round({ open, subjects: [subjectOf(IP)], trust, maxQueries: 100 });
        trust = result.trust && { ...result.trust, testedAt: new Date(0) };
        outputs.push(result, ...checksOf(open, result.checks[0]?.check));
      }
      expect(server.queries.some(({ name }) => name.includes(KEY))).toBe(true);
    }
    const ask = createAskList({
      resolver: { resolve: (name) => Promise.reject(new Error(`cannot ask for ${name}`)) },
      clock: createTestTime().clock,
    });
    outputs.push(await ask(open, "1.2.3.4"), await ask(open, "x".repeat(300)));

    const text = outputs
      .flatMap((one) => [JSON.stringify(one), inspect(one, { depth: 20, showHidden: true })])
      .join("\n")
      .toLowerCase();
    expect(text).toContain("129.14.0.193.<key>.zen.dq.spamhaus.net");
    expect(text).not.toContain(KEY);
    for (const part of [KEY.slice(0, 8), KEY.slice(4)]) expect(text).not.toContain(part);
  });

  function checksOf(open: OpenList, check: ListCheck | undefined): unknown[] {
    if (!check) return [];
    const { standing } = afterCheck({ listId: open.list.id, subject: IP }, undefined, check);
    const facts = { domain: "example.test", addresses: [IP], lists: [open], now: check.at };
    return [standing, checkBlacklists({ ...facts, standingOf: () => standing })];
  }
});
