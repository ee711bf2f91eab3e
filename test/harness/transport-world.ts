import { createHash } from "node:crypto";
import { createResolver } from "../../src/dns/resolver.ts";
import type { CheckResult } from "../../src/intel/check-result.ts";
import type { MailHostProbe } from "../../src/intel/mail-host-probe/mail-host-probe.ts";
import { findMailHosts } from "../../src/intel/mx/find-mail-hosts.ts";
import { checkTransport, type TransportCheck } from "../../src/intel/transport/check-transport.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { createRefuseDestination } from "../../src/shared/destination-address.ts";
import { type IssuedCertificate, issueCertificate } from "../../src/shared/issue-certificate.ts";
import { createFetchPolicy } from "../../src/transport-security/mta-sts/fetch-policy.ts";
import { type DnsName, type DnsZones, startDnsServer } from "./dns-server.ts";
import { createMailServers, probeOf, publicCa } from "./mail-server.ts";
import { startPolicyServer } from "./policy-server.ts";
import { probeZones } from "./probe-zones.ts";
import type { Script } from "./scripted-server.ts";
import { withParts } from "./text-parts.ts";

export const DOMAIN = "example.com";

export interface TransportCase extends Partial<Omit<TransportCheck, "mail" | "dns" | "fetchPolicy">> {
  /** Scripts of the mail servers by name, most preferred first; `down`: nothing listens. */
  readonly servers: Readonly<Record<string, Script | "down">>;
  /** Added to the zones of the domain and its servers, or replacing them. */
  readonly zones?: DnsZones;
  /** Whether DNSSEC authenticates the MX records and addresses. */
  readonly isSigned?: boolean;
  /** Body of the policy; undefined: `mta-sts` has no address. */
  readonly policy?: string;
  /** Time limit of the fetch of the policy; missing: more than a busy machine needs. */
  readonly policyMs?: number;
}

/** A domain with its mail servers, its DNS and the server of its policy. */
export async function startTransportWorld() {
  const dns = await startDnsServer();
  const policies = await startPolicyServer(
    issueCertificate({ subject: "policies", issuer: publicCa, names: [`mta-sts.${DOMAIN}`] }),
  );
  const mailServers = createMailServers();

  async function check(one: TransportCase): Promise<CheckResult[]> {
    const { servers, zones = {}, isSigned = false, policy, policyMs = 30_000, ...rest } = one;
    const names = Object.keys(servers);
    const probes = new Map<string, MailHostProbe>();
    for (const [name, script] of Object.entries(servers)) {
      const server = await mailServers.start(script === "down" ? {} : script);
      if (script === "down") await server.close();
      probes.set(name, await probeOf(server.port)({ name, ipv4: [server.host], ipv6: [] }));
    }
    if (policy !== undefined) policies.answer(policy);
    const address: DnsName = { A: ["127.0.0.1"], authenticated: isSigned };
    const probeDns = probeZones(dns, {
      [DOMAIN]: { MX: names.map((name, index) => `${index} ${name}`), authenticated: isSigned },
      ...Object.fromEntries(names.map((name) => [name, address])),
      ...(policy !== undefined && { [`mta-sts.${DOMAIN}`]: { A: ["127.0.0.1"] } }),
      ...zones,
    });
    const results = await checkTransport({
      domain: DOMAIN,
      role: "receiving",
      probes,
      vantage: "open",
      isValidating: true,
      clock: systemClock,
      ...rest,
      mail: await findMailHosts(DOMAIN, probeDns),
      dns: probeDns,
      fetchPolicy: createFetchPolicy({
        resolver: createResolver({ servers: [dns.address], clock: systemClock, retryMs: 2_000, tries: 2 }),
        refuse: createRefuseDestination({ allowPrivate: true, ownAddresses: [] }),
        ipv6: true,
        port: policies.port,
        extraCa: publicCa.pem,
        timeoutMs: policyMs,
      }),
    });
    return results.map(withParts);
  }

  return {
    check,
    policies,
    closeMailServers: mailServers.close,
    close: async () => {
      await Promise.all([mailServers.close(), policies.close(), dns.close()]);
    },
  };
}

export const stsRecord: DnsZones = { [`_mta-sts.${DOMAIN}`]: { TXT: ["v=STSv1; id=1;"] } };

export const stsPolicy = (mode: string, ...mx: string[]) =>
  ["version: STSv1", `mode: ${mode}`, ...mx.map((one) => `mx: ${one}`), "max_age: 604800", ""].join("\r\n");

/** TLSA records of a server, one per key digest, signed by default. */
export function tlsaZone(
  host: string,
  records: readonly { readonly usage: number; readonly of: IssuedCertificate }[],
  entry: DnsName = {},
): DnsZones {
  const TLSA = records.map(({ usage, of }) => ({
    usage,
    selector: 1,
    matchingType: 1,
    certificate: createHash("sha256").update(of.publicKey).digest(),
  }));
  return { [`_25._tcp.${host}`]: { TLSA, authenticated: true, ...entry } };
}
