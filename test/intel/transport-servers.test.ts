import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { catalogue } from "../../src/intel/catalogue.ts";
import type { CheckStatus } from "../../src/intel/check-result.ts";
import type { MailHostProbe } from "../../src/intel/mail-host-probe/mail-host-probe.ts";
import { vantageOf } from "../../src/intel/mail-host-probe/vantage.ts";
import { issueCertificate } from "../../src/shared/issue-certificate.ts";
import { resultsBelow } from "../harness/check-results.ts";
import { type Certificate, certificateOf, withTls } from "../harness/mail-server.ts";
import { offering, type Script } from "../harness/scripted-server.ts";
import {
  startTransportWorld,
  stsPolicy,
  stsRecord,
  type TransportCase,
  tlsaZone,
} from "../harness/transport-world.ts";

const { find, statusesOf } = resultsBelow("transport");
const MX1 = "mx1.example.com";
const MX2 = "mx2.example.com";

let world: Awaited<ReturnType<typeof startTransportWorld>>;
beforeAll(async () => {
  world = await startTransportWorld();
});
afterEach(() => world.closeMailServers());
afterAll(() => world.close());

const good = (host = MX1) => withTls(certificateOf(host));
const noTls: Script = { EHLO: offering("SIZE") };
const oldTls = withTls(certificateOf(MX1), {
  minVersion: "TLSv1",
  maxVersion: "TLSv1.1",
  ciphers: "DEFAULT@SECLEVEL=0",
});
const selfSigned: Certificate = [issueCertificate({ subject: MX1, names: [MX1], ...dates(-30, 60) })];

function dates(from: number, to: number) {
  const day = 86_400_000;
  return { notBefore: new Date(Date.now() + from * day), notAfter: new Date(Date.now() + to * day) };
}

const SERVER_CHECKS = ["starttls", "tls_version", "cert_trust", "cert_name", "cert_expiry"];

/** Results of the server checks, in that order. */
async function statuses(one: TransportCase): Promise<(CheckStatus | undefined)[]> {
  const all = statusesOf(await world.check(one));
  return SERVER_CHECKS.map((name) => all[name]);
}

