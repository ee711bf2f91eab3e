/**
 * Account for mail that the installation itself sends. It has no document, no member and no key, so no account's
 * settings affect its mail. Only the operator changes its policies, domains and suppressions.
 */
export const SYSTEM_ACCOUNT = "system";
