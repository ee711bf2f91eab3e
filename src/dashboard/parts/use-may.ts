import { useSuspenseQuery } from "@tanstack/react-query";
import type { PermissionName } from "../../../contracts/common/permissions.ts";
import { sessionQuery } from "../api/session.ts";

/** Tells whether the user's role includes a permission, as the session says. */
export function useMay(): (permission: PermissionName) => boolean {
  const { data } = useSuspenseQuery(sessionQuery);
  return (permission) => data.permissions.includes(permission);
}
