import { relayMark } from "../../message/header/relay-mark.ts";
import { detailOf, type TransportOutcome } from "../../message/replies/outcome.ts";
import { relayTls } from "../../routing/effects.ts";
import type { Clock } from "../../shared/clock.ts";
import type { RefuseDestination } from "../../shared/destination-address.ts";
import { phrase } from "../../shared/phrase.ts";
import { type RelayProvider, relayProviderOf } from "../../shared/relay-providers.ts";
import { classifyFailure } from "../../smtp-client/smtp-failure.ts";
import { createSmtpPools, type TlsUse } from "../../smtp-client/smtp-pools.ts";
import type { SmtpTimeouts } from "../../smtp-client/smtp-timeouts.ts";
import type { SmtpTransportSettings, SourceSettings } from "../../store/policy-document.ts";
import { whyUnverified } from "../../transport-security/tls-demand.ts";
import { createDownAddresses, type DownAddresses } from "../routing/down-addresses.ts";
import { createRelayAddresses, type FindRelayAddresses } from "../routing/relay-addresses.ts";
import type { Mail, Transport } from "./transport.ts";
import { createTryServers, type PassedOver, type Server } from "./try-servers.ts";

export interface SmtpTransportOptions {
  readonly settings: SmtpTransportSettings;
  /** Name in EHLO if `source` has none; undefined: the name of the machine. */
  readonly heloName: string | undefined;
  readonly timeouts: SmtpTimeouts;
  readonly clock: Clock;
  /** Aborted when this process ends: nothing more is sent. */
  readonly ending?: AbortSignal | undefined;
  /** Source addresses and name. */
  readonly source?: SourceSettings | undefined;
  /** Shared by transports to the same servers; missing: its own connections. */
  readonly down?: DownAddresses | undefined;
  /** Finds the addresses of relays; missing: the resolver of the system. */
  readonly findAddresses?: FindRelayAddresses | undefined;
  /** Returns true for addresses that must never be connected to, regardless of their name; missing: none. */
  readonly refuse?: RefuseDestination | undefined;
}

/** Delivers messages to upstream relays, the first that can be reached. Connections are reused. */
export function createSmtpTransport(options: SmtpTransportOptions): Transport {
  const { settings, heloName, timeouts, clock, source, refuse, ending } = options;
  const { down = createDownAddresses({ clock }), findAddresses = createRelayAddresses({ clock }) } = options;
  const { username, password = "", maxConnections } = settings;
  const auth = username === undefined ? undefined : { username, password };
  const pools = createSmtpPools({ maxConnections, heloName, source, auth, timeouts, ending });
  const tryServers = createTryServers({ pools, down, clock });
  const { mode, isVerified, plainTextWillDo } = relayTls(settings);
  const tls: TlsUse = isVerified ? { mode, verify: whyUnverified, key: "verified" } : { mode, key: mode };

  const provider = settings.servers.map(({ host }) => relayProviderOf(host)).find(Boolean);

  async function* servers(): AsyncGenerator<Server | PassedOver> {
    for (const { host, port } of settings.servers) {
      const via = `smtp ${host}:${port}`;
      try {
        const found = await findAddresses(host);
        // Connects to the checked addresses only: nothing is resolved again.
        const permitted = found.filter(({ address }) => refuse?.(address) === undefined);
        if (found.length > 0 && permitted.length === 0) yield { passedOver: refused(via, host) };
        for (const address of permitted) {
          const endpoint = { ...address, port, serverName: host };
          yield { via, provider: host, endpoint, tls, plainTextWillDo };
        }
      } catch (error) {
        yield { passedOver: classifyFailure(via, host, error) };
      }
    }
  }

  return {
    deliver: async (mail) => {
      const outcome = await tryServers(servers(), provider ? marked(mail, provider) : mail);
      return outcome ?? { kind: "unreachable", reply: { via: "smtp", ...detailOf(phrase("server.none")) } };
    },
    close: pools.close,
  };
}

/** Later reports of the provider name this id. */
function marked(mail: Mail, provider: RelayProvider): Mail {
  const withMark = (source: Buffer) =>
    Buffer.concat([Buffer.from(relayMark(provider, mail.envelope.from, source)), source]);
  return {
    ...mail,
    source: withMark(mail.source),
    converted: async (conversion) => {
      const converted = await mail.converted(conversion);
      return converted.ok ? { ok: true, source: withMark(converted.source) } : converted;
    },
  };
}

/** The addresses are omitted, because the names of this network are visible only to the operator. */
function refused(via: string, host: string): TransportOutcome {
  const wording = detailOf(phrase("server.not_permitted", { host }));
  return { kind: "unreachable", reply: { via, ...wording, category: "network" } };
}
