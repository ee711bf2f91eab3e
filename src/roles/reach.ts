import { type Config, commit, version } from "../config.ts";
import type { InstallationFacts } from "../core/dependencies.ts";
import { baseUrlOf, loopbackFor } from "./addresses.ts";

/** Ports of the front ends of this process; undefined: it does not have the role. */
export interface FrontEndPorts {
  readonly http: number | undefined;
  readonly smtp: number | undefined;
  readonly smtps: number | undefined;
}

/** Facts about the installation from the settings and the ports of this process. */
export interface Reach extends InstallationFacts {
  /** Sets the ports; called once, when the front ends listen. Before, none is known. */
  listening(ports: FrontEndPorts): void;
}

const WILDCARDS = ["0.0.0.0", "::"];

export function createReach(config: Config): Reach {
  const { http, smtp } = config;
  let ports: FrontEndPorts = { http: undefined, smtp: undefined, smtps: undefined };

  /** A public installation is not named by the loopback of this machine. */
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
