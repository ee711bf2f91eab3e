import type { Survey } from "../dns/survey.ts";
import { misled } from "./evaluate-return-path.ts";
import type { ProbeTrackingHost } from "./probe-tracking-host.ts";
import { TRACKING_LABEL, type WantedRecord } from "./wanted-records.ts";
import { type Reading, type Weighed, weigh } from "./weigh.ts";

/**
 * Judges whether tracked links can use an alias of the installation: the alias is published, and the installation
 * answers there with a valid certificate.
 */
export async function evaluateTracking(
  survey: Survey,
  wanted: WantedRecord,
  { domain, probe }: { readonly domain: string; readonly probe: ProbeTrackingHost },
): Promise<Weighed> {
  const { name, value } = wanted;
  const observed = await survey.observe(name, "A");
  const weighed = weigh(observed, String, readAlias(wanted));
  const [target] = observed.aliases;
  if (target !== undefined && !observed.aliases.includes(value))
    return { ...weighed, outcome: "wrong", authoritative: true, problem: misled(target, wanted, domain) };
  if (weighed.outcome !== "right") return weighed;
  const found = await Promise.all([survey.lookUp(name, "A"), survey.lookUp(name, "AAAA")]);
  const addresses = found.flatMap((answer) => (answer.kind === "records" ? answer.records : []));
  const reason = await probe(name, addresses);
  if (reason === undefined) return weighed;
  const problem = `The alias is correct, but tracked links cannot use it yet: ${reason}.`;
  return { ...weighed, outcome: "wrong", problem };
}

function readAlias({ name, value }: WantedRecord) {
  return (addresses: readonly string[], { alias }: { readonly alias: string | undefined }): Reading => {
    if (alias === value) return { outcome: "right" };
    if (addresses.length > 0) {
      const problem = `${name} has its own addresses. Replace them with the alias (CNAME).`;
      return { outcome: "wrong", problem };
    }
    const problem = `The name ${name} has no alias (CNAME). Most providers expect ${TRACKING_LABEL} as the name. The alias is required only for tracked links under the domain's own name.`;
    return { outcome: "missing", problem };
  };
}
