import type { Key } from "../../../gen/hermod/access/v1/key_service_pb.ts";
import { isoTime } from "../output/time.ts";

/** A key as `--json` writes it. */
export function keyJson(key: Key) {
  return {
    id: key.id,
    account_id: key.accountId,
    name: key.name,
    kind: key.kind,
    prefix: key.prefix,
    scope_mode: key.scopeMode,
    scopes: key.scopes,
    senders: key.senders,
    allowed_addresses: key.allowedAddresses,
    created_at: isoTime(key.createdAt),
    last_used_at: isoTime(key.lastUsedAt),
    revoked_at: isoTime(key.revokedAt),
  };
}

/** The scope mode, with its list where it has one. */
export function describeScope({ scopeMode, scopes }: Key): string {
  return scopes.length === 0 ? scopeMode : `${scopeMode}: ${scopes.join(", ")}`;
}

export function isSmtpCredential({ kind }: Key): boolean {
  return kind === "smtp";
}
