import type { IntelReport } from "../../../contracts/common/intel-report-schemas.ts";
import type { ReportInputs, SendingFigures } from "./report-inputs.ts";
import { ratioOf } from "./rounded.ts";

type SendingEntry = NonNullable<IntelReport["sending"]>[number];
type Figures = Omit<SendingFigures, "domainId" | "provider">;

/** The total, then by provider, then by domain and provider, the largest volumes first. Empty: no mail was sent. */
export function sendingEntries({
  sending,
  domains,
}: Pick<ReportInputs, "sending" | "domains">): SendingEntry[] {
  const names = new Map(domains.map(({ id, name }) => [id, name]));
  const known = sending.filter(({ domainId, sent }) => names.has(domainId) && sent > 0);
  if (known.length === 0) return [];
  const total = entryOf({ domain_id: null, domain: null, provider: null }, sumOf(known));
  const byProvider = grouped(known, ({ provider }) => provider).map((group) =>
    entryOf({ domain_id: null, domain: null, provider: group[0].provider }, sumOf(group)),
  );
  const byDomain = grouped(known, ({ domainId, provider }) => `${domainId} ${provider}`).map((group) => {
    const [{ domainId, provider }] = group;
    return entryOf({ domain_id: domainId, domain: names.get(domainId) ?? null, provider }, sumOf(group));
  });
  return [total, ...byProvider.sort(byVolume), ...byDomain.sort(byVolume)];
}

function entryOf(
  owner: Pick<SendingEntry, "domain_id" | "domain" | "provider">,
  { sent, delivered, bounced, complained, complaintsOf }: Figures,
): SendingEntry {
  return {
    ...owner,
    sent,
    delivered: ratioOf(delivered, sent),
    bounced: ratioOf(bounced, sent),
    complained: ratioOf(complained, complaintsOf),
  };
}

function sumOf(figures: readonly Figures[]): Figures {
  const sum = (read: (one: Figures) => number) => figures.reduce((before, one) => before + read(one), 0);
  return {
    sent: sum(({ sent }) => sent),
    delivered: sum(({ delivered }) => delivered),
    bounced: sum(({ bounced }) => bounced),
    complained: sum(({ complained }) => complained),
    complaintsOf: sum(({ complaintsOf }) => complaintsOf),
  };
}

/** Every group has at least one entry. */
function grouped<Entry>(entries: readonly Entry[], keyOf: (entry: Entry) => string): [Entry, ...Entry[]][] {
  const groups = new Map<string, [Entry, ...Entry[]]>();
  for (const entry of entries) {
    const group = groups.get(keyOf(entry));
    if (group) group.push(entry);
    else groups.set(keyOf(entry), [entry]);
  }
  return [...groups.values()];
}

function byVolume(one: SendingEntry, other: SendingEntry): number {
  const key = ({ domain, provider }: SendingEntry) => `${domain} ${provider}`;
  return other.sent - one.sent || (key(one) < key(other) ? -1 : 1);
}
