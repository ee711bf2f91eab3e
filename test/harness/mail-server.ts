import type { ProbeMailHost } from "../../src/intel/mail-host-probe/probe-mail-host.ts";
import {
  createProbeMailHost,
  type ProbeMailHostOptions,
} from "../../src/intel/mail-host-probe/probe-mail-host.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { createRefuseDestination } from "../../src/shared/destination-address.ts";
import { type IssuedCertificate, issueCertificate } from "../../src/shared/issue-certificate.ts";
import { offering, type Script, type ScriptedServer, startScriptedServer } from "./scripted-server.ts";

const DAY_MS = 86_400_000;
export const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS);

/** An authority that probes treat as public, and an intermediate one. */
export const publicCa = issueCertificate({
  subject: "public authority",
  authority: true,
  notBefore: daysFromNow(-100),
  notAfter: daysFromNow(1_000),
});
export const betweenCa = issueCertificate({
  subject: "between",
  issuer: publicCa,
  authority: true,
  notBefore: daysFromNow(-100),
  notAfter: daysFromNow(1_000),
});

export type Certificate = readonly [IssuedCertificate, ...IssuedCertificate[]];

/** A certificate of a server with its issuer. */
export function certificateOf(
  host: string,
  { names = [host], from = -30, to = 60 }: { names?: readonly string[]; from?: number; to?: number } = {},
): Certificate {
  const dates = { notBefore: daysFromNow(from), notAfter: daysFromNow(to) };
  return [issueCertificate({ subject: host, issuer: betweenCa, names, ...dates }), betweenCa];
}

export const pemOf = (certificates: readonly IssuedCertificate[]) =>
  certificates.map(({ pem }) => pem).join("");

/** Script of a server with STARTTLS. */
export function withTls(certificate: Certificate, options: Record<string, unknown> = {}): Script {
  return {
    EHLO: (peer) => peer.say(peer.encrypted ? offering("SIZE") : offering("SIZE", "STARTTLS")),
    STARTTLS: async (peer) => {
      peer.say("220 go ahead");
      await peer.startTls({ key: certificate[0].keyPem, cert: pemOf(certificate), ...options });
    },
  };
}

/** Starts mail servers and stops them all. */
export function createMailServers() {
  const servers: ScriptedServer[] = [];
  return {
    start: async (script: Script, host?: string, port?: number): Promise<ScriptedServer> => {
      const server = await startScriptedServer(script, host, port);
      servers.push(server);
      return server;
    },
    close: () => Promise.all(servers.splice(0).map((server) => server.close())),
  };
}

/** Probes of a port of this machine. */
export function probeOf(port: number, options: Partial<ProbeMailHostOptions> = {}): ProbeMailHost {
  return createProbeMailHost({
    port,
    ipv6: true,
    heloName: "probe.test",
    extraCa: publicCa.pem,
    clock: systemClock,
    refuse: createRefuseDestination({ allowPrivate: true, ownAddresses: [] }),
    ...options,
  });
}
