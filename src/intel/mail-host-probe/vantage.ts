import { getDomain } from "tldts";
import type { AddressProbe, MailHostProbe } from "./mail-host-probe.ts";

/**
 * Visibility of mail servers from this machine.
 *
 * - `open`: it reaches some servers and sees their extensions
 * - `closed`: it reaches none of several: outbound port 25 is blocked
 * - `masked`: STARTTLS is hidden at every server: an outbound firewall does that
 * - `unknown`: too few servers were probed
 */
export type Vantage = "open" | "closed" | "masked" | "unknown";

/** It is less likely that this many independent organizations are down than that the port is blocked. */
const MIN_ORGANISATIONS = 3;

/** @param probes of the last day, for hosts of many domains */
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
