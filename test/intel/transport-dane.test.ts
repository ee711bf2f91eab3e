import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { CheckStatus } from "../../src/intel/check-result.ts";
import { resultsBelow } from "../harness/check-results.ts";
import type { DnsName, DnsZones } from "../harness/dns-server.ts";
import { betweenCa, certificateOf, publicCa, withTls } from "../harness/mail-server.ts";
import { offering } from "../harness/scripted-server.ts";
import { DOMAIN, startTransportWorld, type TransportCase, tlsaZone } from "../harness/transport-world.ts";

const { find } = resultsBelow("transport");
const MX1 = `mx1.${DOMAIN}`;
const MX2 = `mx2.${DOMAIN}`;
const certificate = certificateOf(MX1);
const [leaf] = certificate;
const [other] = certificateOf(MX1);
const servers = { [MX1]: withTls(certificate) };
const noTls = { [MX1]: { EHLO: offering("SIZE") } };

let world: Awaited<ReturnType<typeof startTransportWorld>>;
beforeAll(async () => {
  world = await startTransportWorld();
});
afterEach(() => world.closeMailServers());
afterAll(() => world.close());

const dane = async (one: Partial<TransportCase>) =>
  find(await world.check({ servers, isSigned: true, ...one }), "dane");
const ee = (entry?: DnsName) => tlsaZone(MX1, [{ usage: 3, of: leaf }], entry);
const wrong = tlsaZone(MX1, [{ usage: 3, of: other }]);
const failing = (behaviour: "servfail" | "drop" | "refused"): DnsZones => ({
  [`_25._tcp.${MX1}`]: { behaviour },
});

describe("the TLSA records of a mail server", () => {
  it.each<[string, Partial<TransportCase>, CheckStatus]>([
    ["have its key", { zones: ee() }, "pass"],
    [
      "have its next key beside it",
      {
        zones: tlsaZone(
          MX1,
          [leaf, other].map((of) => ({ usage: 3, of })),
        ),
      },
      "pass",
    ],
    ["have the key of its authority", { zones: tlsaZone(MX1, [{ usage: 2, of: betweenCa }]) }, "pass"],
    ["have another key", { zones: wrong }, "fail"],
    [
      "have the key of an authority that it does not send",
      { zones: tlsaZone(MX1, [{ usage: 2, of: publicCa }]) },
      "fail",
    ],
    ["have usages for browsers alone", { zones: tlsaZone(MX1, [{ usage: 1, of: leaf }]) }, "warn"],
    ["are there, and STARTTLS is not", { servers: noTls, zones: ee() }, "fail"],
    [
      "cannot be used, and STARTTLS is not there either",
      { servers: noTls, zones: tlsaZone(MX1, [{ usage: 0, of: leaf }]) },
      "fail",
    ],
    ["are not there", {}, "warn"],
    ["are not there, nor is STARTTLS", { servers: noTls }, "warn"],
    ["are not signed", { zones: ee({ authenticated: false }) }, "warn"],
    [
      "are wrong and not signed",
      { zones: { [`_25._tcp.${MX1}`]: { ...wrong[`_25._tcp.${MX1}`], authenticated: false } } },
      "warn",
    ],
    ["are there, and nothing leads to them that is signed", { isSigned: false, zones: wrong }, "warn"],
    ["are there, and the server is down", { servers: { [MX1]: "down" }, zones: ee() }, "error"],
    ["are there, and nobody can see the server from here", { vantage: "closed", zones: ee() }, "not_tested"],
    ["cannot be looked up", { zones: failing("servfail") }, "error"],
    ["are refused", { zones: failing("refused") }, "error"],
    ["are not asked for where nobody validates", { isValidating: false, zones: wrong }, "not_tested"],
  ])("%s", async (_, one, expected) => {
    expect((await dane(one)).status).toBe(expected);
  });

  it("are bogus if they exist only without validation, and senders hold mail then", async () => {
    const asked: string[] = [];
    const tellBogus = (isBogus: boolean) => async (name: string) => {
      asked.push(name);
      return isBogus;
    };
    const { status, observed } = await dane({ zones: failing("servfail"), isBogusAt: tellBogus(true) });
    expect([status, observed]).toEqual(["fail", expect.stringContaining("are invalid")]);
    expect((await dane({ zones: failing("servfail"), isBogusAt: tellBogus(false) })).status).toBe("error");
    expect(asked).toEqual([`_25._tcp.${MX1}`, `_25._tcp.${MX1}`]);
  });

  it("of a server that is an alias are those of its target", async () => {
    const host = "real.example.com";
    const zones = {
      [MX1]: { CNAME: host, authenticated: true },
      [host]: { A: ["127.0.0.1"], authenticated: true },
      ...tlsaZone(host, [{ usage: 3, of: leaf }]),
    };
    expect((await dane({ zones })).status).toBe("pass");
    expect(
      (await dane({ zones: { ...zones, ...tlsaZone(host, [{ usage: 3, of: other }]), ...ee() } })).status,
    ).toBe("fail");
  });

  it("count by the worst server, which is named", async () => {
    const two = { ...servers, [MX2]: withTls(certificateOf(MX2)) };
    const zones = { ...ee(), ...tlsaZone(MX2, [{ usage: 3, of: other }]) };
    const { status, observed } = await dane({ servers: two, zones });
    expect([status, observed]).toEqual(["fail", expect.stringContaining(`${MX2} (127.0.0.1): `)]);
    expect(observed).not.toContain(MX1);
  });

  it.each([
    ["that are wrong", wrong],
    ["that are missing", {}],
  ])("%s are repaired by a record that can be published and then matches", async (_, zones) => {
    const record = (await dane({ zones })).fix?.record;
    const digest = createHash("sha256").update(leaf.publicKey).digest("hex");
    expect(record).toEqual({ name: `_25._tcp.${MX1}`, type: "TLSA", value: `3 1 1 ${digest}` });
    expect((await dane({ zones: ee() })).status).toBe("pass");
  });

  it("that some senders use despite an unsigned path are mentioned", async () => {
    const zones = {
      ...wrong,
      [DOMAIN]: { MX: [`0 ${MX1}`] },
      [MX1]: { A: ["127.0.0.1"], authenticated: true },
    };
    const { status, observed } = await dane({ isSigned: false, zones });
    expect([status, observed]).toEqual(["warn", expect.stringContaining("some senders use them")]);
  });

  it("are shown unchanged, with their DNSSEC state", async () => {
    const { evidence } = await dane({ zones: ee() });
    expect(evidence).toContainEqual(
      expect.objectContaining({
        name: `_25._tcp.${MX1}`,
        type: "TLSA",
        authenticated: true,
        data: [expect.stringMatching(/^3 1 1 [0-9a-f]{64}$/)],
      }),
    );
  });
});
