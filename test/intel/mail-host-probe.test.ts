import { X509Certificate } from "node:crypto";
import { deserialize, serialize } from "node:v8";
import { afterEach, describe, expect, it } from "vitest";
import type { AddressProbe, StartTls, TlsFacts } from "../../src/intel/mail-host-probe/mail-host-probe.ts";
import type { ProbeMailHostOptions } from "../../src/intel/mail-host-probe/probe-mail-host.ts";
import { createRefuseDestination } from "../../src/shared/destination-address.ts";
import { issueCertificate } from "../../src/shared/issue-certificate.ts";
import {
  betweenCa,
  type Certificate,
  certificateOf,
  createMailServers,
  daysFromNow,
  probeOf,
  publicCa,
  withTls,
} from "../harness/mail-server.ts";
import { hangUp, offering, reset, type Script, silence, thenSilence } from "../harness/scripted-server.ts";
import { freePort } from "../harness/tcp-proxy.ts";

const HOST = "mx.example.com";
const servers = createMailServers();
afterEach(servers.close);

/** Probes a server with this script. */
async function check(script: Script, options: Partial<ProbeMailHostOptions> = {}) {
  const server = await servers.start(script);
  const probe = await probeOf(server.port, options)({ name: HOST, ipv4: [server.host], ipv6: [] });
  const [address] = probe.addresses;
  if (!address) throw new Error("no address");
  return { server, probe, address };
}

function startTlsOf(address: AddressProbe): StartTls {
  if (address.outcome !== "answered") throw new Error(address.reason);
  return address.startTls;
}

async function tlsOf(certificate: Certificate, options: Record<string, unknown> = {}): Promise<TlsFacts> {
  const startTls = startTlsOf((await check(withTls(certificate, options))).address);
  if (startTls.kind !== "works") throw new Error(JSON.stringify(startTls));
  return startTls.tls;
}

describe("a probe of a mail server", () => {
  it("records version, cipher and certificate, sends no mail, and ends with QUIT", async () => {
    const certificate = certificateOf(HOST);
    const { server, probe, address } = await check(withTls(certificate));
    expect(probe).toMatchObject({ name: HOST, addresses: [{ address: "127.0.0.1", outcome: "answered" }] });
    expect(address.greeting).toBe("220 scripted.test ESMTP");
    const startTls = startTlsOf(address);
    expect(startTls).toMatchObject({
      kind: "works",
      tls: {
        protocol: "TLSv1.3",
        cipher: expect.stringMatching(/^TLS_/),
        certificates: certificate.map(({ der }) => der),
        certificate: { subject: `CN=${HOST}`, issuer: "CN=between", names: [HOST], isSelfSigned: false },
      },
    });
    expect(startTls.kind === "works" && startTls.tls.untrusted).toBeUndefined();
    expect(server.peers.map(({ commands }) => commands)).toEqual([
      ["EHLO probe.test", "STARTTLS", "EHLO probe.test", "QUIT"],
    ]);
  });

  it("is a plain value", async () => {
    const { probe } = await check(withTls(certificateOf(HOST)));
    expect(deserialize(serialize(probe))).toEqual(probe);
  });

  it("requests the certificate of the host by name", async () => {
    const asked: string[] = [];
    await tlsOf(certificateOf(HOST), {
      SNICallback: (name: string, done: (error: null) => void) => {
        asked.push(name);
        done(null);
      },
    });
    expect(asked).toEqual([HOST]);
  });

  it("probes one address of each family, one after the other, and always the same ones", async () => {
    const four = await servers.start(withTls(certificateOf(HOST)), "127.0.0.1");
    await servers.start(withTls(certificateOf(HOST)), "::1", four.port);
    const probe = probeOf(four.port);
    const ipv4 = ["127.0.0.9", "127.0.0.1"];
    const seen = await probe({ name: HOST, ipv4, ipv6: ["::1", "::2"] });
    expect(seen.addresses.map(({ address, outcome }) => [address, outcome])).toEqual([
      ["127.0.0.1", "answered"],
      ["::1", "answered"],
    ]);
    const again = await probe({ name: HOST, ipv4: ipv4.toReversed(), ipv6: ["::2", "::1"] });
    expect(again.addresses.map(({ address }) => address)).toEqual(["127.0.0.1", "::1"]);
    const withoutIpv6 = await probeOf(four.port, { ipv6: false })({ name: HOST, ipv4, ipv6: ["::1"] });
    expect(withoutIpv6.addresses.map(({ address }) => address)).toEqual(["127.0.0.1"]);
  });

  it("tries a second address of a single family if the first does not answer, and no third", async () => {
    const server = await servers.start(withTls(certificateOf(HOST)), "127.0.0.3");
    const ipv4 = ["127.0.0.2", "127.0.0.3", "127.0.0.4"];
    const seen = await probeOf(server.port)({ name: HOST, ipv4, ipv6: [] });
    expect(seen.addresses.map(({ address, outcome }) => [address, outcome])).toEqual([
      ["127.0.0.2", "unreached"],
      ["127.0.0.3", "answered"],
    ]);
  });

  it("connects to no address of this machine or its network", async () => {
    const server = await servers.start(withTls(certificateOf(HOST)));
    const refuse = createRefuseDestination({ allowPrivate: false, ownAddresses: [] });
    const seen = await probeOf(server.port, { refuse })({
      name: HOST,
      ipv4: ["127.0.0.1"],
      ipv6: ["::ffff:127.0.0.1"],
    });
    expect(seen.addresses.map(({ outcome }) => outcome)).toEqual(["forbidden", "forbidden"]);
    expect(server.peers).toEqual([]);
  });

  it("of a host without addresses is empty", async () => {
    expect((await probeOf(1)({ name: HOST, ipv4: [], ipv6: [] })).addresses).toEqual([]);
  });
});

