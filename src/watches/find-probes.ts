import { controlHosts, isOneSided, isReachedByIpv6 } from "../intel/mail-host-probe/families.ts";
import type { FindProbes } from "../intel/mail-host-probe/found-probes.ts";
import type { MailHostProbe } from "../intel/mail-host-probe/mail-host-probe.ts";
import type { ProbedHost, ProbeMailHost } from "../intel/mail-host-probe/probe-mail-host.ts";
import { type Vantage, vantageOf } from "../intel/mail-host-probe/vantage.ts";
import type { Clock } from "../shared/clock.ts";
import type { Store } from "../store/store.ts";

export interface FindProbesOptions {
  readonly mailHosts: Store["mailHosts"];
  readonly probeMailHost: ProbeMailHost;
  readonly clock: Pick<Clock, "now">;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Minimum time between two probes of a host, also for on-demand checks. */
const MIN_AGE_MS = 5 * MINUTE_MS;
const VANTAGE_MS = 5 * MINUTE_MS;
/** Maximum number of probes per check of a domain. The other hosts are probed in its next check. */
const MAX_PROBES = 10;
/** Number of hosts that are probed to find out whether IPv6 works on this machine. */
const MAX_CONTROLS = 2;

/** Probes a host once a day for all domains that name it. The hosts of one domain are probed one after the other. */
export function createFindProbes({ mailHosts, probeMailHost, clock }: FindProbesOptions): FindProbes {
  const underWay = new Map<string, Promise<MailHostProbe>>();
  let seen: { readonly vantage: Vantage; readonly at: Date } | undefined;
  let control: { readonly reaches: Promise<boolean>; readonly at: Date } | undefined;

  async function probe(host: ProbedHost): Promise<MailHostProbe> {
    try {
      const probe = await probeMailHost(host);
      await mailHosts.keep(probe, new Date(probe.at.getTime() + 2 * DAY_MS));
      return probe;
    } finally {
      underWay.delete(host.name);
    }
  }

  function probeOnce(host: ProbedHost): Promise<MailHostProbe> {
    const probing = underWay.get(host.name) ?? probe(host);
    underWay.set(host.name, probing);
    return probing;
  }

  /**
   * Probes hosts again that were reached over IPv6 earlier, because the IPv6 connection of this machine may have failed since.
   */
  async function tryControls(now: Date): Promise<boolean> {
    const recent = await mailHosts.recent(new Date(now.getTime() - DAY_MS));
    const isLate = ({ at }: MailHostProbe) => now.getTime() - at.getTime() < MIN_AGE_MS;
    if (recent.some((probe) => isLate(probe) && isReachedByIpv6(probe))) return true;
    for (const host of controlHosts(recent, MAX_CONTROLS))
      if (isReachedByIpv6(await probeOnce(host))) return true;
    return false;
  }

  function reachesIpv6(): Promise<boolean> {
    const now = clock.now();
    if (control && now.getTime() - control.at.getTime() < VANTAGE_MS) return control.reaches;
    const reaches = tryControls(now);
    control = { reaches, at: now };
    // After a store error the next call tries again.
    reaches.catch(() => {
      control = undefined;
    });
    return reaches;
  }

  async function vantage(): Promise<Vantage> {
    const now = clock.now();
    if (seen && now.getTime() - seen.at.getTime() < VANTAGE_MS && seen.vantage !== "unknown")
      return seen.vantage;
    const recent = await mailHosts.recent(new Date(now.getTime() - DAY_MS));
    seen = { vantage: vantageOf(recent), at: now };
    return seen.vantage;
  }

  return async (mail, isFresh) => {
    const hosts = "hosts" in mail ? mail.hosts.filter(({ problem, failure }) => !problem && !failure) : [];
    if (hosts.length === 0) return { probes: new Map(), vantage: await vantage(), reachesIpv6: false };
    const since = new Date(clock.now().getTime() - (isFresh ? MIN_AGE_MS : DAY_MS));
    const probes = new Map(
      await mailHosts.find(
        hosts.map(({ name }) => name),
        since,
      ),
    );
    for (const host of hosts.filter(({ name }) => !probes.has(name)).slice(0, MAX_PROBES))
      probes.set(host.name, await probeOnce(host));
    const isAsked = [...probes.values()].some(isOneSided);
    return { probes, vantage: await vantage(), reachesIpv6: isAsked && (await reachesIpv6()) };
  };
}
