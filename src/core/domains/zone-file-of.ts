import { type SendingSetup, type WantedRecord, wantedRecords } from "../../domains/wanted-records.ts";
import { zoneFile } from "../../domains/zone-file.ts";
import type { FoundDomain } from "./domain-needs.ts";

/**
 * Writes the records that an owner publishes as a zone file, with values that take the existing records into account.
 */
export function zoneFileOf(
  { domain, keys }: Pick<FoundDomain, "domain" | "keys">,
  setup: SendingSetup,
  now: Date,
): string {
  const records = wantedRecords(domain, keys, setup, now)
    .map((record) => {
      const evidence = domain.records.find(({ key }) => key === record.key);
      return {
        ...record,
        value: evidence?.suggestion ?? record.value,
        comment: purposes[record.purpose],
        evidence,
      };
    })
    // An SPF or DMARC record that is already right would otherwise be listed twice.
    .filter(({ purpose, value, byOwner, evidence }) => {
      const isShared = purpose === "spf" || purpose === "dmarc";
      return byOwner && value !== "" && !(isShared && evidence?.outcome === "right");
    });
  return zoneFile(domain.name, records);
}

const purposes: Record<WantedRecord["purpose"], string> = {
  ownership: "proves the ownership of the domain",
  dkim: "the key that checks signatures (DKIM)",
  return_path: "destination of bounces",
  tracking: "host of tracked links, instead of the host of the installation",
  spf: "allowed senders (SPF): replaces the existing SPF record, if there is one",
  dmarc: "handling of forged mail by receivers (DMARC): replaces the existing DMARC record, if there is one",
};
