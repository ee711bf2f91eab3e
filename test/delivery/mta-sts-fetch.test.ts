import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createResolver } from "../../src/dns/resolver.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { createRefuseDestination } from "../../src/shared/destination-address.ts";
import { type CertificateOptions, issueCertificate } from "../../src/shared/issue-certificate.ts";
import {
  createFetchPolicy,
  type FetchPolicyOptions,
} from "../../src/transport-security/mta-sts/fetch-policy.ts";
import { type DnsServer, type DnsZones, startDnsServer } from "../harness/dns-server.ts";
import { type PolicyServer, startPolicyServer } from "../harness/policy-server.ts";

const DAY_MS = 86_400_000;
const ca = issueCertificate({ subject: "authority", authority: true });
const ours = { subject: "policies", issuer: ca, names: ["mta-sts.d.test"] };
const policy = "version: STSv1\r\nmode: enforce\r\nmx: mx.d.test\r\nmax_age: 86400\r\n";
const zones: DnsZones = { "mta-sts.d.test": { A: ["127.0.0.1"] } };

let dns: DnsServer;
let server: PolicyServer;
beforeAll(async () => {
  dns = await startDnsServer(zones);
  server = await startPolicyServer(issueCertificate(ours));
});
afterAll(() => Promise.all([dns.close(), server.close()]));

function fetchPolicy(options: Partial<FetchPolicyOptions> = {}, signal?: AbortSignal) {
  const resolver = createResolver({ servers: [dns.address], clock: systemClock, timeoutMs: 2_000, tries: 1 });
  const refuse = createRefuseDestination({ allowPrivate: true, ownAddresses: [] });
  const { port } = server;
  return createFetchPolicy({ resolver, refuse, ipv6: true, port, extraCa: ca.pem, ...options })(
    "d.test",
    signal,
  );
}

const answer = (status: number, headers: Record<string, string>, body = policy) => {
  server.answer((response) => response.writeHead(status, headers).end(body));
};

describe("a policy is fetched", () => {
  it("from its well-known location, with the name of its host verified", async () => {
    server.answer(policy);
    expect(await fetchPolicy()).toEqual({ mode: "enforce", mx: ["mx.d.test"], maxAgeSeconds: 86_400 });
    expect(server.requests.at(-1)).toBe(`mta-sts.d.test:${server.port} /.well-known/mta-sts.txt`);
  });

  it("with the media type in any spelling", async () => {
    answer(200, { "content-type": "Text/Plain ; charset=utf-8" });
    expect(await fetchPolicy()).toMatchObject({ mode: "enforce" });
  });

  it("from another address of the host when one does not answer", async () => {
    server.answer(policy);
    dns.serve({ "mta-sts.d.test": { A: ["127.0.0.9", "127.0.0.1"], AAAA: ["::1"] } });
    expect(await fetchPolicy()).toMatchObject({ mode: "enforce" });
    dns.serve(zones);
  });
});

describe("a response is refused as a policy", () => {
  it.each([301, 302, 303, 307, 308])("behind a redirect: %d", async (status) => {
    const before = server.requests.length;
    const location = `https://mta-sts.d.test:${server.port}/other`;
    answer(status, { "content-type": "text/plain", location });
    await expect(fetchPolicy()).rejects.toThrow(`answered ${status}`);
    expect(server.requests.length).toBe(before + 1);
  });

  it.each([201, 206, 404, 500])("with the status %d", async (status) => {
    answer(status, { "content-type": "text/plain" });
    await expect(fetchPolicy()).rejects.toThrow(`answered ${status}`);
  });

  it.each(["text/html", "text/plainer", "application/octet-stream; text/plain", ""])(
    "of the media type %j",
    async (type) => {
      answer(200, type === "" ? {} : { "content-type": type });
      await expect(fetchPolicy()).rejects.toThrow("not text/plain");
    },
  );

  it("when it is malformed", async () => {
    server.answer("version: STSv1\nmode: enforce\n");
    await expect(fetchPolicy()).rejects.toThrow("names no mx");
  });

  it("when it is too long, without waiting for the rest", async () => {
    server.answer((response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      // Never ends.
      response.write(policy + "a: b\r\n".repeat(20_000));
    });
    await expect(fetchPolicy()).rejects.toThrow("longer than 65536");
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ["does not answer", () => undefined],
    [
      "does not end its answer",
      (response) => response.writeHead(200, { "content-type": "text/plain" }).write(policy),
    ],
    [
      "answers drop by drop",
      (response) => {
        response.writeHead(200, { "content-type": "text/plain" });
        const drip = setInterval(() => response.write("a: b\n"), 20);
        response.on("close", () => clearInterval(drip));
      },
    ],
  ])("when its server %s in time", async (_, handle) => {
    server.answer(handle);
    await expect(fetchPolicy({ timeoutMs: 300 })).rejects.toThrow("in time");
  });

  it("when its server hangs up", async () => {
    server.answer((response) => response.destroy());
    await expect(fetchPolicy()).rejects.toThrow("hang up");
    server.answer((response) => {
      response.writeHead(200, { "content-type": "text/plain", "content-length": "1000" });
      response.write(policy, () => response.destroy());
    });
    await expect(fetchPolicy()).rejects.toThrow("aborted");
  });

  it("when no caller needs it any more", async () => {
    server.answer(() => undefined);
    const before = server.requests.length;
    await expect(fetchPolicy({}, AbortSignal.abort())).rejects.toThrow("aborted");
    expect(server.requests.length).toBe(before);
    const stop = new AbortController();
    const fetched = fetchPolicy({}, stop.signal);
    setTimeout(() => stop.abort(), 50);
    await expect(fetched).rejects.toThrow("aborted");
  });
});