describe("a server without an observation", () => {
  it("is unreached if nothing listens", async () => {
    const seen = await probeOf(await freePort())({ name: HOST, ipv4: ["127.0.0.1"], ipv6: [] });
    expect(seen.addresses).toMatchObject([
      { outcome: "unreached", reason: expect.stringContaining("ECONNREFUSED") },
    ]);
  });

  it.each<[string, Script, Exclude<AddressProbe["outcome"], "answered">, string]>([
    ["greets with 4xx", { greeting: "421 4.7.0 try again later" }, "turned_away", "421 4.7.0"],
    ["greets with 5xx", { greeting: "554 5.7.1 your address is blocked" }, "turned_away", "blocked"],
    ["refuses EHLO", { EHLO: "550 5.7.1 no" }, "turned_away", "550 5.7.1 no"],
    ["puts EHLO off", { EHLO: "451 4.3.0 later" }, "turned_away", "451"],
    ["knows neither EHLO nor HELO", { EHLO: "500 what?", HELO: "502 what?" }, "turned_away", "502"],
    ["hangs up", { greeting: hangUp }, "unheard", "closed"],
    ["resets the connection", { EHLO: reset }, "unheard", ""],
    ["speaks something else", { greeting: "SSH-2.0-OpenSSH_9.2" }, "unheard", "does not speak SMTP"],
  ])("because it %s", async (_, script, outcome, reason) => {
    const { address } = await check(script);
    expect(address).toMatchObject({ outcome, reason: expect.stringContaining(reason) });
  });

  it("receives QUIT if it refuses this machine", async () => {
    const { server } = await check({ greeting: "554 5.7.1 no" });
    expect(server.peers.map(({ commands }) => commands)).toEqual([["QUIT"]]);
  });

  it.each<[string, Script]>([
    ["greets nobody", { greeting: silence }],
    ["does not answer EHLO", { EHLO: silence }],
  ])("because it %s is probed within the time limit", async (_, script) => {
    const { address } = await check(script, { timeoutMs: 200 });
    expect(address).toMatchObject({ outcome: "unheard", reason: expect.stringContaining("did not answer") });
  });

  it("does not delay an aborted probe", async () => {
    const server = await servers.start({ greeting: silence });
    const ending = new AbortController();
    const probing = probeOf(server.port)({ name: HOST, ipv4: ["127.0.0.1"], ipv6: [] }, ending.signal);
    setTimeout(() => ending.abort(), 50);
    expect((await probing).addresses).toMatchObject([{ outcome: "unheard" }]);
  });
});