describe("the mail servers of a domain", () => {
  it.each<[string, Script | "down", (CheckStatus | undefined)[]]>([
    ["are all as they should be", good(), ["pass", "pass", "pass", "pass", "pass"]],
    ["do not offer STARTTLS", noTls, ["fail", "not_tested", "not_tested", "not_tested", "not_tested"]],
    [
      "have STARTTLS masked",
      { EHLO: offering("XXXXXXXA") },
      ["fail", "not_tested", "not_tested", "not_tested", "not_tested"],
    ],
    [
      "refuse STARTTLS",
      { EHLO: offering("STARTTLS"), STARTTLS: "454 4.7.0 no" },
      ["fail", "not_tested", "not_tested", "not_tested", "not_tested"],
    ],
    [
      "break off the handshake",
      { EHLO: offering("STARTTLS"), STARTTLS: "220 go ahead\r\nno TLS" },
      ["fail", "not_tested", "not_tested", "not_tested", "not_tested"],
    ],
    ["speak TLS 1.1 only", oldTls, ["pass", "fail", "pass", "pass", "pass"]],
    ["have a certificate of their own making", withTls(selfSigned), ["pass", "pass", "warn", "pass", "pass"]],
    ["send no chain", withTls([certificateOf(MX1)[0]]), ["pass", "pass", "warn", "pass", "pass"]],
    ["have another name", withTls(certificateOf("other.test")), ["pass", "pass", "pass", "warn", "pass"]],
    [
      "have their name as a common name alone",
      withTls(certificateOf(MX1, { names: [] })),
      ["pass", "pass", "pass", "warn", "pass"],
    ],
    [
      "have a wildcard for two labels",
      withTls(certificateOf(MX1, { names: ["*.com"] })),
      ["pass", "pass", "pass", "warn", "pass"],
    ],
    [
      "have a wildcard",
      withTls(certificateOf(MX1, { names: ["*.example.com"] })),
      ["pass", "pass", "pass", "pass", "pass"],
    ],
    [
      "have an expired certificate",
      withTls(certificateOf(MX1, { from: -90, to: -1 })),
      ["pass", "pass", "pass", "pass", "warn"],
    ],
    [
      "have a certificate that is not valid yet",
      withTls(certificateOf(MX1, { from: 1, to: 90 })),
      ["pass", "pass", "pass", "pass", "warn"],
    ],
    ["are down", "down", ["error", "error", "error", "error", "error"]],
    ["turn us away", { greeting: "554 5.7.1 no" }, ["error", "error", "error", "error", "error"]],
    ["put us off", { greeting: "421 4.7.0 later" }, ["error", "error", "error", "error", "error"]],
    [
      "close the connection at STARTTLS",
      { EHLO: offering("STARTTLS"), STARTTLS: "421 4.7.0 later" },
      ["error", "error", "error", "error", "error"],
    ],
  ])("%s", async (_, script, expected) => {
    expect(await statuses({ servers: { [MX1]: script } })).toEqual(expected);
  });

  it("have a result for each check of the catalogue", async () => {
    const results = await world.check({ servers: { [MX1]: good() } });
    const wanted = Object.keys(catalogue).filter((id) => id.startsWith("transport."));
    expect(results.map(({ id }) => id).sort()).toEqual(wanted.sort());
  });

  it("count by the worst one, which is named", async () => {
    const results = await world.check({ servers: { [MX1]: good(), [MX2]: noTls } });
    const { status, observed, fix } = find(results, "starttls");
    expect([status, observed]).toEqual(["fail", `${MX2} (127.0.0.1): It does not offer STARTTLS.`]);
    expect(fix?.text).toContain("STARTTLS");
  });

  it("have a known fault even if another one is down", async () => {
    expect((await statuses({ servers: { [MX1]: noTls, [MX2]: "down" } }))[0]).toBe("fail");
    expect((await statuses({ servers: { [MX1]: good(), [MX2]: "down" } }))[0]).toBe("error");
  });

  it("have their answers in the evidence", async () => {
    const results = await world.check({ servers: { [MX1]: good(), [MX2]: { greeting: "554 5.7.1 no" } } });
    expect(find(results, "cert_name").evidence).toMatchObject([
      {
        name: `${MX1} (127.0.0.1)`,
        type: "SMTP",
        rcode: "NOERROR",
        data: expect.arrayContaining(["220 scripted.test ESMTP", `names: ${MX1}`, "authority: public"]),
      },
      { name: `${MX2} (127.0.0.1)`, rcode: "ERROR", data: ["554 5.7.1 no"], reason: "554 5.7.1 no" },
    ]);
  });

  it("that were not checked yet are not tested", async () => {
    const probes = new Map<string, MailHostProbe>();
    expect(await statuses({ servers: { [MX1]: good() }, probes })).toEqual(
      SERVER_CHECKS.map(() => "not_tested"),
    );
  });

  it("with private addresses only are not tested", async () => {
    const forbidden = { address: "10.0.0.1", outcome: "forbidden", reason: "it is private" } as const;
    const probes = new Map([[MX1, { name: MX1, at: new Date(), addresses: [forbidden] }]]);
    const { status, observed } = find(await world.check({ servers: { [MX1]: good() }, probes }), "starttls");
    expect([status, observed]).toEqual(["not_tested", expect.stringContaining("10.0.0.1: it is private")]);
  });

  it("are not tested if Hermod's own network prevents it", async () => {
    for (const vantage of ["closed", "masked"] as const)
      expect(await statuses({ servers: { [MX1]: "down" }, vantage })).toEqual(
        SERVER_CHECKS.map(() => "not_tested"),
      );
  });

  it("that are unknown are an error, and missing ones are not tested", async () => {
    const failing = { "example.com": { behaviour: "servfail" } } as const;
    expect(await statuses({ servers: {}, zones: failing })).toEqual(SERVER_CHECKS.map(() => "error"));
    const none = { "example.com": { MX: ["0 ."] } };
    expect(new Set(Object.values(statusesOf(await world.check({ servers: {}, zones: none }))))).toEqual(
      new Set(["not_tested"]),
    );
    const parked = await world.check({ servers: { [MX1]: noTls }, role: "parked" });
    expect(new Set(Object.values(statusesOf(parked)))).toEqual(new Set(["not_tested"]));
  });
});

describe("the end of a certificate", () => {
  it.each([
    // Lifetime and remaining time, in days.
    [365, 15, "pass"],
    [365, 13, "warn"],
    [90, 31, "pass"],
    [90, 13, "warn"],
    [47, 15, "pass"],
    [6, 3, "pass"],
    [6, 1, "warn"],
  ] as const)("of %d days is reported with %d days left: %s", async (lifetime, left, expected) => {
    const certificate = certificateOf(MX1, { from: left - lifetime, to: left });
    const results = await world.check({ servers: { [MX1]: withTls(certificate) } });
    expect(find(results, "cert_expiry").status).toBe(expected);
  });

  it("is no failure before it is reached", async () => {
    const certificate = certificateOf(MX1, { from: -80, to: 2 });
    const enforced = { zones: stsRecord, policy: stsPolicy("enforce", MX1) };
    const results = await world.check({ servers: { [MX1]: withTls(certificate) }, ...enforced });
    expect(find(results, "cert_expiry").status).toBe("warn");
  });
});

/** Certificates with one fault each, and the check that reports it. */
const faulty: [string, Certificate, string][] = [
  ["of its own making", selfSigned, "cert_trust"],
  ["of another name", certificateOf("other.test"), "cert_name"],
  ["that has expired", certificateOf(MX1, { from: -90, to: -1 }), "cert_expiry"],
];

