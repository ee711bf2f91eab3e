import { createHash, createPublicKey, generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer, type Server } from "node:tls";
import { afterEach, describe, expect, it } from "vitest";
import type { TlsaRecord } from "../../src/dns/records.ts";
import { createResolver } from "../../src/dns/resolver.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { type IssuedCertificate, issueCertificate } from "../../src/shared/issue-certificate.ts";
import { createDaneDemand } from "../../src/transport-security/dane/dane-demand.ts";
import type { TlsDemand, TlsPeer } from "../../src/transport-security/tls-demand.ts";
import { type DnsName, type DnsServer, type DnsZones, startDnsServer } from "../harness/dns-server.ts";

const DAY_MS = 86_400_000;
const past = { notBefore: new Date(Date.now() - 9 * DAY_MS), notAfter: new Date(Date.now() - DAY_MS) };
const future = { notBefore: new Date(Date.now() + DAY_MS), notAfter: new Date(Date.now() + 9 * DAY_MS) };

const names = ["mx.d.test"];
const root = issueCertificate({ subject: "root", authority: true });
const sub = issueCertificate({ subject: "sub", issuer: root, authority: true });
const leaf = issueCertificate({ subject: "leaf", issuer: sub, names });
const stranger = issueCertificate({ subject: "stranger", authority: true });

const sha256 = (data: Buffer) => createHash("sha256").update(data).digest();
const sha512 = (data: Buffer) => createHash("sha512").update(data).digest();
const record = (usage: number, selector: number, matchingType: number, certificate: Buffer): TlsaRecord => ({
  usage,
  selector,
  matchingType,
  certificate,
});
const ee = ({ publicKey }: IssuedCertificate) => record(3, 1, 1, sha256(publicKey));
const ta = ({ publicKey }: IssuedCertificate) => record(2, 1, 1, sha256(publicKey));

