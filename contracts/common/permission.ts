import type { AppRoute } from "@ts-rest/core";

/** What a key must be to call an operation: the `permission` in the metadata of its route. */
export interface Permission {
  readonly key: "account" | "deliverability";
  /** `resource.verb`, of those that a key can have. */
  readonly scope: string;
}

/** @throws Error for a route that names none: nothing is open to everybody by oversight. */
export function permissionOf({ path, metadata }: Pick<AppRoute, "path" | "metadata">): Permission {
  const { permission } = (metadata ?? {}) as { readonly permission?: Permission };
  if (!permission) throw new Error(`contracts: ${path} names no permission`);
  return permission;
}

/** True for an operation that is no part of the published integration interface, which Hermod has all the same. */
export function isBeyondInterface({ metadata }: Pick<AppRoute, "metadata">): boolean {
  return (metadata as { readonly beyondInterface?: boolean } | undefined)?.beyondInterface === true;
}
