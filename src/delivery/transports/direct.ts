import { createHash } from "node:crypto";
import { domainOf } from "../../message/address/addresses.ts";
import { detailOf, type Reply, type TransportOutcome } from "../../message/replies/outcome.ts";
import type { Clock } from "../../shared/clock.ts";
import { phrase, phrases } from "../../shared/phrase.ts";
import { createSmtpPools } from "../../smtp-client/smtp-pools.ts";
import type { SmtpTimeouts } from "../../smtp-client/smtp-timeouts.ts";
import type { DirectTransportSettings, SourceSettings } from "../../store/policy-document.ts";
import type { DemandTls } from "../../transport-security/tls-demand.ts";
import { createDownAddresses, type DownAddresses } from "../routing/down-addresses.ts";
import type { MxHost, MxRoute, RouteDomain } from "../routing/mx-route.ts";
import type { Transport } from "./transport.ts";
import { createTryServers, type PassedOver, type Server } from "./try-servers.ts";

export interface DirectTransportOptions {
  readonly settings: DirectTransportSettings;
  readonly route: RouteDomain;
  /** Port 25, except in tests. */
  readonly port: number;
  /** Name in EHLO if `source` has none; undefined: the name of the machine. */
  readonly heloName: string | undefined;
  readonly timeouts: SmtpTimeouts;
  readonly clock: Clock;
  /** Aborted when this process ends: nothing more is sent. */
  readonly ending?: AbortSignal | undefined;
  /** Source addresses and name. */
  readonly source?: SourceSettings | undefined;
  /** The TLS demand. */
  readonly demandTls: DemandTls;
  /** Shared by transports to the same servers; missing: its own connections. */
  readonly down?: DownAddresses | undefined;
}

/**
 * Delivers directly to the servers of the recipient's domain (RFC 5321 section 5.1): by preference, every address of a server
 * before the next server, until one of them gives a verdict on the message.
 */
export function createDirectTransport(options: DirectTransportOptions): Transport {
  const { settings, route, port, heloName, timeouts, source, clock, demandTls, ending } = options;
  const { down = createDownAddresses({ clock }) } = options;
  const pools = createSmtpPools({
    maxConnections: settings.maxConnections,
    heloName,
    source,
    timeouts,
    ending,
  });
  const tryServers = createTryServers({ pools, down, clock });

  /** Determines the TLS demand only when a server is tried. */
  async function* serversOf(domain: string, hosts: readonly MxHost[]): AsyncGenerator<Server | PassedOver> {
    for (const host of hosts) {
      const { exchange } = host;
      const demand = await demandTls(domain, host);
      if ("refused" in demand) {
        const wording = detailOf(phrases(phrase("server.forbidden", { host: exchange }), demand.refused));
        const reply: Reply = { via: `direct ${exchange}:${port}`, ...wording, category: "tls" };
        yield { passedOver: { kind: "unreachable", reply } };
        continue;
      }
      const tls = { mode: demand.level, verify: demand.verify, key: demand.key };
      for (const address of host.addresses) {
        yield {
          via: `direct ${exchange}[${address.address}]:${port}`,
          provider: exchange,
          endpoint: { ...address, port, serverName: exchange },
          tls,
          plainTextWillDo: demand.level === "opportunistic",
        };
      }
    }
  }

  return {
    deliver: async (mail) => {
      const domain = domainOf(mail.message.recipient);
      const found = await route(domain);
      if (found.kind !== "hosts") return withoutHosts(found);
      const hosts = inOrderFor(mail.message._id, found.hosts);
      const outcome = await tryServers(serversOf(domain, hosts), mail);
      return (
        outcome ?? {
          kind: "unreachable",
          reply: { via: "direct", ...detailOf(phrase("route.no_server")) },
        }
      );
    },
    close: pools.close,
  };
}

/**
 * Orders hosts of the same preference equally for all attempts of a message: a later attempt continues where an earlier one
 * ended, and greylisting recognizes the message. Other messages have another order, which spreads the load.
 */
function inOrderFor(messageId: string, hosts: readonly MxHost[]): readonly MxHost[] {
  const rank = (host: MxHost) =>
    createHash("sha1").update(`${messageId} ${host.exchange}`).digest().readUInt32BE();
  const ranked = hosts.map((host) => ({ host, rank: rank(host) }));
  return ranked
    .toSorted((a, b) => a.host.preference - b.host.preference || a.rank - b.rank)
    .map(({ host }) => host);
}

/** Null MX, a missing domain and a domain without a route are permanent; a DNS failure is not. */
function withoutHosts(route: Exclude<MxRoute, { kind: "hosts" }>): TransportOutcome {
  const { enhancedStatusCode, reason, reasonParts = [] } = route;
  const wording = detailOf({ text: reason, parts: reasonParts });
  const reply: Reply = { via: "direct dns", enhancedStatusCode, ...wording, category: "dns" };
  return { kind: route.kind === "temporary" ? "unreachable" : "bounced", reply };
}
