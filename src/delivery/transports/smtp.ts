import type { Clock } from "../../shared/clock.ts";
import type { SmtpTransportSettings, SourceSettings } from "../../store/policy-document.ts";
import { classifyFailure } from "../replies/smtp-failure.ts";
import { createDownAddresses, type DownAddresses } from "../routing/down-addresses.ts";
import { createRelayAddresses, type FindRelayAddresses } from "../routing/relay-addresses.ts";
import { createSmtpPools, type TlsUse } from "../smtp/smtp-pools.ts";
import type { SmtpTimeouts } from "../smtp/smtp-timeouts.ts";
import { whyUnverified } from "../tls/verified-demand.ts";
import type { Transport } from "./transport.ts";
import { createTryServers, type PassedOver, type Server } from "./try-servers.ts";

export interface SmtpTransportOptions {
  readonly settings: SmtpTransportSettings;
  /** The name given in EHLO where `source` has none; undefined: the machine's. */
  readonly heloName: string | undefined;
  readonly timeouts: SmtpTimeouts;
  readonly clock: Clock;
  /** The addresses and the name to send from. */
  readonly source?: SourceSettings | undefined;
  /** Shared by transports that go to the same servers; not given: this one's own. */
  readonly down?: DownAddresses | undefined;
  /** Where relays are; not given: what the system's resolver says. */
  readonly findAddresses?: FindRelayAddresses | undefined;
}

/** Hands messages to upstream relays, the first that can be reached. Connections are reused. */
export function createSmtpTransport(options: SmtpTransportOptions): Transport {
  const { settings, heloName, timeouts, clock, source } = options;
  const { down = createDownAddresses({ clock }), findAddresses = createRelayAddresses({ clock }) } = options;
  const { username, password = "", maxConnections } = settings;
  const auth = username === undefined ? undefined : { username, password };
  const pools = createSmtpPools({ maxConnections, heloName, source, auth, timeouts });
  const tryServers = createTryServers({ pools, down, clock });
  const tls = tlsUse(settings);
  // Credentials are never shown to listeners, so there is no falling back with them.
  const plainTextWillDo = settings.tls === "opportunistic" && auth === undefined;

  async function* servers(): AsyncGenerator<Server | PassedOver> {
    for (const { host, port } of settings.servers) {
      const via = `smtp ${host}:${port}`;
      try {
        for (const address of await findAddresses(host)) {
          const endpoint = { ...address, port, serverName: host };
          yield { via, provider: host, endpoint, tls, plainTextWillDo };
        }
      } catch (error) {
        yield { passedOver: classifyFailure(via, host, error) };
      }
    }
  }

  return {
    deliver: async (job) => {
      const outcome = await tryServers(servers(), job);
      return (
        outcome ?? { kind: "unreachable", reply: { via: "smtp", detail: "the transport has no server" } }
      );
    },
    close: pools.close,
  };
}

function tlsUse({ tls }: SmtpTransportSettings): TlsUse {
  switch (tls) {
    case "implicit":
    case "required":
      return { mode: tls, verify: whyUnverified, key: "verified" };
    case "opportunistic":
    case "none":
      // Against a passive listener only, so an unknown certificate is better than none (RFC 7435).
      return { mode: tls, key: tls };
  }
}
