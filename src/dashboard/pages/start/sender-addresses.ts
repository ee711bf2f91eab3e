import { useInfiniteQuery } from "@tanstack/react-query";
import { domainsBy } from "../../api/domains.ts";
import { rowsOf } from "../../api/pages.ts";
import { sendersBy } from "../../api/senders.ts";
import { useMay } from "../../parts/use-may.ts";

/** Addresses from which the account can send: verified senders, then one address of each verified domain. */
export function useSenderAddresses(): { readonly addresses: readonly string[]; readonly isLoading: boolean } {
  const may = useMay();
  const senders = useInfiniteQuery({ ...sendersBy({ state: "verified" }), enabled: may("senders.read") });
  const domains = useInfiniteQuery({ ...domainsBy({ status: "verified" }), enabled: may("domains.read") });
  const ofSenders = rowsOf(senders.data).map(({ kind, value }) =>
    kind === "domain" ? addressAt(value) : value,
  );
  const ofDomains = rowsOf(domains.data).map(({ name }) => addressAt(name));
  const isLoading = senders.isLoading || domains.isLoading;
  return { addresses: [...new Set([...ofSenders, ...ofDomains])], isLoading };
}

const addressAt = (domain: string) => `hello@${domain}`;
