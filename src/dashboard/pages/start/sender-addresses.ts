import { useInfiniteQuery } from "@tanstack/react-query";
import { domainsQuery } from "../../api/domains.ts";
import { rowsOf } from "../../api/pages.ts";
import { sendersQuery } from "../../api/senders.ts";
import { useMay } from "../../parts/use-may.ts";

/** Addresses that the account may send from: verified senders, then one of each verified domain. */
export function useSenderAddresses(): { readonly addresses: readonly string[]; readonly isLoading: boolean } {
  const may = useMay();
  const senders = useInfiniteQuery({ ...sendersQuery, enabled: may("senders.read") });
  const domains = useInfiniteQuery({ ...domainsQuery, enabled: may("domains.read") });
  const ofSenders = rowsOf(senders.data)
    .filter(({ verified_at }) => verified_at !== undefined)
    .map(({ kind, value }) => (kind === "domain" ? addressAt(value) : value));
  const ofDomains = rowsOf(domains.data)
    .filter(({ status }) => status === "verified")
    .map(({ name }) => addressAt(name));
  return { addresses: [...new Set([...ofSenders, ...ofDomains])], isLoading: senders.isLoading };
}

const addressAt = (domain: string) => `hello@${domain}`;
