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
      return wanted === "email.send";
    case "alerts_only":
      return wanted === "alerts.ingest";
    case "restricted":
      return scopes.includes(wanted) || scopes.includes(`${wanted.split(".")[0]}.*`);
  }
}
