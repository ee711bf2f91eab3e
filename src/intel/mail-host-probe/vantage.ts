import { getDomain } from "tldts";
import type { AddressProbe, MailHostProbe } from "./mail-host-probe.ts";

/**
 * What this machine can see of mail servers.
 *
 * - `open`: it reaches some, and sees what they offer
 * - `closed`: it reaches none, however many it tries: port 25 is closed on the way out
 * - `masked`: STARTTLS is hidden from it, whoever is asked: a firewall on the way out does that
 * - `unknown`: too few were tried
 */
export type Vantage = "open" | "closed" | "masked" | "unknown";

/** That so many who have nothing to do with each other are all down is less likely than a closed port. */
const MIN_ORGANISATIONS = 3;

/** @param probes of the last day, of hosts of many domains */
export function vantageOf(probes: Iterable<MailHostProbe>): Vantage {
  const all = [...probes];
  const connected = all.filter(({ addresses }) => addresses.some(isConnected));
  const tried = all.filter(({ addresses }) => addresses.some(({ outcome }) => outcome !== "forbidden"));
  if (connected.length === 0) return organisations(tried) < MIN_ORGANISATIONS ? "unknown" : "closed";
  const answered = connected.filter(({ addresses }) =>
    addresses.some(({ outcome }) => outcome === "answered"),
  );
  const isMasked = answered.every(({ addresses }) =>
    addresses.every((one) => !isAnswered(one) || isHidden(one)),
  );
  return isMasked && organisations(answered) >= MIN_ORGANISATIONS ? "masked" : "open";
}

function organisations(probes: readonly MailHostProbe[]): number {
  return new Set(probes.map(({ name }) => getDomain(name) ?? name)).size;
}

function isConnected({ outcome }: AddressProbe): boolean {
  return outcome === "answered" || outcome === "turned_away" || outcome === "unheard";
}

function isAnswered(probe: AddressProbe): probe is AddressProbe & { readonly outcome: "answered" } {
  return probe.outcome === "answered";
}

function isHidden(probe: AddressProbe): boolean {
  return isAnswered(probe) && probe.startTls.kind === "not_offered" && probe.startTls.isMasked;
}