describe("the server of a policy proves its name", () => {
  async function fetchFrom(certificate: CertificateOptions) {
    const other = await startPolicyServer(issueCertificate(certificate));
    other.answer(policy);
    try {
      return { policy: await fetchPolicy({ port: other.port }), requests: other.requests };
    } catch (error) {
      return { error: String(error), requests: other.requests };
    } finally {
      await other.close();
    }
  }
  const expired = { notBefore: new Date(Date.now() - 9 * DAY_MS), notAfter: new Date(Date.now() - DAY_MS) };
  const impostor = issueCertificate({ subject: "authority", authority: true });

  it("also by a wildcard", async () => {
    expect(await fetchFrom({ ...ours, names: ["*.d.test"] })).toMatchObject({ policy: { mode: "enforce" } });
  });

  it.each<[string, CertificateOptions, string]>([
    ["another name", { ...ours, names: ["d.test", "mta-sts.other.test"] }, "altnames"],
    ["a common name alone", { ...ours, subject: "mta-sts.d.test", names: [] }, "no alternative names"],
    ["a certificate of itself", { subject: "policies", names: ours.names }, "self-signed"],
    ["an expired one", { ...ours, ...expired }, "expired"],
    ["one of another authority", { ...ours, issuer: impostor }, "certificate"],
  ])("not with %s, and receives no request then", async (_, certificate, reason) => {
    expect(await fetchFrom(certificate)).toEqual({ error: expect.stringContaining(reason), requests: [] });
  });

  it("to a publicly trusted authority, if no other is configured", async () => {
    server.answer(policy);
    const refuse = createRefuseDestination({ allowPrivate: true, ownAddresses: [] });
    const resolver = createResolver({ servers: [dns.address], clock: systemClock });
    const fetchWithout = createFetchPolicy({ resolver, refuse, ipv6: true, port: server.port });
    await expect(fetchWithout("d.test")).rejects.toThrow("certificate");
  });
});

describe("the address of a policy's server", () => {
  it("is never one that only this machine or its network can reach", async () => {
    server.answer(policy);
    const before = server.requests.length;
    const refuse = createRefuseDestination({ allowPrivate: false, ownAddresses: [] });
    await expect(fetchPolicy({ refuse })).rejects.toThrow("no address that may be connected to");
    expect(server.requests.length).toBe(before);
  });

  it("is not an IPv6 address if IPv6 is not used", async () => {
    dns.serve({ "mta-sts.d.test": { AAAA: ["::1"] } });
    await expect(fetchPolicy({ ipv6: false })).rejects.toThrow("has no address");
    expect(dns.queries.at(-1)).toMatchObject({ name: "mta-sts.d.test", type: "A" });
    dns.serve(zones);
  });

  it("must be resolvable", async () => {
    dns.serve({ "mta-sts.d.test": { behaviour: "servfail" } });
    await expect(fetchPolicy()).rejects.toThrow("SERVFAIL");
    dns.serve({});
    await expect(fetchPolicy()).rejects.toThrow("has no address");
    dns.serve({ "mta-sts.d.test": { behaviour: "drop" } });
    const resolver = createResolver({
      servers: [dns.address],
      clock: systemClock,
      timeoutMs: 5_000,
      tries: 1,
    });
    await expect(fetchPolicy({ resolver, timeoutMs: 50 })).rejects.toThrow("the policy did not come in time");
    dns.serve(zones);
  });
});
