import { keyScopes } from "../../../contracts/common/permissions.ts";
import type { KeyDocument } from "../../store/documents.ts";

export type Scope = (typeof keyScopes)[number];

/** True for a known scope and for `resource.*` of a known resource. */
export function isScope(text: string): boolean {
  return keyScopes.some((scope) => scope === text || `${scope.split(".")[0]}.*` === text);
}

export function allows(
  { scopeMode, scopes }: Pick<KeyDocument, "scopeMode" | "scopes">,
  wanted: Scope,
): boolean {
  switch (scopeMode) {
    case "full":
      return true;
    case "send_only":
      return wanted === "email.send" || wanted === "email.read";
    case "alerts_only":
      return wanted === "alerts.ingest";
    case "restricted":
      return scopes.includes(wanted) || scopes.includes(`${wanted.split(".")[0]}.*`);
  }
}

/**
 * True: of the account's messages those are there for the key that it has sent itself, and no others. So it is of keys that are
 * made for one program among others: that send alone, or as some senders alone.
 */
export function readsOwnOnly({ scopeMode, senders }: Pick<KeyDocument, "scopeMode" | "senders">): boolean {
  return scopeMode === "send_only" || senders.length > 0;
}