describe.each(faulty)("a certificate %s", (_, certificate, name) => {
  const servers = { [MX1]: withTls(certificate) };
  const statusWith = async (one: Omit<TransportCase, "servers">) =>
    find(await world.check({ servers, ...one }), name).status;

  it("costs mail if and only if MTA-STS is enforced", async () => {
    const enforced = stsPolicy("enforce", MX1);
    expect(await statusWith({ zones: stsRecord, policy: enforced })).toBe("fail");
    expect(await statusWith({ zones: stsRecord, policy: stsPolicy("testing", MX1) })).toBe("warn");
    expect(await statusWith({ zones: stsRecord, policy: stsPolicy("none", MX1) })).toBe("warn");
    // Senders do not fetch the policy without the record.
    expect(await statusWith({ policy: enforced })).toBe("warn");
    // Senders that follow the policy do not use a server that it does not name.
    expect(await statusWith({ zones: stsRecord, policy: stsPolicy("enforce", MX2) })).toBe("warn");
  });

  it("is an error if the policy is unknown", async () => {
    const zones = { ...stsRecord, "mta-sts.example.com": { behaviour: "servfail" as const } };
    expect(await statusWith({ zones, policy: stsPolicy("enforce", MX1) })).toBe("error");
    const record = { "_mta-sts.example.com": { behaviour: "servfail" as const } };
    expect(await statusWith({ zones: record })).toBe("error");
  });

  it("is accepted if a TLSA record has its key", async () => {
    const zones = tlsaZone(MX1, [{ usage: 3, of: certificate[0] }]);
    expect(await statusWith({ isSigned: true, zones })).toBe("pass");
    // Senders that follow MTA-STS but not DANE check the whole certificate.
    const both = { isSigned: true, zones: { ...zones, ...stsRecord }, policy: stsPolicy("enforce", MX1) };
    expect(await statusWith(both)).toBe("fail");
  });

  it("costs mail if a TLSA record names an authority", async () => {
    const stranger = issueCertificate({ subject: "stranger", authority: true });
    const authority = certificate[1] ?? stranger;
    const zones = tlsaZone(MX1, [{ usage: 2, of: authority }]);
    expect(await statusWith({ isSigned: true, zones })).toBe("fail");
    expect(await statusWith({ isSigned: false, zones })).toBe("warn");
    // A record of an unrelated authority does not reduce the faults.
    const nobody = tlsaZone(MX1, [{ usage: 2, of: stranger }]);
    expect(await statusWith({ isSigned: true, zones: nobody })).toBe("fail");
  });
});

describe("a certificate that a TLSA record's authority has issued", () => {
  const privateCa = issueCertificate({ subject: "private authority", authority: true });
  const issued = (...names: string[]): Certificate => [
    issueCertificate({ subject: "server", issuer: privateCa, names, ...dates(-30, 60) }),
    privateCa,
  ];
  const zones = tlsaZone(MX1, [{ usage: 2, of: privateCa }]);

  it.each<[string, Certificate, (CheckStatus | undefined)[]]>([
    ["with the server's name", issued(MX1), ["pass", "pass", "pass"]],
    ["with the domain's name", issued("example.com"), ["pass", "pass", "pass"]],
    ["with neither", issued("other.test"), ["fail", "fail", "pass"]],
  ])("is trusted %s", async (_, certificate, expected) => {
    const found = await statuses({ servers: { [MX1]: withTls(certificate) }, isSigned: true, zones });
    expect(found.slice(2)).toEqual(expected);
  });
});

describe("visibility of mail servers from Hermod's own network", () => {
  const probeFrom = (name: string, ...addresses: MailHostProbe["addresses"]): MailHostProbe => ({
    name,
    at: new Date(),
    addresses,
  });
  const address = "192.0.2.1";
  const down = { address, outcome: "unreached", reason: "timed out" } as const;
  const away = { address, outcome: "turned_away", reason: "554 no" } as const;
  const masked = { address, outcome: "answered", startTls: { kind: "not_offered", isMasked: true } } as const;
  const plain = { address, outcome: "answered", startTls: { kind: "not_offered", isMasked: false } } as const;
  const forbidden = { address, outcome: "forbidden", reason: "private" } as const;
  const three = ["mx.a.test", "mx.b.test", "mx.c.test"];

  it.each<[string, MailHostProbe[], string]>([
    ["nothing yet", [], "unknown"],
    ["none of three strangers", three.map((name) => probeFrom(name, down)), "closed"],
    ["none of two strangers", three.slice(1).map((name) => probeFrom(name, down)), "unknown"],
    [
      "none of three hosts of one organisation",
      ["a", "b", "c"].map((name) => probeFrom(`${name}.mx.test`, down)),
      "unknown",
    ],
    ["private addresses alone", three.map((name) => probeFrom(name, forbidden)), "unknown"],
    [
      "one that turns us away",
      [...three.map((name) => probeFrom(name, down)), probeFrom("d.test", away)],
      "open",
    ],
    ["one over one family alone", three.map((name) => probeFrom(name, down, plain)), "open"],
    ["X in the place of STARTTLS with all", three.map((name) => probeFrom(name, masked)), "masked"],
    ["X in the place of STARTTLS with few", three.slice(1).map((name) => probeFrom(name, masked)), "open"],
    [
      "X in the place of STARTTLS with most",
      [...three.map((name) => probeFrom(name, masked)), probeFrom("d.test", plain)],
      "open",
    ],
  ])("%s", (_, probes, expected) => {
    expect(vantageOf(probes)).toBe(expected);
  });
});
