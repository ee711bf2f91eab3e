import https from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createProbeTrackingHost } from "../../src/domains/probe-tracking-host.ts";
import { createReadDomain } from "../../src/domains/read-domain.ts";
import { trackingHostOf, wantedRecords } from "../../src/domains/wanted-records.ts";
import { createTrackingTokens } from "../../src/message/tracking/token.ts";
import { createRefuseDestination } from "../../src/shared/destination-address.ts";
import { issueCertificate } from "../../src/shared/issue-certificate.ts";
import type { RecordEvidence } from "../../src/store/domain-document.ts";
import type { DnsName, DnsZones } from "../harness/dns-server.ts";
import { type DnsWorld, openDnsWorld } from "../harness/dns-world.ts";

const DOMAIN = "example.com";
const ALIAS = `hm-track.${DOMAIN}`;
const TARGET = "mail.hermod.test";
const setup = { spfTerms: [], bounceDomain: undefined, trackingHost: TARGET };
const tokens = createTrackingTokens(Buffer.alloc(32, 7));
const authority = issueCertificate({ subject: "Tests", authority: true });

let world: DnsWorld;
let server: https.Server;
/** The server's answer for a host. */
let answer: (host: string) => { status: number; text: string } | undefined;

const certificateFor = (name: string) => {
  const { pem, keyPem } = issueCertificate({ subject: name, names: [name], issuer: authority });
  return { cert: pem, key: keyPem };
};

beforeAll(async () => {
  world = await openDnsWorld(DOMAIN);
  server = https.createServer(certificateFor(ALIAS), (request, response) => {
    const host = (request.headers.host ?? "").replace(/:.*$/, "");
    const said = request.url === "/t/v" ? answer(host) : { status: 404, text: "" };
    if (!said) response.destroy();
    else response.writeHead(said.status).end(said.text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await world.close();
});
beforeEach(() => {
  server.setSecureContext(certificateFor(ALIAS));
  answer = (host) => ({ status: 200, text: tokens.proofOf(host) });
});

async function read(entry: DnsName | undefined, { allowPrivate = true, others = {} as DnsZones } = {}) {
  const target = { "hermod.test": { NS: ["ns1.example.com"] }, [TARGET]: { A: ["127.0.0.1"] } };
  world.publish({ ...target, ...(entry && { [ALIAS]: entry }), ...others });
  const probe = createProbeTrackingHost({
    tokens,
    refuse: createRefuseDestination({ allowPrivate, ownAddresses: [] }),
    ipv6: false,
    port: (server.address() as AddressInfo).port,
    extraCa: authority.pem,
  });
  const wanted = wantedRecords({ name: DOMAIN, token: "t" }, [], setup, new Date(0));
  const { findings } = await createReadDomain(world.beginSurvey, setup, probe)(DOMAIN, wanted);
  return findings.find(({ key }) => key === "tracking");
}

describe("the alias for tracked links", () => {
  it("is proposed if the base URL has another domain, and never required", () => {
    const keysOf = (name: string, trackingHost: string | undefined) =>
      wantedRecords({ name, token: "t" }, [], { ...setup, trackingHost }, new Date(0)).map(({ key }) => key);
    expect(keysOf(DOMAIN, TARGET)).toContain("tracking");
    expect(keysOf(DOMAIN, undefined)).not.toContain("tracking");
    expect(keysOf("shop.hermod.test", TARGET)).not.toContain("tracking");
    const wanted = wantedRecords({ name: DOMAIN, token: "t" }, [], setup, new Date(0));
    expect(wanted.find(({ key }) => key === "tracking")).toMatchObject({
      type: "CNAME",
      name: ALIAS,
      value: TARGET,
      required: false,
      byOwner: true,
    });
  });

  it("is correct when it points to this installation with a valid certificate", async () => {
    expect(await read({ CNAME: TARGET })).toMatchObject({ outcome: "right", problem: "", aliases: [TARGET] });
  });

  it.each([
    ["nothing there", undefined, "missing", "The name hm-track.example.com has no alias (CNAME)"],
    ["addresses of its own", { A: ["192.0.2.1"] }, "wrong", "Replace them with the alias (CNAME)"],
    [
      "another target",
      { CNAME: "elsewhere.test" },
      "wrong",
      "points to elsewhere.test instead of mail.hermod.test",
    ],
    ["no dot", { CNAME: `${TARGET}.${DOMAIN}` }, "wrong", "with a dot at its end"],
  ])("is not correct with %s, and the reason is given", async (_what, entry, outcome, problem) => {
    expect(await read(entry)).toMatchObject({ outcome, problem: expect.stringContaining(problem) });
  });

  it("is not correct while another server answers there, or none does", async () => {
    const problem = async () => (await read({ CNAME: TARGET }))?.problem;
    answer = () => ({ status: 200, text: createTrackingTokens(Buffer.alloc(32, 8)).proofOf(ALIAS) });
    expect(await problem()).toContain("another server answers there");
    answer = (host) => ({ status: 302, text: tokens.proofOf(host) });
    expect(await problem()).toContain("another server answers there");
    answer = () => ({ status: 200, text: "x".repeat(1_000_000) });
    expect(await problem()).toContain("another server answers there");
    answer = () => undefined;
    expect(await problem()).toContain("does not answer over HTTPS");
  });

  it("is not correct with a certificate for another name, or at a non-public address", async () => {
    server.setSecureContext(certificateFor("other.example.com"));
    const finding = await read({ CNAME: TARGET });
    expect(finding).toMatchObject({ outcome: "wrong", problem: expect.stringContaining("HTTPS") });
    const refused = await read({ CNAME: TARGET }, { allowPrivate: false });
    expect(refused?.problem).toContain("it has no public address");
  });
});

describe("tracked links of a domain's mail use its alias", () => {
  const evidence = (changes: Partial<RecordEvidence>): RecordEvidence => ({
    key: "tracking",
    outcome: "right",
    problem: "",
    note: "",
    aliases: [TARGET],
    found: [],
    ...changes,
  });

  it.each([
    ["once it is right", evidence({}), ALIAS],
    ["not while it is wrong", evidence({ outcome: "wrong" }), undefined],
    ["not where it leads to a former host", evidence({ aliases: ["old.hermod.test"] }), undefined],
    ["not by the evidence of something else", evidence({ key: "return_path" }), undefined],
  ])("%s", (_when, record, host) => {
    expect(trackingHostOf({ name: DOMAIN, records: [record] }, TARGET)).toBe(host);
  });
});
