import { type keyScopes, scopesOfKind } from "../../../contracts/common/permissions.ts";
import type { KeyDocument, KeyKind, ScopeMode } from "../../store/documents.ts";

export type Scope = (typeof keyScopes)[number];

/** Scopes that a new key of this kind can have: single scopes, and `resource.*` for all scopes of a resource. */
export function grantableScopes(kind: KeyKind): readonly string[] {
  const scopes = scopesOfKind[kind];
  return [...scopes, ...new Set(scopes.map((scope) => `${scope.split(".")[0]}.*`))];
}

/** Modes in which a new key of this kind permits an operation. */
export const grantableModes: Readonly<Record<KeyKind, readonly ScopeMode[]>> = {
  account: ["full", "send_only", "alerts_only", "restricted"],
  deliverability: ["full", "restricted"],
  smtp: ["full", "send_only", "restricted"],
};

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
 * True if the key sees only messages that it has sent itself. This applies to keys for one program among others:
 * send-only keys, and keys that are bound to senders.
 */
export function readsOwnOnly({ scopeMode, senders }: Pick<KeyDocument, "scopeMode" | "senders">): boolean {
  return scopeMode === "send_only" || senders.length > 0;
}
