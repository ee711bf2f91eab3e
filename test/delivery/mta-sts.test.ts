import { Writable } from "node:stream";
import type { DetailedPeerCertificate } from "node:tls";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createResolver } from "../../src/dns/resolver.ts";
import { createRefuseDestination } from "../../src/shared/destination-address.ts";
import { issueCertificate } from "../../src/shared/issue-certificate.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { phrase } from "../../src/shared/phrase.ts";
import { createMtaStsStore, type MtaStsStore } from "../../src/store/mta-sts-store.ts";
import { createFetchPolicy } from "../../src/transport-security/mta-sts/fetch-policy.ts";
import { createMtaSts, type MtaSts } from "../../src/transport-security/mta-sts/mta-sts.ts";
import { createMtaStsDemand } from "../../src/transport-security/mta-sts/mta-sts-demand.ts";
import { verifiedDemand } from "../../src/transport-security/tls-demand.ts";
import { type DnsName, type DnsServer, startDnsServer } from "../harness/dns-server.ts";
import { type PolicyServer, startPolicyServer } from "../harness/policy-server.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const ca = issueCertificate({ subject: "authority", authority: true });

let database: TestStore;
let store: MtaStsStore;
let dns: DnsServer;
let server: PolicyServer;
beforeAll(async () => {
  database = await openTestStore();
  store = createMtaStsStore(database.db);
  dns = await startDnsServer();
  server = await startPolicyServer(
    issueCertificate({ subject: "policies", issuer: ca, names: ["mta-sts.d.test"] }),
  );
});
afterAll(() => Promise.all([database.close(), dns.close(), server.close()]));

/** Milliseconds since the start; the tests move it. */
let elapsedMs: number;
const started = Date.now();
const clock = { now: () => new Date(started + elapsedMs), monotonicMs: () => elapsedMs };
const running: MtaSts[] = [];
let logged: { level: string; msg: string; reason?: string }[];
/** The policies of one Hermod process, with a memory of its own. */
function start(stored: MtaStsStore = store) {
  const destination = new Writable({
    write: (line, _, done) => {
      logged.push(JSON.parse(line));
      done();
    },
  });
  const log = createLogger("info", destination);
  const resolver = createResolver({ servers: [dns.address], clock, timeoutMs: 5_000, tries: 1 });
  const refuse = createRefuseDestination({ allowPrivate: true, ownAddresses: [] });
  const fetchPolicy = createFetchPolicy({
    resolver,
    refuse,
    ipv6: false,
    port: server.port,
    extraCa: ca.pem,
  });
  const mtaSts = createMtaSts({ resolver, fetchPolicy, store: stored, clock, log });
  running.push(mtaSts);
  const demand = createMtaStsDemand({ mtaSts, log });
  return {
    mtaSts,
    demand: (exchange: string, domain = "d.test") =>
      demand(domain, { exchange, preference: 10, authenticated: false }),
  };
}

const address = { "mta-sts.d.test": { A: ["127.0.0.1"] } };
const announce = (id: string, txt: DnsName = {}) =>
  dns.serve({ ...address, "_mta-sts.d.test": { TXT: [`v=STSv1; id=${id};`], ttl: 1, ...txt } });
const policy = (mode: string, maxAgeSeconds = 7 * 86_400, mx = "mx.d.test") =>
  `version: STSv1\nmode: ${mode}\nmx: ${mx}\nmax_age: ${maxAgeSeconds}\n`;
const fetches = () => server.requests.length;
const peer = (authorized: boolean) => ({
  serverName: "mx.d.test",
  authorized,
  authorizationError: authorized ? undefined : "unable to verify",
  certificate: {} as DetailedPeerCertificate,
});

/** Waits for what a use of a policy has begun behind it. */
async function settled(of: MtaSts): Promise<void> {
  await of.freshPolicyFor("d.test");
}

beforeEach(() => {
  elapsedMs = 0;
  logged = [];
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.close()));
  await database.db.collection("mtaStsPolicies").deleteMany({});
});

