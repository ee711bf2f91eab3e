import type { Evidence } from "../check-result.ts";

/**
 * Answer of the registry about a domain.
 *
 * - `registered`: the domain is registered; `expiresAt` undefined: the registry does not state the end
 * - `not_found`: the registry's server does not know the domain
 * - `no_server`: no server can be queried, for this reason
 * - `failed`: the query failed, for this reason
 */
export type RdapResult = { readonly evidence: readonly Evidence[] } & (
  | {
      readonly kind: "registered";
      /** The registered name, in A-labels. */
      readonly registrable: string;
      readonly expiresAt: Date | undefined;
      /** Empty: the registration is not ending. */
      readonly endings: readonly RegistryEnding[];
    }
  | { readonly kind: "not_found"; readonly registrable: string; readonly server: string }
  | { readonly kind: "no_server"; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string }
);

/** States of a registration that ends because it was not renewed (RFC 3915 section 3.1). */
export const registryEndings = ["redemption period", "pending delete"] as const;
export type RegistryEnding = (typeof registryEndings)[number];
