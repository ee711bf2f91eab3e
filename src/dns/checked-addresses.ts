import { isIP, isIPv6 } from "node:net";
import type { RefuseDestination } from "../shared/destination-address.ts";
import type { CheckedAddress } from "../shared/get-https.ts";
import { type Phrase, PhraseError, phrase } from "../shared/phrase.ts";
import type { HostsFile } from "./hosts-file.ts";
import type { Resolver } from "./resolver.ts";

export interface CheckedAddressesOptions {
  readonly resolver: Pick<Resolver, "resolve">;
  readonly refuse: RefuseDestination;
  /** True if IPv6 addresses are used. */
  readonly ipv6: boolean;
  /** Used when the DNS has no address. Missing: foreign names do not reveal the operator's hosts file. */
  readonly hostsFile?: HostsFile | undefined;
}

const MAX_ADDRESSES = 8;

/** Reason why a host cannot be connected to. */
export class NoAddressError extends PhraseError {
  override readonly name = "NoAddressError";
  /**
   * True if the result is the same for all callers. False: the DNS did not answer, or the address belongs to this machine, and
   * others can reach it.
   */
  readonly isKnown: boolean;

  constructor(reason: Phrase, { isKnown }: Pick<NoAddressError, "isKnown">) {
    super(reason);
    this.isKnown = isKnown;
  }
}

/**
 * Returns the first few addresses of a foreign host to which a connection is permitted. The caller must connect to these and
 * not resolve the name again, because the name may then have another address.
 * @param host a name, or an address, which is not resolved
 * @throws NoAddressError
 */
export async function checkedAddresses(
  host: string,
  { resolver, refuse, ipv6, hostsFile }: CheckedAddressesOptions,
): Promise<CheckedAddress[]> {
  if (isIP(host) !== 0) {
    const refusal = refuse(host);
    if (refusal !== undefined)
      throw new NoAddressError(phrase("host.forbidden", { host }), { isKnown: refusal !== "own" });
    return [{ address: host, family: isIPv6(host) ? 6 : 4 }];
  }
  const [v6, v4] = await Promise.all([
    ipv6 ? resolver.resolve(host, "AAAA") : undefined,
    resolver.resolve(host, "A"),
  ]);
  const records = [v6, v4].flatMap((answer) => (answer?.kind === "records" ? answer.records : []));
  const addresses = records.length > 0 ? records : ((await hostsFile?.(host)) ?? []);
  const found = addresses
    .map((address): CheckedAddress => ({ address, family: isIPv6(address) ? 6 : 4 }))
    .filter(({ family }) => family === 4 || ipv6);
  const usable = found.filter(({ address }) => refuse(address) === undefined);
  if (usable.length > 0) return usable.slice(0, MAX_ADDRESSES);
  if (found.length > 0) {
    const isKnown = found.every(({ address }) => refuse(address) !== "own");
    throw new NoAddressError(phrase("host.no_permitted_address", { host }), { isKnown });
  }
  for (const answer of [v4, v6])
    if (answer?.kind === "failed") {
      const failure = phrase("dns.failure", { detail: answer.reason, cause: answer.code });
      throw new NoAddressError(failure, { isKnown: false });
    }
  throw new NoAddressError(phrase("host.no_address", { host }), { isKnown: true });
}
