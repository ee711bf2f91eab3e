import type { Evidence } from "../check-result.ts";

/**
 * What the registry says of a domain.
 *
 * - `registered`: it is; `expiresAt` undefined: the registry does not say until when
 * - `not_found`: the registry's server does not know it
 * - `no_server`: there is nobody to ask, for this reason
 * - `failed`: nothing is known, for this reason
 */
export type RdapResult = { readonly evidence: readonly Evidence[] } & (
  | {
      readonly kind: "registered";
      /** The name that is registered, in A-labels. */
      readonly registrable: string;
      readonly expiresAt: Date | undefined;
      /** Empty: it is on its way to no end. */
      readonly endings: readonly RegistryEnding[];
    }
  | { readonly kind: "not_found"; readonly registrable: string; readonly server: string }
  | { readonly kind: "no_server"; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string }
);

/** States in which a registration that was not renewed is on its way to its end (RFC 3915 section 3.1). */
export const registryEndings = ["redemption period", "pending delete"] as const;
export type RegistryEnding = (typeof registryEndings)[number];
