import type { Survey } from "../dns/survey.ts";
import { phrase } from "../shared/phrase.ts";
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
  const problem = await probe(name, addresses);
  return problem === undefined ? weighed : { ...weighed, outcome: "wrong", problem };
}

function readAlias({ name, value }: WantedRecord) {
  return (addresses: readonly string[], { alias }: { readonly alias: string | undefined }): Reading => {
    if (alias === value) return { outcome: "right" };
    if (addresses.length > 0)
      return { outcome: "wrong", problem: phrase("tracking_alias.own_addresses", { name }) };
    return { outcome: "missing", problem: phrase("tracking_alias.missing", { name, label: TRACKING_LABEL }) };
  };
}
