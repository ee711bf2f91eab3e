import { type Config, commit, version } from "../config.ts";
import type { InstallationFacts } from "../core/dependencies.ts";
import { baseUrlOf, loopbackFor } from "./addresses.ts";

/** Ports on which the front ends of this process listen; undefined: it has no such role. */
export interface FrontEndPorts {
  readonly http: number | undefined;
  readonly smtp: number | undefined;
  readonly smtps: number | undefined;
}

/** Facts about the installation, as far as the settings and the ports of this process say. */
export interface Reach extends InstallationFacts {
  /** Notes the ports; called once, when the front ends listen. Until then none is known. */
  listening(ports: FrontEndPorts): void;
}

const WILDCARDS = ["0.0.0.0", "::"];

export function createReach(config: Config): Reach {
  const { http, smtp } = config;
  let ports: FrontEndPorts = { http: undefined, smtp: undefined, smtps: undefined };

  /** The name of an installation that is reached from elsewhere is not that of this machine's loopback. */
  const smtpHost = () =>
    WILDCARDS.includes(smtp.host) && http.baseUrl !== undefined ? undefined : loopbackFor(smtp.host);

  return {
    version,
    commit: commit === "unknown" ? undefined : commit,
    hasSystemMail: config.mail.from !== undefined,
    rates: { perKey: config.limits.keyRate, perAccount: config.limits.accountRate },
    listening: (found) => {
      ports = found;
    },
    baseUrl: () => baseUrlOf(config, ports.http)?.replace(/\/+$/, ""),
    smtp: () => {
      if (smtp.urls.length > 0) return { endpoints: smtp.urls, isSelfSigned: undefined };
      if (ports.smtp === undefined) return undefined;
      const host = smtpHost();
      return {
        endpoints: [
          { host, port: ports.smtp, tls: "starttls" },
          ...(ports.smtps === undefined ? [] : [{ host, port: ports.smtps, tls: "implicit" } as const]),
        ],
        isSelfSigned: smtp.tls.cert === undefined,
      };
    },
  };
}
