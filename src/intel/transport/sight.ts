import type { AddressProbe, MailHostProbe, StartTls } from "../mail-host-probe/mail-host-probe.ts";
import type { Vantage } from "../mail-host-probe/vantage.ts";
import type { MailHost } from "../mx/find-mail-hosts.ts";

/** A mail server of a domain at one of its addresses, or the reason why its state is unknown. */
export type Sight = {
  readonly host: string;
  /** The host, with its address if it was probed. */
  readonly label: string;
} & (
  | { readonly startTls: StartTls }
  | { readonly unseen: { readonly status: "error" | "not_tested"; readonly reason: string } }
);

export interface SightFacts {
  readonly hosts: readonly MailHost[];
  /** Probes by host name. */
  readonly probes: ReadonlyMap<string, MailHostProbe>;
  readonly vantage: Vantage;
}

const BLIND: Partial<Record<Vantage, string>> = {
  closed: "Hermod's network blocks outbound connections to port 25, so no mail server can be reached.",
  masked: "A firewall in Hermod's own network hides STARTTLS at every mail server.",
};

/** Observations of the servers. Hosts that cannot receive mail are left out: `infra.mx.resolves` reports them. */
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
    if (failure !== undefined) return unseen("error", `The lookup of its addresses failed: ${failure}.`);
    if (!probe) return unseen("not_tested", "It has not been checked yet.");
    const reasons = probe.addresses.flatMap((one) =>
      "reason" in one ? [`${one.address}: ${one.reason}`] : [],
    );
    if (probe.addresses.every(({ outcome }) => outcome === "forbidden"))
      return unseen("not_tested", `Hermod connects to none of its addresses. ${reasons.join("; ")}`.trim());
    return unseen("error", `It did not answer as a mail server: ${reasons.join("; ")}.`);
  });
}

/** Whether mail may be sent to a host, according to the available data. */
export function takesMail({ problem, failure, ipv4, ipv6 }: MailHost): boolean {
  return problem === undefined && (failure !== undefined || ipv4.length + ipv6.length > 0);
}

function sightAt(host: string, one: AddressProbe): Sight[] {
  if (one.outcome !== "answered") return [];
  return [{ host, label: `${host} (${one.address})`, startTls: one.startTls }];
}
