import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createResolver } from "../../src/dns/resolver.ts";
import { createProbeDns, type ProbeDnsOptions } from "../../src/intel/probe-dns.ts";
import { checkSpf } from "../../src/intel/spf/check-spf.ts";
import { systemClock, type Timers } from "../../src/shared/clock.ts";
import { type DnsServer, startDnsServer } from "../harness/dns-server.ts";
import { probeZones } from "../harness/probe-zones.ts";
import { createTestTime } from "../harness/test-time.ts";

let server: DnsServer;
beforeAll(async () => {
  server = await startDnsServer();
});
afterAll(() => server.close());

const OVER = { answer: { kind: "failed", code: "budget", reason: "budget" } };
const LATE_REASON = "the time limit of the check was reached";
const LATE = { answer: { kind: "failed", code: "budget", reason: LATE_REASON } };

/** A check run with a clock that only the test advances. */
function check(options: Partial<ProbeDnsOptions> = {}) {
  const { clock, timers, pass } = createTestTime();
  let waiting = 0;
  const after: Timers["after"] = (ms, call) => {
    waiting++;
    const cancel = timers.after(ms, call);
    return () => {
      waiting--;
      cancel();
    };
  };
  const resolver = createResolver({ servers: [server.address], clock: systemClock });
  const dns = createProbeDns({ resolver, clock, timers: { after }, ...options });
  return { dns, pass, waiting: () => waiting };
}

describe("one check run of a domain", () => {
  it("ends after 90 seconds without further queries", async () => {
    server.serve({ "a.test": { A: ["192.0.2.1"] } });
    const { dns, pass } = check();
    pass(89_999);
    expect(await dns.lookUp("a.test", "A")).toMatchObject({ answer: { kind: "records" } });
    expect(dns.isOverBudget()).toBe(false);
    pass(1);
    expect(await dns.lookUp("b.test", "A")).toMatchObject(LATE);
    expect(await dns.lookUp("a.test", "A")).toMatchObject({ answer: { kind: "records" } });
    expect(dns.isOverBudget()).toBe(true);
    expect(server.count("b.test")).toBe(0);
  });

  it("does not wait for running lookups after its end", async () => {
    server.serve({ "a.test": { behaviour: "drop" } });
    const { dns, pass } = check({ timeoutMs: 1_000 });
    const asked = dns.lookUp("a.test", "A");
    pass(1_000);
    expect(await asked).toMatchObject({ ...LATE, evidence: { rcode: "ERROR", reason: LATE_REASON } });
    expect(dns.isOverBudget()).toBe(true);
  });

  it("leaves no timer after an answer", async () => {
    server.serve({ "a.test": { A: ["192.0.2.1"] } });
    const { dns, waiting } = check();
    await dns.lookUp("a.test", "A");
    expect(waiting()).toBe(0);
  });

  it("queries at most as many names as its budget allows, each once", async () => {
    server.serve({});
    const { dns } = check({ maxLookups: 2 });
    await Promise.all(["n0.test", "N0.test", "n1.test"].map((name) => dns.lookUp(name, "A")));
    expect(dns.isOverBudget()).toBe(false);
    expect(await dns.lookUp("n2.test", "A")).toMatchObject(OVER);
    expect([0, 1, 2].map((n) => server.count(`n${n}.test`))).toEqual([1, 1, 0]);
  });
});

describe("a group of checks", () => {
  it("has its own budget, and pays nothing for answers of another group", async () => {
    server.serve({});
    const { dns } = check();
    const [one, other] = [dns.group(1), dns.group(1)];
    await one.lookUp("n0.test", "A");
    expect(await one.lookUp("n1.test", "A")).toMatchObject(OVER);
    expect([one.isOverBudget(), other.isOverBudget()]).toEqual([true, false]);
    expect(await other.lookUp("n0.test", "A")).toMatchObject({ answer: { kind: "no_domain" } });
    expect(await other.lookUp("n1.test", "A")).toMatchObject({ answer: { kind: "no_domain" } });
    expect(await one.lookUp("n1.test", "A")).toMatchObject({ answer: { kind: "no_domain" } });
  });
});

describe("evidence", () => {
  const found = async (zones: Parameters<typeof probeZones>[1], type: "A" | "TXT") =>
    (await probeZones(server, zones).lookUp("a.test", type)).evidence;

  it("names the answering server", async () => {
    const { server: who } = await found({ "a.test": { A: ["192.0.2.1"] } }, "A");
    expect(who).toBe(server.address);
  });

  it("of very many records contains the first 50 and the number of the others", async () => {
    const A = Array.from({ length: 200 }, (_, n) => `192.0.2.${n}`);
    const { data } = await found({ "a.test": { A } }, "A");
    expect(data).toEqual([...A.slice(0, 50), "… and 150 more"]);
  });

  it("of very long records has about 8,000 characters, with the beginning of a record that is too long", async () => {
    const long = (n: number) => Array.from({ length: n }, () => "x".repeat(250));
    const many = await found({ "a.test": { TXT: Array.from({ length: 20 }, () => long(4)) } }, "TXT");
    expect(many.data.length).toBe(8);
    expect(many.data.at(-1)).toBe("… and 13 more");
    const one = await found({ "a.test": { TXT: [long(100), ["y"]] } }, "TXT");
    expect(one.data.map(({ length }) => length)).toEqual([8_001, "… and 1 more".length]);
  });

  it("alone is shortened: the check processes every record", async () => {
    const others = Array.from({ length: 100 }, (_, n) => `x${n}`);
    const dns = probeZones(server, { "a.test": { TXT: [...others, "v=spf1 -all"] } });
    const results = await checkSpf({ domain: "a.test", role: "sending", dns });
    expect(results.find(({ id }) => id === "auth.spf.exists")).toMatchObject({ status: "pass" });
  });
});
