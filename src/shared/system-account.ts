/**
 * Account of mail that the installation itself sends. It has no document, no member and no key, so no account's setting
 * reaches its mail: its policies, domains and suppressions are changed by the operator alone.
 */
export const SYSTEM_ACCOUNT = "system";
