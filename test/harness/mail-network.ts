import { type DnsServer, type DnsZones, startDnsServer } from "./dns-server.ts";
import type { MxBehaviour, MxReceipt } from "./mx-behaviour.ts";
import { type MxHost, startMxHost } from "./mx-host.ts";

/** The servers of each domain, most preferred first. */
export type MailNetworkPlan = Readonly<Record<string, MxBehaviour | readonly MxBehaviour[]>>;

/** A small Internet on loopback: a DNS server, and mail servers with one address each, all on one port. */
export interface MailNetwork {
  readonly dns: DnsServer;
  readonly port: number;
  /** Settings with which a Hermod delivers into it. */
  readonly settings: Readonly<Record<string, string>>;
  /** The domain's server; the first one is the most preferred. */
  host(domain: string, index?: number): MxHost;
  readonly hosts: readonly MxHost[];
  /** Every message that any server has accepted, by id, in order of time. */
  readonly receipts: ReadonlyMap<string, readonly MxReceipt[]>;
  close(): Promise<void>;
}

/** A port that is free on the first address may be used on the others, so several ports are tried. */
const PORT_ATTEMPTS = 5;

export async function startMailNetwork(plan: MailNetworkPlan): Promise<MailNetwork> {
  const domains = Object.entries(plan).map(([domain, servers]) => ({
    domain,
    behaviours: isList(servers) ? servers : [servers],
  }));
  const receipts = new Map<string, MxReceipt[]>();
  const byDomain = new Map<string, MxHost[]>();
  const hosts = await startHosts(
    domains.flatMap(({ behaviours }) => behaviours),
    (receipt) => {
      const known = receipts.get(receipt.id);
      if (known) known.push(receipt);
      else receipts.set(receipt.id, [receipt]);
    },
  );
  const zones: Record<string, DnsZones[string]> = {};
  const rest = hosts.values();
  for (const { domain, behaviours } of domains) {
    const own = behaviours.map(() => rest.next().value).filter((host) => host !== undefined);
    byDomain.set(domain, own);
    zones[domain] = { MX: own.map((_, index) => `${(index + 1) * 10} mx${index + 1}.${domain}`) };
    for (const [index, { address }] of own.entries()) zones[`mx${index + 1}.${domain}`] = { A: [address] };
  }
  const dns = await startDnsServer(zones);
  const port = hosts[0]?.port ?? 0;

  return {
    dns,
    port,
    settings: {
      HERMOD_DNS_SERVERS: dns.address,
      HERMOD_MX_PORT: String(port),
      HERMOD_ALLOW_PRIVATE_DESTINATIONS: "true",
    },
    host: (domain, index = 0) => {
      const host = byDomain.get(domain)?.[index];
      if (!host) throw new Error(`The network has no server ${index} for ${domain}.`);
      return host;
    },
    hosts,
    receipts,
    close: async () => {
      await Promise.all([dns.close(), ...hosts.map((host) => host.close())]);
    },
  };
}

async function startHosts(
  behaviours: readonly MxBehaviour[],
  onReceipt: (receipt: MxReceipt) => void,
): Promise<MxHost[]> {
  for (let attempt = 1; ; attempt++) {
    const hosts: MxHost[] = [];
    // Determines the port, also when the first server of the plan is absent.
    const probe = await startMxHost(addressOf(0), 0);
    try {
      for (const [index, behaviour] of behaviours.entries()) {
        hosts.push(await startMxHost(addressOf(index + 1), probe.port, behaviour, onReceipt));
      }
      return hosts;
    } catch (error) {
      await Promise.all(hosts.map((host) => host.close()));
      if (attempt === PORT_ATTEMPTS) throw error;
    } finally {
      await probe.close();
    }
  }
}

/** 127.0.1.1, 127.0.1.2, …: on Linux, all of 127.0.0.0/8 is the machine itself. */
function addressOf(index: number): string {
  return `127.0.${1 + Math.floor(index / 250)}.${1 + (index % 250)}`;
}

function isList(servers: MxBehaviour | readonly MxBehaviour[]): servers is readonly MxBehaviour[] {
  return Array.isArray(servers);
}