describe("STARTTLS", () => {
  const offered = { EHLO: offering("STARTTLS") };

  it.each<[string, Script, StartTls]>([
    ["is not offered", { EHLO: offering("SIZE") }, { kind: "not_offered", isMasked: false }],
    ["is not offered after HELO", { EHLO: "502 what?" }, { kind: "not_offered", isMasked: false }],
    ["is masked", { EHLO: offering("SIZE", "XXXXXXXA") }, { kind: "not_offered", isMasked: true }],
    [
      "is refused",
      { ...offered, STARTTLS: "454 4.7.0 TLS not available" },
      { kind: "refused", reason: "454 4.7.0 TLS not available" },
    ],
    [
      "is answered with the end of the connection",
      { ...offered, STARTTLS: "421 4.7.0 too many connections" },
      { kind: "unknown", reason: expect.stringContaining("421") },
    ],
    [
      "is answered by hanging up",
      { ...offered, STARTTLS: hangUp },
      { kind: "unknown", reason: expect.anything() },
    ],
    [
      "is followed by something else",
      {
        ...offered,
        STARTTLS: (peer) => {
          peer.say("220 go ahead");
          peer.say("this is no TLS");
        },
      },
      { kind: "failed", reason: expect.anything() },
    ],
    [
      "is followed by words in the clear",
      { ...offered, STARTTLS: Buffer.from("220 go ahead\r\n250 injected\r\n") },
      { kind: "failed", reason: expect.stringContaining("injected") },
    ],
    [
      "is followed by nothing that could be used",
      {
        ...withTls(certificateOf(HOST)),
        EHLO: (peer) => peer.say(peer.encrypted ? "554 5.7.1 no" : offering("STARTTLS")),
      },
      { kind: "failed", reason: "554 5.7.1 no" },
    ],
  ])("%s", async (_, script, expected) => {
    const { address } = await check(script);
    expect(startTlsOf(address)).toEqual(expected);
  });

  it.each<[string, Script]>([
    ["itself", { ...offered, STARTTLS: silence }],
    ["the handshake", { ...offered, STARTTLS: thenSilence("220 go ahead") }],
    [
      "EHLO after it",
      {
        ...withTls(certificateOf(HOST)),
        EHLO: (peer) => (peer.encrypted ? silence(peer) : peer.say(offering("STARTTLS"))),
      },
    ],
  ])("is unknown if the server is silent during %s", async (_, script) => {
    const { server, address } = await check(script, { timeoutMs: 400 });
    expect(startTlsOf(address)).toMatchObject({ kind: "unknown" });
    // An earlier version would probably not help.
    expect(server.peers).toHaveLength(1);
  });

  it("is retried with obsolete versions, which are then recorded", async () => {
    const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" };
    const { server, address } = await check(withTls(certificateOf(HOST), old));
    expect(startTlsOf(address)).toMatchObject({ kind: "works", tls: { protocol: "TLSv1.1" } });
    expect(server.peers).toHaveLength(2);
  });

  it("uses no earlier version if a later one works", async () => {
    const all = { minVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" };
    expect(await tlsOf(certificateOf(HOST), all)).toMatchObject({ protocol: "TLSv1.3" });
    expect(await tlsOf(certificateOf(HOST), { maxVersion: "TLSv1.2" })).toMatchObject({
      protocol: "TLSv1.2",
    });
  });
});

describe("the chain of a certificate", () => {
  const expired = { from: -90, to: -1 };
  const stranger = issueCertificate({ subject: "stranger", authority: true });
  const selfSigned = issueCertificate({ subject: HOST, names: [HOST] });
  const past = { notBefore: daysFromNow(-90), notAfter: daysFromNow(-1) };

  it.each<[string, Certificate]>([
    ["is sent in order", certificateOf(HOST)],
    ["is sent with the authority", [...certificateOf(HOST), publicCa] as const],
    ["is sent out of order, with others", [certificateOf(HOST)[0], stranger, publicCa, betweenCa]],
    ["is of another name", certificateOf("other.test")],
    ["has expired at its end", certificateOf(HOST, expired)],
    ["is not valid yet at its end", certificateOf(HOST, { from: 1, to: 90 })],
  ])("leads to a public authority where it %s", async (_, certificate) => {
    expect((await tlsOf(certificate)).untrusted).toBeUndefined();
  });

  it.each<[string, Certificate, string]>([
    ["was issued by itself", [selfSigned], "DEPTH_ZERO_SELF_SIGNED_CERT"],
    [
      "was issued by itself, and has expired",
      [issueCertificate({ subject: HOST, names: [HOST], ...past })],
      "DEPTH_ZERO_SELF_SIGNED_CERT",
    ],
    [
      "is of a stranger",
      [issueCertificate({ subject: HOST, issuer: stranger, names: [HOST] }), stranger],
      "SELF_SIGNED_CERT_IN_CHAIN",
    ],
    [
      "is of a stranger, and has expired",
      [issueCertificate({ subject: HOST, issuer: stranger, names: [HOST], ...past }), stranger],
      "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    ],
    ["lacks what is between", [certificateOf(HOST)[0]], "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
    [
      "has expired in between",
      (() => {
        const between = issueCertificate({ subject: "old", issuer: publicCa, authority: true, ...past });
        return [issueCertificate({ subject: HOST, issuer: between, names: [HOST] }), between] as const;
      })(),
      "CERT_HAS_EXPIRED",
    ],
  ])("does not where it %s", async (_, certificate, code) => {
    expect((await tlsOf(certificate)).untrusted).toBe(code);
  });

  it("is recorded as sent, without certificates of this machine", async () => {
    const leaf = certificateOf(HOST);
    const { certificates } = await tlsOf(leaf);
    expect(certificates.map((der) => new X509Certificate(der).subject)).toEqual([`CN=${HOST}`, "CN=between"]);
  });

  it("is recorded up to ten certificates", async () => {
    const many = Array.from({ length: 20 }, () => stranger);
    expect((await tlsOf([...certificateOf(HOST), ...many])).certificates).toHaveLength(10);
  });

  it("with an unreadable end is expired", async () => {
    const [leaf, between] = certificateOf(HOST);
    const der = Buffer.from(leaf.der);
    // The second time field of the certificate.
    const at = der.indexOf(Buffer.from([0x17, 0x0d]), der.indexOf(Buffer.from([0x17, 0x0d])) + 1);
    der.write("xxxxxxxxxxxxZ", at + 2, "latin1");
    const pem = `-----BEGIN CERTIFICATE-----\n${der.toString("base64").replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`;
    const { certificate } = await tlsOf([{ ...leaf, pem }, between as typeof leaf]);
    expect(certificate.validTo).toEqual(new Date(0));
  });

  it("contains the first names of a server with very many", async () => {
    const names = Array.from({ length: 500 }, (_, n) => `mx${n}.example.com`);
    expect((await tlsOf(certificateOf(HOST, { names }))).certificate.names).toEqual(names.slice(0, 100));
  });
});
