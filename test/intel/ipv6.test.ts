import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CheckStatus } from "../../src/intel/check-result.ts";
import type { AddressProbe, MailHostProbe } from "../../src/intel/mail-host-probe/mail-host-probe.ts";
import { checkIpv6 } from "../../src/intel/mx/check-ipv6.ts";
import type { MailHost, MailHosts } from "../../src/intel/mx/find-mail-hosts.ts";
import { createStore } from "../../src/store/store.ts";
import { createFindProbes } from "../../src/watches/find-probes.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";
import { createTestTime, type TestTime } from "../harness/test-time.ts";
import { withParts } from "../harness/text-parts.ts";

const V4 = "93.184.216.34";
const V6 = "2606:2800:220:1::1";
const NOBODY = { kind: "not_offered", isMasked: false } as const;

const answered = (address: string): AddressProbe => ({ address, outcome: "answered", startTls: NOBODY });
const failed = (
  address: string,
  outcome: "turned_away" | "unheard" | "unreached" | "forbidden",
): AddressProbe => ({ address, outcome, reason: `it is ${outcome}` });

const at = new Date("2030-01-01T00:00:00Z");
const host = (name: string, more: Partial<MailHost> = {}): MailHost => ({
  name,
  preference: 10,
  ipv4: [V4],
  ipv6: [V6],
  isAlias: false,
  ...more,
});
const hostsOf = (...hosts: MailHost[]): MailHosts => ({ kind: "hosts", hosts, evidence: [] });
const probed = (name: string, ...addresses: AddressProbe[]): MailHostProbe => ({ name, at, addresses });

interface Seen {
  readonly hosts?: readonly MailHost[];
  readonly probes: readonly MailHostProbe[];
  readonly reachesIpv6?: boolean;
}

function check({ hosts = [host("mx.test")], probes, reachesIpv6 = true }: Seen) {
  const byName = new Map(probes.map((probe) => [probe.name, probe]));
  return checkIpv6({ found: hostsOf(...hosts), probes: byName, reachesIpv6 }).map(withParts);
}

describe("IPv6 addresses of mail servers", () => {
  it.each<[string, Seen, CheckStatus]>([
    ["answer", { probes: [probed("mx.test", answered(V4), answered(V6))] }, "pass"],
    [
      "answer while IPv4 does not",
      { probes: [probed("mx.test", failed(V4, "unreached"), answered(V6))] },
      "pass",
    ],
    [
      "speak SMTP, and not with us",
      { probes: [probed("mx.test", answered(V4), failed(V6, "turned_away"))] },
      "pass",
    ],
    [
      "refuse, while IPv4 answers",
      { probes: [probed("mx.test", answered(V4), failed(V6, "unreached"))] },
      "warn",
    ],
    [
      "are silent, while IPv4 answers",
      { probes: [probed("mx.test", answered(V4), failed(V6, "unheard"))] },
      "warn",
    ],
    [
      "refuse, while IPv4 speaks SMTP, and not with us",
      { probes: [probed("mx.test", failed(V4, "turned_away"), failed(V6, "unreached"))] },
      "warn",
    ],
    [
      "refuse, and so does IPv4",
      { probes: [probed("mx.test", failed(V4, "unreached"), failed(V6, "unreached"))] },
      "error",
    ],
    [
      "refuse, where Hermod itself reaches nobody",
      { probes: [probed("mx.test", answered(V4), failed(V6, "unreached"))], reachesIpv6: false },
      "not_tested",
    ],
    ["were not tried, for Hermod has no IPv6", { probes: [probed("mx.test", answered(V4))] }, "not_tested"],
    ["were not looked at yet", { probes: [] }, "not_tested"],
    [
      "are private ones",
      { hosts: [host("mx.test", { ipv6: ["fd00::1"] })], probes: [probed("mx.test", answered(V4))] },
      "warn",
    ],
    [
      "are not there",
      { hosts: [host("mx.test", { ipv6: [] })], probes: [probed("mx.test", answered(V4))] },
      "warn",
    ],
    [
      "are not known",
      { hosts: [host("mx.test", { ipv4: [], ipv6: [], failure: "SERVFAIL" })], probes: [] },
      "error",
    ],
    [
      "answer at one server, and refuse at another one",
      {
        hosts: [host("mx.test"), host("mx2.test")],
        probes: [
          probed("mx.test", answered(V4), answered(V6)),
          probed("mx2.test", answered(V4), failed(V6, "unreached")),
        ],
      },
      "warn",
    ],
    [
      "answer at one server, and are missing at another one",
      {
        hosts: [host("mx.test"), host("mx2.test", { ipv6: [] })],
        probes: [probed("mx.test", answered(V4), answered(V6)), probed("mx2.test", answered(V4))],
      },
      "pass",
    ],
  ])("%s", (_, seen, status) => {
    const [result, ...others] = check(seen);
    expect(others).toEqual([]);
    expect(result, JSON.stringify(result)).toMatchObject({ id: "infra.ipv6", status });
    expect(result?.observed).toMatch(/\.$/);
  });

  it("are named if they do not answer, with the results of both addresses and advice", () => {
    const [result] = check({ probes: [probed("mx.test", answered(V4), failed(V6, "unreached"))] });
    expect(result?.observed).toContain(`mx.test (${V6}): it is unreached`);
    expect(result?.evidence).toMatchObject([
      { name: `mx.test (${V4})`, type: "SMTP", rcode: "NOERROR" },
      { name: `mx.test (${V6})`, type: "SMTP", rcode: "ERROR", reason: "it is unreached" },
    ]);
    expect(result?.fix?.text).toContain("AAAA");
  });

  it("are not checked without a mail server", () => {
    const found: MailHosts = { kind: "null", evidence: [] };
    expect(checkIpv6({ found, probes: new Map(), reachesIpv6: true }).map(withParts)).toMatchObject([
      { status: "not_tested" },
    ]);
  });
});