describe("a policy to enforce", () => {
  it("requires a valid certificate of its listed servers, and refuses others", async () => {
    announce("1");
    server.answer(policy("enforce", 86_400, "MX.d.test\nmx: *.mail.d.test"));
    const { demand } = start();
    for (const exchange of ["mx.d.test", "a.mail.d.test"]) {
      const demanded = await demand(exchange);
      expect(demanded).toBe(verifiedDemand);
      expect(demanded).toMatchObject({ level: "required", key: "required verified" });
    }
    expect(verifiedDemand.verify?.(peer(true))).toBeUndefined();
    expect(verifiedDemand.verify?.(peer(false))?.text).toContain(
      "does not prove mx.d.test: unable to verify",
    );
    for (const exchange of ["mx.evil.test", "d.test", "mail.d.test", "a.b.mail.d.test"]) {
      expect(await demand(exchange)).toEqual({
        refused: phrase("tls.mta_sts", { domain: "d.test", host: exchange }),
      });
    }
  });

  it("applies only to its own domain, not to parents or subdomains", async () => {
    announce("1");
    server.answer(policy("enforce"));
    const { demand } = start();
    expect(await demand("mx.d.test", "D.TEST.")).toBe(verifiedDemand);
    expect(await demand("mx.d.test", "sub.d.test")).toBeUndefined();
    expect(await demand("mx.d.test", "test")).toBeUndefined();
    expect(await demand("mx.d.test", "no name")).toBeUndefined();
  });

  it("is fetched once for concurrent callers, and then cached", async () => {
    announce("1");
    server.answer(policy("enforce"));
    const before = fetches();
    const { demand } = start();
    const demanded = await Promise.all(Array.from({ length: 20 }, () => demand("mx.d.test")));
    expect(new Set(demanded)).toEqual(new Set([verifiedDemand]));
    elapsedMs += 60 * MINUTE_MS;
    await demand("mx.d.test");
    expect(fetches()).toBe(before + 1);
  });

  it("does not delay deliveries during a refresh", async () => {
    announce("1");
    server.answer(policy("enforce"));
    const { demand } = start();
    await demand("mx.d.test");
    announce("2");
    server.answer(() => undefined);
    elapsedMs += 2 * DAY_MS;
    expect(await demand("mx.d.test")).toBe(verifiedDemand);
  });
});

describe("a known policy stays in force until it expires", () => {
  it.each<[string, () => void]>([
    ["the record is gone", () => dns.serve(address)],
    ["the record is malformed", () => announce("-")],
    ["there are two records", () => announce("2", { TXT: ["v=STSv1; id=2;", "v=STSv1; id=3;"] })],
    ["the DNS fails", () => announce("2", { behaviour: "servfail" })],
    [
      "the server of the new one fails",
      () => {
        announce("2");
        server.answer((response) => response.destroy());
      },
    ],
    [
      "the new one is malformed",
      () => {
        announce("2");
        server.answer("version: STSv1\nmode: none\n");
      },
    ],
  ])("when %s", async (_, change) => {
    announce("1");
    server.answer(policy("enforce", 3 * 86_400));
    const { demand, mtaSts } = start();
    await demand("mx.d.test");
    change();
    elapsedMs += 2.9 * DAY_MS;
    expect(await demand("mx.d.test")).toBe(verifiedDemand);
    await settled(mtaSts);
    expect(await demand("mx.evil.test")).toHaveProperty("refused");
    elapsedMs += 0.2 * DAY_MS;
    expect(await demand("mx.evil.test")).toBeUndefined();
  });

  it("when Hermod restarts", async () => {
    announce("1");
    server.answer(policy("enforce"));
    await start().demand("mx.d.test");
    dns.serve({});
    const before = fetches();
    const { demand } = start();
    expect(await demand("mx.d.test")).toBe(verifiedDemand);
    expect(await demand("mx.evil.test")).toHaveProperty("refused");
    expect(fetches()).toBe(before);
    elapsedMs += 8 * DAY_MS;
    expect(await start().demand("mx.evil.test")).toBeUndefined();
  });

  it("when another process has fetched it", async () => {
    const other = start();
    expect(await other.demand("mx.d.test")).toBeUndefined();
    announce("1");
    server.answer(policy("enforce"));
    await start().demand("mx.d.test");
    dns.serve({});
    elapsedMs += 6 * MINUTE_MS;
    expect(await other.demand("mx.d.test")).toBe(verifiedDemand);
  });

  it("except after replacement by a newer one", async () => {
    announce("1");
    server.answer(policy("enforce"));
    const { demand, mtaSts } = start();
    await demand("mx.d.test");
    announce("2");
    server.answer(policy("none"));
    elapsedMs += 2 * MINUTE_MS;
    await demand("mx.d.test");
    await settled(mtaSts);
    expect(await demand("mx.evil.test")).toBeUndefined();
    expect(await store.find("d.test")).toMatchObject({ policyId: "2", mode: "none" });
  });

  it("and refuses no server before a check for a newer one", async () => {
    announce("1");
    server.answer(policy("enforce"));
    const { demand } = start();
    await demand("mx.d.test");
    announce("2");
    server.answer(policy("enforce", 86_400, "new.d.test"));
    elapsedMs += 2 * MINUTE_MS;
    expect(await demand("new.d.test")).toBe(verifiedDemand);
    expect(await demand("mx.d.test")).toHaveProperty("refused");
  });
});