const opened: (DnsServer | Server)[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

/** Demand of TLS for `mx.d.test` and mail to `d.test`, with these records in the DNS. */
async function demand(
  tlsa: DnsName,
  { authenticated = true, domain = "d.test", port = 25, zones = {} as DnsZones } = {},
) {
  const dns = await startDnsServer({
    "mx.d.test": { A: ["192.0.2.1"], authenticated: true },
    [`_${port}._tcp.mx.d.test`]: { authenticated: true, ...tlsa },
    ...zones,
  });
  opened.push(dns);
  const resolver = createResolver({ servers: [dns.address], clock: systemClock, timeoutMs: 1_000, tries: 1 });
  const addresses = [{ address: "192.0.2.1", family: 4 as const }];
  const host = { exchange: "mx.d.test", preference: 10, addresses, authenticated };
  const demanded = await createDaneDemand({ resolver, port, clock: systemClock })(domain, host);
  return { demanded, dns };
}

async function demandFor(records: readonly TlsaRecord[], domain?: string): Promise<TlsDemand> {
  const { demanded } = await demand({ TLSA: records }, { ...(domain && { domain }) });
  if (!demanded || "refused" in demanded) throw new Error("no demand");
  return demanded;
}

/** TLS peer of a client of a server that sends this certificate and these others. */
async function peerOf(certificate: IssuedCertificate, ...sent: IssuedCertificate[]): Promise<TlsPeer> {
  const cert = [certificate, ...sent].map(({ pem }) => pem).join("");
  const server = createServer({ key: certificate.keyPem, cert }).listen(0, "127.0.0.1");
  opened.push(server);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: "127.0.0.1", servername: "mx.d.test", rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const peer = {
    serverName: "mx.d.test",
    authorized: socket.authorized,
    authorizationError: String(socket.authorizationError),
    certificate: socket.getPeerCertificate(true),
  };
  socket.destroy();
  return peer;
}

/** Fault of a server with these certificates under these records; undefined: none. */
async function fault(records: readonly TlsaRecord[], ...served: [IssuedCertificate, ...IssuedCertificate[]]) {
  const { verify } = await demandFor(records);
  if (!verify) throw new Error("nothing is verified");
  return verify(await peerOf(...served))?.text;
}

describe("whether DANE applies", () => {
  const TLSA = [ee(leaf)];

  it("it applies when addresses and records are authenticated: no mail is sent without TLS then", async () => {
    expect((await demand({ TLSA })).demanded).toMatchObject({
      level: "required",
      verify: expect.any(Function),
    });
  });

  it("it does not apply to a host with unauthenticated addresses, and its records are not queried", async () => {
    const { demanded, dns } = await demand({ TLSA, behaviour: "servfail" }, { authenticated: false });
    expect(demanded).toBeUndefined();
    expect(dns.queries).toEqual([]);
  });

  it("it does not apply to unauthenticated records", async () => {
    expect((await demand({ TLSA, authenticated: false })).demanded).toBeUndefined();
  });

  it("it does not apply without records", async () => {
    expect((await demand({})).demanded).toBeUndefined();
    expect((await demand({ behaviour: "nxdomain" })).demanded).toBeUndefined();
  });

  it.each(["servfail", "refused", "drop", "garbage"] as const)(
    "the server is refused when the lookup fails: %s",
    async (behaviour) => {
      expect((await demand({ TLSA, behaviour })).demanded).toEqual({
        refused: {
          text: expect.stringContaining("DANE: the TLSA records of mx.d.test cannot be looked up"),
          parts: [{ code: "dane.lookup_failed", params: expect.objectContaining({ name: "mx.d.test" }) }],
        },
      });
    },
  );

  it("the records of an alias are those of its target, or its own", async () => {
    const alias = { CNAME: "real.test", authenticated: true };
    const real: DnsZones = {
      "mx.d.test": alias,
      "real.test": { AAAA: ["2001:db8::1"], authenticated: true },
    };
    const behind: DnsZones = { "_25._tcp.real.test": { TLSA: [ta(root)], authenticated: true } };
    const both = (await demand({ TLSA }, { zones: { ...real, ...behind } })).demanded;
    const own = (await demand({ TLSA }, { zones: real })).demanded;
    if (!both || "refused" in both || !own || "refused" in own) throw new Error("no demand");
    expect(own.verify?.(await peerOf(leaf))).toBeUndefined();
    const ofReal = issueCertificate({ subject: "leaf", issuer: root, names: ["real.test"] });
    expect(both.verify?.(await peerOf(ofReal, root))).toBeUndefined();
    expect(both.verify?.(await peerOf(leaf, sub, root))?.text).toContain("not of real.test, d.test");
    const broken: DnsZones = { "_25._tcp.real.test": { behaviour: "servfail" } };
    expect((await demand({ TLSA }, { zones: { ...real, ...broken } })).demanded).toHaveProperty("refused");
  });

  it("the records are those of the port", async () => {
    const { demanded, dns } = await demand({ TLSA }, { port: 2525 });
    expect(demanded).toBeDefined();
    expect(dns.count("_2525._tcp.mx.d.test", "TLSA")).toBe(1);
  });

  it.each([
    ["PKIX-TA", record(0, 1, 1, sha256(leaf.publicKey))],
    ["PKIX-EE", record(1, 1, 1, sha256(leaf.publicKey))],
    ["an unknown usage", record(4, 1, 1, sha256(leaf.publicKey))],
    ["an unknown selector", record(3, 2, 1, sha256(leaf.publicKey))],
    ["an unknown digest", record(3, 1, 3, sha256(leaf.publicKey))],
    ["a digest of the wrong length", record(3, 1, 1, sha256(leaf.publicKey).subarray(1))],
    ["a longer digest of the wrong length", record(3, 1, 2, sha256(leaf.publicKey))],
    ["no certificate where one belongs", record(3, 0, 0, Buffer.from("nonsense"))],
    ["no key where one belongs", record(2, 1, 0, leaf.der)],
    ["nothing", record(3, 1, 1, Buffer.alloc(0))],
  ])("without usable records TLS is required, with any certificate: %s", async (_, unusable) => {
    expect(await demandFor([unusable])).toEqual({ level: "required", key: "required" });
    expect(await fault([unusable, ee(leaf)], leaf)).toBeUndefined();
  });
});

describe("DANE-EE", () => {
  it.each([
    ["the key's SHA-256", ee(leaf)],
    ["the key's SHA-512", record(3, 1, 2, sha512(leaf.publicKey))],
    ["the key", record(3, 1, 0, leaf.publicKey)],
    ["the certificate's SHA-256", record(3, 0, 1, sha256(leaf.der))],
    ["the certificate's SHA-512", record(3, 0, 2, sha512(leaf.der))],
    ["the certificate", record(3, 0, 0, leaf.der)],
  ])("%s proves the server, another one does not", async (_, right) => {
    expect(await fault([right], leaf, sub)).toBeUndefined();
    expect(await fault([ee(stranger), right], leaf)).toBeUndefined();
    const other = issueCertificate({ subject: "leaf", issuer: sub, names });
    expect(await fault([right], other, sub)).toContain("no TLSA record matches");
  });

  it("checks only the server's own certificate", async () => {
    expect(await fault([ee(sub)], leaf, sub, root)).toContain("no TLSA record matches");
  });

  it("ignores name, dates and issuer", async () => {
    const keyPair = generateKeyPairSync("rsa", { modulusLength: 2048 });
    // Signed by a key other than that of the named issuer.
    const issuer = { ...stranger, subject: "root" };
    for (const dates of [past, future]) {
      const odd = issueCertificate({ subject: "odd", issuer, keyPair, names: ["other.test"], ...dates });
      expect(await fault([ee(odd)], odd)).toBeUndefined();
    }
  });
});

describe("DANE-TA", () => {
  it.each([
    ["the root's key", ta(root)],
    ["the root", record(2, 0, 1, sha256(root.der))],
    ["an authority between", ta(sub)],
    ["an authority between, as a whole", record(2, 0, 0, sub.der)],
  ])("%s authenticates its servers", async (_, authority) => {
    expect(await fault([authority], leaf, sub, root)).toBeUndefined();
    expect(await fault([ta(stranger), authority], leaf, sub, root)).toBeUndefined();
  });

  it("an authority in the record itself need not be sent", async () => {
    for (const whole of [record(2, 0, 0, root.der), record(2, 1, 0, root.publicKey)]) {
      expect(await fault([whole], leaf, sub)).toBeUndefined();
      expect(await fault([whole], leaf)).toContain("vouches");
    }
    expect(await fault([record(2, 0, 0, sub.der)], leaf)).toBeUndefined();
    expect(await fault([record(2, 1, 0, sub.publicKey)], leaf)).toBeUndefined();
    expect(await fault([ta(sub)], leaf)).toContain("vouches");
  });

  it("another authority with the same name does not match", async () => {
    expect(await fault([ta(stranger)], leaf, sub, root)).toContain("vouches");
    const impostor = issueCertificate({ subject: "root", authority: true });
    for (const authority of [
      ta(impostor),
      record(2, 0, 0, impostor.der),
      record(2, 1, 0, impostor.publicKey),
    ]) {
      expect(await fault([authority], leaf, sub, root)).toContain("vouches");
      expect(await fault([authority], leaf, sub, impostor)).toContain("vouches");
    }
  });

  it("an authority with another name and the same key does not match", async () => {
    const keyPair = { privateKey: sub.key, publicKey: createPublicKey(sub.key) };
    const renamed = issueCertificate({ subject: "renamed", authority: true, keyPair });
    expect(await fault([record(2, 0, 0, renamed.der)], leaf)).toContain("vouches");
  });

  it("a matching authority that did not issue the chain does not match", async () => {
    // It names the authority as its issuer and sends it, but is self-signed.
    const forged = issueCertificate({ subject: "forged", issuer: { ...stranger, subject: "root" }, names });
    expect(await fault([ta(root)], forged, root)).toContain("vouches");
    const { verify } = await demandFor([ta(root)]);
    const peer = await peerOf(forged);
    const issuerCertificate = (await peerOf(leaf, sub, root)).certificate.issuerCertificate.issuerCertificate;
    expect(issuerCertificate.subject.CN).toBe("root");
    expect(verify?.({ ...peer, certificate: { ...peer.certificate, issuerCertificate } })?.text).toContain(
      "vouches",
    );
  });

  it("a server's certificate cannot issue another one", async () => {
    const evil = issueCertificate({ subject: "evil", issuer: leaf, names });
    expect(await fault([ta(root)], evil, leaf, sub, root)).toContain("vouches");
    expect(await fault([record(2, 0, 0, leaf.der)], evil, leaf)).toContain("vouches");
  });

  it("does not match the server's own certificate", async () => {
    const self = issueCertificate({ subject: "self", names, authority: true });
    expect(await fault([ta(self)], self)).toContain("vouches");
    expect(await fault([ta(leaf)], leaf, sub, root)).toContain("vouches");
  });

  it("the certificate is of the server or of the domain", async () => {
    const of = (...names: string[]) => issueCertificate({ subject: "leaf", issuer: root, names });
    expect(await fault([ta(root)], of("a.test", "d.test"), root)).toBeUndefined();
    expect(await fault([ta(root)], of("*.d.test"), root)).toBeUndefined();
    expect(await fault([ta(root)], of("MX.D.test"), root)).toBeUndefined();
    for (const wrong of [of("other.test"), of("x.mx.d.test"), of("m*.d.test"), of("*.test.test")]) {
      expect(await fault([ta(root)], wrong, root)).toContain("not of mx.d.test, d.test");
    }
    const byCommonName = issueCertificate({ subject: "mx.d.test", issuer: root });
    expect(await fault([ta(root)], byCommonName, root)).toBeUndefined();
    const both = issueCertificate({ subject: "mx.d.test", issuer: root, names: ["other.test"] });
    expect(await fault([ta(root)], both, root)).toContain("not of");
  });

  it.each([past, future])("every certificate up to the authority is in date: %j", async (dates) => {
    const oldLeaf = issueCertificate({ subject: "leaf", issuer: root, names, ...dates });
    expect(await fault([ta(root)], oldLeaf, root)).toContain("expired");
    const oldSub = issueCertificate({ subject: "sub", issuer: root, authority: true, ...dates });
    const under = issueCertificate({ subject: "leaf", issuer: oldSub, names });
    expect(await fault([ta(root)], under, oldSub, root)).toContain("expired");
    expect(await fault([ta(oldSub)], under, oldSub, root)).toBeDefined();
    expect(await fault([record(2, 0, 0, oldSub.der)], under)).toBeDefined();
  });

  it("the certificate is for servers, if it says what it is for", async () => {
    const forPurpose = (purpose: string) =>
      issueCertificate({ subject: "leaf", issuer: root, names, purpose });
    expect(await fault([ta(root)], forPurpose("1.3.6.1.5.5.7.3.1"), root)).toBeUndefined();
    expect(await fault([ta(root)], forPurpose("2.5.29.37.0"), root)).toBeUndefined();
    expect(await fault([ta(root)], forPurpose("1.3.6.1.5.5.7.3.2"), root)).toContain("not for servers");
  });
});

describe("records of both kinds", () => {
  it("are valid if one of them matches", async () => {
    expect(await fault([ee(leaf), ta(stranger)], leaf)).toBeUndefined();
    expect(await fault([ee(stranger), ta(root)], leaf, sub, root)).toBeUndefined();
    expect(await fault([ee(stranger), ta(stranger)], leaf, sub, root)).toBeDefined();
    // One kind does not replace the other.
    expect(await fault([ee(root), ta(stranger)], leaf, sub, root)).toContain("vouches");
    expect(await fault([ee(stranger), ta(leaf)], leaf, sub, root)).toContain("vouches");
  });

  it("count only with the strongest digest of each certificate", async () => {
    const strong = (one: IssuedCertificate) => record(3, 1, 2, sha512(one.publicKey));
    expect(await fault([ee(leaf), strong(stranger)], leaf)).toContain("no TLSA record matches");
    expect(await fault([ee(stranger), strong(leaf)], leaf)).toBeUndefined();
    // Records with different selectors are independent.
    expect(await fault([ee(leaf), record(3, 0, 2, sha512(stranger.der))], leaf)).toBeUndefined();
  });

  it("a server without a certificate does not match", async () => {
    const { verify } = await demandFor([ee(leaf)]);
    const certificate = {} as TlsPeer["certificate"];
    const peer = { serverName: "mx.d.test", authorized: true, authorizationError: undefined };
    expect(verify?.({ ...peer, certificate })?.text).toContain("no certificate");
    const broken = { ...certificate, raw: Buffer.from("nonsense") };
    expect(verify?.({ ...peer, certificate: broken })?.text).toContain("cannot be read");
  });
});

describe("connections are shared under equal records", () => {
  const keyFor = async (records: TlsaRecord[], domain?: string) => (await demandFor(records, domain)).key;

  it("regardless of their order, and of the domain if only servers are named", async () => {
    expect(await keyFor([ee(leaf), ee(sub)])).toBe(await keyFor([ee(sub), ee(leaf)], "other.test"));
    expect(await keyFor([ee(leaf)])).not.toBe(await keyFor([ee(sub)]));
    expect(await keyFor([ee(leaf)])).not.toBe(await keyFor([ta(leaf)]));
  });

  it("but not across domains with an authority, because the domain names count", async () => {
    expect(await keyFor([ta(root)])).toBe(await keyFor([ta(root)]));
    expect(await keyFor([ta(root)])).not.toBe(await keyFor([ta(root)], "other.test"));
  });
});