describe("reachability of IPv6 from Hermod", () => {
  let opened: TestStore;
  let time: TestTime;
  /** Whether IPv6 works in the probes. */
  let works: boolean;
  let looked: string[];
  beforeAll(async () => {
    opened = await openTestStore();
  });
  afterAll(() => opened.close());
  beforeEach(async () => {
    await opened.db.collection("mailHostProbes").deleteMany({});
    time = createTestTime(at.getTime());
    looked = [];
    works = true;
  });

  const begin = (mailHosts = createStore(opened.db, testSealing).mailHosts) => {
    const down = "mx.broken.test";
    return createFindProbes({
      mailHosts,
      clock: time.clock,
      probeMailHost: async ({ name, ipv4, ipv6 }) => {
        looked.push(name);
        const six = works && name !== down ? answered : (address: string) => failed(address, "unreached");
        return { name, at: time.clock.now(), addresses: [...ipv4.map(answered), ...ipv6.map(six)] };
      },
    });
  };
  const MINUTE_MS = 60_000;
  const broken = hostsOf(host("mx.broken.test"));
  const good = hostsOf(host("mx.good.test"));

  it("is unknown before any host was reached", async () => {
    expect(await begin()(broken, false)).toMatchObject({ reachesIpv6: false });
    expect(looked).toEqual(["mx.broken.test"]);
  });

  it("is known from a host that was just reached", async () => {
    const find = begin();
    await find(good, false);
    time.pass(MINUTE_MS);
    expect(await find(broken, false)).toMatchObject({ reachesIpv6: true });
    expect(looked).toEqual(["mx.good.test", "mx.broken.test"]);
  });

  it("is verified at a host that was reached before, because its own route may have failed since", async () => {
    const find = begin();
    await find(good, false);
    time.pass(60 * MINUTE_MS);
    works = false;
    expect(await find(broken, false)).toMatchObject({ reachesIpv6: false });
    expect(looked).toEqual(["mx.good.test", "mx.broken.test", "mx.good.test"]);
    // Once for all callers in the next minutes.
    expect(await find(hostsOf(host("mx.other.test")), false)).toMatchObject({ reachesIpv6: false });
    expect(looked.slice(3)).toEqual(["mx.other.test"]);
  });

  it("is verified at two organizations, the last reached ones, and at one host of each", async () => {
    const find = begin();
    for (const name of ["mx.a.test", "mx.b.test", "mx1.c.test", "mx2.c.test"]) {
      await find(hostsOf(host(name)), false);
      time.pass(MINUTE_MS);
    }
    time.pass(60 * MINUTE_MS);
    works = false;
    expect(await find(broken, false)).toMatchObject({ reachesIpv6: false });
    expect(looked.slice(5)).toEqual(["mx2.c.test", "mx.b.test"]);
  });

  it("is confirmed by such a host", async () => {
    const find = begin();
    await find(good, false);
    time.pass(60 * MINUTE_MS);
    expect(await find(broken, false)).toMatchObject({ reachesIpv6: true });
    expect(looked.at(-1)).toBe("mx.good.test");
  });

  it("is queried again after a failure of the store", async () => {
    const { mailHosts } = createStore(opened.db, testSealing);
    let asked = 0;
    // The first query determines the visibility from this machine.
    const recent: typeof mailHosts.recent = async (since) => {
      if (++asked === 2) throw new Error("the store is down");
      return mailHosts.recent(since);
    };
    const find = begin({ ...mailHosts, recent });
    await expect(find(broken, false)).rejects.toThrow("the store is down");
    expect(await find(broken, false)).toMatchObject({ reachesIpv6: false });
  });

  it("is not verified while all probes succeed", async () => {
    const find = begin();
    await find(good, false);
    time.pass(60 * MINUTE_MS);
    await find(hostsOf(host("mx.well.test")), false);
    expect(looked).toEqual(["mx.good.test", "mx.well.test"]);
  });
});
