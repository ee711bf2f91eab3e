import type { AddressProbe, MailHostProbe, StartTls } from "../mail-host-probe/mail-host-probe.ts";
import type { Vantage } from "../mail-host-probe/vantage.ts";
import type { MailHost } from "../mx/find-mail-hosts.ts";

/** A mail server of a domain, at one of its addresses; or why nothing is known of it. */
export type Sight = {
  readonly host: string;
  /** The host, and the address if it was seen at one. */
  readonly label: string;
} & (
  | { readonly startTls: StartTls }
  | { readonly unseen: { readonly status: "error" | "not_tested"; readonly reason: string } }
);

export interface SightFacts {
  readonly hosts: readonly MailHost[];
  /** By the host's name. */
  readonly probes: ReadonlyMap<string, MailHostProbe>;
  readonly vantage: Vantage;
}

const BLIND: Partial<Record<Vantage, string>> = {
  closed:
    "No mail server can be reached from Hermod's network, whoever runs it: it lets no connections out to port 25.",
  masked:
    "STARTTLS is hidden from Hermod whichever mail server it asks: a firewall of its own network takes it out.",
};

/** What was seen of the servers. Hosts that mail cannot be sent to are left out: `infra.mx.resolves` tells of them. */
export function sightsOf({ hosts, probes, vantage }: SightFacts): Sight[] {
  const blind = BLIND[vantage];
  return hosts.flatMap((host): Sight[] => {
    const { name, failure } = host;
    const unseen = (status: "error" | "not_tested", reason: string): Sight[] => [
      { host: name, label: name, unseen: { status, reason } },
    ];
    if (!takesMail(host)) return [];
    if (blind !== undefined) return unseen("not_tested", blind);
    const probe = probes.get(name);
    const seen = probe?.addresses.flatMap((one) => sightAt(name, one)) ?? [];
    if (seen.length > 0) return seen;
    if (failure !== undefined) return unseen("error", `Its addresses could not be looked up: ${failure}.`);
    if (!probe) return unseen("not_tested", "It has not been looked at yet.");
    const reasons = probe.addresses.flatMap((one) =>
      "reason" in one ? [`${one.address}: ${one.reason}`] : [],
    );
    if (probe.addresses.every(({ outcome }) => outcome === "forbidden"))
      return unseen("not_tested", `It has no address that Hermod connects to. ${reasons.join("; ")}`.trim());
    return unseen("error", `It did not answer as a mail server: ${reasons.join("; ")}.`);
  });
}

/** Whether mail may be sent to a host, as far as is known. */
export function takesMail({ problem, failure, ipv4, ipv6 }: MailHost): boolean {
  return problem === undefined && (failure !== undefined || ipv4.length + ipv6.length > 0);
}

function sightAt(host: string, one: AddressProbe): Sight[] {
  if (one.outcome !== "answered") return [];
  return [{ host, label: `${host} (${one.address})`, startTls: one.startTls }];
}
