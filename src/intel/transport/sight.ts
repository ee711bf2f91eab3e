import { type Phrase, phrase, phrases } from "../../shared/phrase.ts";
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
  | { readonly unseen: { readonly status: "error" | "not_tested"; readonly reason: Phrase } }
);

export interface SightFacts {
  readonly hosts: readonly MailHost[];
  /** Probes by host name. */
  readonly probes: ReadonlyMap<string, MailHostProbe>;
  readonly vantage: Vantage;
}

const BLIND: Partial<Record<Vantage, Phrase>> = {
  closed: phrase("transport.closed"),
  masked: phrase("transport.masked"),
};

/** Observations of the servers. Hosts that cannot receive mail are left out: `infra.mx.resolves` reports them. */
export function sightsOf({ hosts, probes, vantage }: SightFacts): Sight[] {
  const blind = BLIND[vantage];
  return hosts.flatMap((host): Sight[] => {
    const { name, failure } = host;
    const unseen = (status: "error" | "not_tested", reason: Phrase): Sight[] => [
      { host: name, label: name, unseen: { status, reason } },
    ];
    if (!takesMail(host)) return [];
    if (blind !== undefined) return unseen("not_tested", blind);
    const probe = probes.get(name);
    const seen = probe?.addresses.flatMap((one) => sightAt(name, one)) ?? [];
    if (seen.length > 0) return seen;
    if (failure !== undefined)
      return unseen("error", phrase("mail_server.addresses_unknown", { reason: failure }));
    if (!probe) return unseen("not_tested", phrase("mail_server.not_checked"));
    const reasons = reasonsOf(probe.addresses);
    if (probe.addresses.every(({ outcome }) => outcome === "forbidden"))
      return unseen("not_tested", phrases(phrase("mail_server.forbidden"), reasons));
    return unseen("error", phrases(phrase("mail_server.no_answer"), reasons));
  });
}

function reasonsOf(addresses: readonly AddressProbe[]): Phrase {
  const failed = addresses.flatMap((one) =>
    "reason" in one ? [{ address: one.address, reason: one.reason }] : [],
  );
  return phrases(
    ...failed.slice(0, -1).map((one) => phrase("mail_server.failed", one)),
    ...failed.slice(-1).map((one) => phrase("mail_server.last_failed", one)),
  );
}

/** Whether mail may be sent to a host, according to the available data. */
export function takesMail({ problem, failure, ipv4, ipv6 }: MailHost): boolean {
  return problem === undefined && (failure !== undefined || ipv4.length + ipv6.length > 0);
}

function sightAt(host: string, one: AddressProbe): Sight[] {
  if (one.outcome !== "answered") return [];
  return [{ host, label: `${host} (${one.address})`, startTls: one.startTls }];
}