describe("a policy is fetched again", () => {
  it("every day, even with the same id, so that it does not expire", async () => {
    announce("1");
    server.answer(policy("enforce", 3 * 86_400));
    const { demand, mtaSts } = start();
    const before = fetches();
    for (let day = 0; day < 10; day++) {
      await demand("mx.d.test");
      await settled(mtaSts);
      elapsedMs += 1.01 * DAY_MS;
    }
    expect(fetches()).toBe(before + 10);
  });

  it("before a short one expires", async () => {
    announce("1");
    server.answer(policy("enforce", 3_600));
    const { demand, mtaSts } = start();
    await demand("mx.d.test");
    elapsedMs += 40 * MINUTE_MS;
    await demand("mx.d.test");
    await settled(mtaSts);
    dns.serve({});
    elapsedMs += 40 * MINUTE_MS;
    expect(await demand("mx.d.test")).toBe(verifiedDemand);
  });

  it("at the earliest after a minute, regardless of its id, and not for each message with max_age 0", async () => {
    announce("1");
    server.answer(policy("enforce", 0));
    const { demand, mtaSts } = start();
    const before = fetches();
    for (const id of ["2", "3", "4"]) {
      expect(await demand("mx.d.test")).toBe(verifiedDemand);
      announce(id);
      elapsedMs += 2_000;
      await settled(mtaSts);
    }
    expect(fetches()).toBe(before + 1);
    elapsedMs += MINUTE_MS;
    await settled(mtaSts);
    expect(fetches()).toBe(before + 2);
  });

  it("at the earliest five minutes after a failure, and deliveries continue without it", async () => {
    announce("1");
    server.answer((response) => response.writeHead(500).end());
    const { demand } = start();
    const before = fetches();
    for (let minute = 0; minute < 5; minute++) {
      expect(await demand("mx.evil.test")).toBeUndefined();
      announce(`1${minute}`);
      elapsedMs += 0.99 * MINUTE_MS;
    }
    expect(fetches()).toBe(before + 1);
    expect(logged).toMatchObject([{ level: "warn", reason: "the policy's server answered 500" }]);
    server.answer(policy("enforce"));
    elapsedMs += MINUTE_MS;
    expect(await demand("mx.d.test")).toBe(verifiedDemand);
    expect(fetches()).toBe(before + 2);
  });

  it("only if the domain announces one", async () => {
    dns.serve(address);
    server.answer(policy("enforce"));
    const before = fetches();
    expect(await start().demand("mx.d.test")).toBeUndefined();
    announce("1", { behaviour: "servfail" });
    expect(await start().demand("mx.d.test")).toBeUndefined();
    expect(fetches()).toBe(before);
  });
});

describe("a policy without enforcement", () => {
  it("of the mode none changes nothing", async () => {
    announce("1");
    server.answer(policy("none"));
    expect(await start().demand("mx.evil.test")).toBeUndefined();
    expect(logged).toEqual([]);
  });

  it("of the mode testing accepts everything, and reports failures", async () => {
    announce("1");
    server.answer(policy("testing"));
    const { demand } = start();
    const demanded = await demand("mx.d.test");
    if (!demanded || "refused" in demanded) throw new Error("no demand");
    // A key of its own, because the log names this domain for each connection.
    expect(demanded).toMatchObject({ level: "opportunistic", key: "opportunistic mta-sts-testing:d.test" });
    expect(demanded.verify?.(peer(true))).toBeUndefined();
    expect(logged).toEqual([]);
    expect(demanded.verify?.(peer(false))).toBeUndefined();
    expect(logged).toMatchObject([{ level: "info", reason: expect.stringContaining("unable to verify") }]);
    expect(await demand("mx.evil.test")).toMatchObject({ level: "opportunistic" });
    expect(logged[1]).toMatchObject({ level: "info", reason: "the policy does not name the server" });
  });
});

describe("without the store", () => {
  it("policies are fetched and cached in memory, and the error is logged", async () => {
    const broken = {
      find: () => Promise.reject(new Error("away")),
      put: () => Promise.reject(new Error("away")),
    };
    announce("1");
    server.answer(policy("enforce"));
    const { demand } = start(broken);
    expect(await demand("mx.d.test")).toBe(verifiedDemand);
    dns.serve({});
    expect(await demand("mx.d.test")).toBe(verifiedDemand);
    expect(logged.map(({ level }) => level)).toEqual(["warn", "warn"]);
  });
});

describe("at shutdown", () => {
  it("running fetches are aborted, and no others begin", async () => {
    announce("1");
    server.answer(() => undefined);
    const { demand, mtaSts } = start();
    const before = fetches();
    const waiting = demand("mx.d.test");
    while (fetches() === before) await new Promise((resolve) => setTimeout(resolve, 5));
    await mtaSts.close();
    expect(await waiting).toBeUndefined();
    expect(await demand("mx.d.test")).toBeUndefined();
    expect(fetches()).toBe(before + 1);
    expect(logged).toEqual([]);
  });
});
