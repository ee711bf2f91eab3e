import type { AppRoute } from "@ts-rest/core";

/** Kind and scope of key that an operation requires: the `permission` in the metadata of its route. */
export interface Permission {
  readonly key: "account" | "deliverability";
  /** Scope of a key, as `resource.verb`. */
  readonly scope: string;
}

/** @throws Error for a route without a permission, so that no route is public by mistake */
export function permissionOf({ path, metadata }: Pick<AppRoute, "path" | "metadata">): Permission {
  const { permission } = (metadata ?? {}) as { readonly permission?: Permission };
  if (!permission) throw new Error(`contracts: ${path} names no permission`);
  return permission;
}

/** True for an operation that is an extension of the published integration interface. */
export function isBeyondInterface({ metadata }: Pick<AppRoute, "metadata">): boolean {
  return (metadata as { readonly beyondInterface?: boolean } | undefined)?.beyondInterface === true;
}
