import type { KeyDocument } from "../../store/documents.ts";

/** What a key can be allowed to do, as `resource.verb`. */
export const knownScopes = [
  "email.send",
  "alerts.ingest",
  "messages.read",
  "senders.read",
  "senders.write",
  "templates.read",
  "templates.write",
  "webhooks.read",
  "webhooks.write",
  "suppressions.read",
  "suppressions.write",
] as const;

export type Scope = (typeof knownScopes)[number];

/** True for a known scope and for `resource.*` of a known resource. */
export function isScope(text: string): boolean {
  return knownScopes.some((scope) => scope === text || `${scope.split(".")[0]}.*` === text);
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
