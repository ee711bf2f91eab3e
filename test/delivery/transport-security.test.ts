import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type IssuedCertificate, issueCertificate } from "../../src/shared/issue-certificate.ts";
import { type DnsServer, startDnsServer } from "../harness/dns-server.ts";
import { type FakeRelay, startFakeRelay } from "../harness/fake-relay.ts";
import { email, post } from "../harness/http.ts";
import { type PolicyServer, startPolicyServer } from "../harness/policy-server.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";

const authority = issueCertificate({ subject: "authority", authority: true });
const trusted = issueCertificate({ subject: "mx", issuer: authority, names: ["mx.trusted.test"] });
const untrusted = issueCertificate({ subject: "mx", names: ["mx.untrusted.test"] });
const policies = issueCertificate({
  subject: "policies",
  issuer: authority,
  names: ["mta-sts.enforced.test", "mta-sts.broken.test", "mta-sts.elsewhere.test"],
});

const tlsa = ({ publicKey }: IssuedCertificate) => ({
  usage: 3,
  selector: 1,
  matchingType: 1,
  certificate: createHash("sha256").update(publicKey).digest(),
});

let folder: string;
let good: FakeRelay;
let bad: FakeRelay;
let dns: DnsServer;
let policyServer: PolicyServer;
let hermod: Hermod;

const startMx = ({ keyPem: key, pem: cert }: IssuedCertificate, port: number, host: string) =>
  startFakeRelay({ key, cert, disabledCommands: ["AUTH"] }, port, host);

const withPolicy = (domain: string, mx: string) => ({
  [domain]: { MX: [`10 ${mx}`] },
  [`_mta-sts.${domain}`]: { TXT: ["v=STSv1; id=20300101"] },
  [`mta-sts.${domain}`]: { A: ["127.0.0.1"] },
});

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hermod-ca-"));
  const caFile = path.join(folder, "authority.pem");
  await writeFile(caFile, authority.pem);
  good = await startMx(trusted, 0, "127.0.0.2");
  bad = await startMx(untrusted, good.port, "127.0.0.3");
  policyServer = await startPolicyServer(policies);
  policyServer.answer(
    "version: STSv1\nmode: enforce\nmx: mx.trusted.test\nmx: mx.untrusted.test\nmax_age: 86400\n",
  );
  const signed = { authenticated: true };
  const records = `_${good.port}._tcp`;
  dns = await startDnsServer({
    "mx.trusted.test": { A: ["127.0.0.2"] },
    "mx.untrusted.test": { A: ["127.0.0.3"] },
    "mx.unnamed.test": { A: ["127.0.0.2"] },
    "plain.test": { MX: ["10 mx.untrusted.test"] },
    ...withPolicy("enforced.test", "mx.trusted.test"),
    ...withPolicy("broken.test", "mx.untrusted.test"),
    ...withPolicy("elsewhere.test", "mx.unnamed.test"),
    "dane.test": { MX: ["10 mx.dane.test"], ...signed },
    "mx.dane.test": { A: ["127.0.0.3"], ...signed },
    [`${records}.mx.dane.test`]: { TLSA: [tlsa(untrusted)], ...signed },
    "danger.test": { MX: ["10 mx.danger.test"], ...signed },
    "mx.danger.test": { A: ["127.0.0.3"], ...signed },
    [`${records}.mx.danger.test`]: { TLSA: [tlsa(trusted)], ...signed },
  });
  hermod = await startHermod({
    settings: {
      HERMOD_DNS_SERVERS: dns.address,
      HERMOD_MX_PORT: String(good.port),
      HERMOD_MTA_STS_PORT: String(policyServer.port),
      HERMOD_DANE: "true",
      HERMOD_ALLOW_PRIVATE_DESTINATIONS: "true",
      NODE_EXTRA_CA_CERTS: caFile,
    },
  });
  const transports = [{ kind: { case: "direct" as const, value: {} } }];
  await hermod.core.policies.putPolicy({ policy: { name: "direct", default: true, transports } });
});
afterAll(async () => {
  await hermod.dispose();
  await Promise.all([
    good.close(),
    bad.close(),
    dns.close(),
    policyServer.close(),
    rm(folder, { recursive: true }),
  ]);
});
beforeEach(() => {
  good.received.length = 0;
  bad.received.length = 0;
});

async function outcomeOf(recipient: string) {
  const { accepted } = await post(hermod, email({ to: recipient }));
  return eventually(async () => {
    const { timeline } = await hermod.core.messages.getMessage({ id: accepted.message_id });
    return timeline.find(({ attempt }) => attempt > 0);
  });
}

const took = ({ received }: FakeRelay) => received.map(({ secure }) => secure);

it("a domain without demands receives its mail over TLS with any certificate", async () => {
  expect(await outcomeOf("ada@plain.test")).toMatchObject({ kind: "delivered" });
  expect(took(bad)).toEqual([true]);
});

describe("a domain with an MTA-STS policy to enforce", () => {
  it("receives its mail from a listed server with a valid certificate", async () => {
    expect(await outcomeOf("ada@enforced.test")).toMatchObject({ kind: "delivered" });
    expect(took(good)).toEqual([true]);
    const path = `mta-sts.enforced.test:${policyServer.port} /.well-known/mta-sts.txt`;
    expect(policyServer.requests).toContain(path);
  });

  it("receives nothing through a server with an invalid certificate", async () => {
    const outcome = await outcomeOf("ada@broken.test");
    expect(outcome).toMatchObject({ kind: "deferred", category: "tls" });
    expect(outcome.detail).toContain("certificate");
    expect(took(bad)).toEqual([]);
  });

  it("receives nothing through a server that the policy does not list", async () => {
    const outcome = await outcomeOf("ada@elsewhere.test");
    expect(outcome).toMatchObject({ kind: "deferred", category: "tls" });
    expect(outcome.detail).toContain("mx.unnamed.test must not be used");
    expect(took(good)).toEqual([]);
  });
});

describe("a server with TLSA records that DNSSEC validates", () => {
  it("is verified by its key, regardless of the issuer", async () => {
    expect(await outcomeOf("ada@dane.test")).toMatchObject({ kind: "delivered" });
    expect(took(bad)).toEqual([true]);
  });

  it("receives nothing with another key", async () => {
    expect(await outcomeOf("ada@danger.test")).toMatchObject({ kind: "deferred", category: "tls" });
    expect(took(bad)).toEqual([]);
  });
});
