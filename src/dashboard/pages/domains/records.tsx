import { Select } from "@mantine/core";
import { useState } from "react";
import type { DomainRecord } from "../../api/domains.ts";
import { t } from "../../texts/texts.ts";
import { dnsHosts, hostOf, likelyZone, recordAt, zonesOf } from "./dns-hosts.ts";
import { RecordCard } from "./record-card.tsx";

interface RecordsProps {
  readonly domain: string;
  /** Empty if not known. */
  readonly provider: string;
  readonly records: readonly DomainRecord[];
}

/** The records to publish, in the format of the DNS provider's form. */
export function Records({ domain, provider, records }: RecordsProps) {
  const [picked, setHost] = useState<string>();
  const [zone, setZone] = useState(likelyZone(domain));
  const name = picked ?? hostOf(provider);
  const host = dnsHosts[name] ?? { isRelative: false };
  const zones = zonesOf(domain);
  return (
    <section className="stack" aria-labelledby="records">
      <div>
        <h2 id="records">{t.domains.publish}</h2>
        <p className="muted tight">{provider ? t.domains.publishAt(provider) : t.domains.publishAnywhere}</p>
      </div>
      <div className="row top-aligned no-print">
        <Select
          label={t.domains.host}
          data={Object.keys(dnsHosts).map((value) => ({ value, label: t.domains.hosts[value] ?? value }))}
          value={name}
          allowDeselect={false}
          onChange={(value) => value && setHost(value)}
          w={200}
        />
        {host.isRelative && zones.length > 1 && (
          <Select
            label={t.domains.zone}
            data={zones}
            value={zone}
            allowDeselect={false}
            onChange={(value) => value && setZone(value)}
            w={240}
          />
        )}
      </div>
      <p className="muted tight">{t.domains.hostHelp[name]}</p>
      {records.map((record) => (
        <RecordCard key={record.key} record={record} shown={recordAt(host, zone, record)} />
      ))}
    </section>
  );
}
