import { useSuspenseQuery } from "@tanstack/react-query";
import type { PermissionName } from "../../../contracts/common/permissions.ts";
import { sessionQuery } from "../api/session.ts";

/** Whether the user's role includes a permission, according to the session. */
export function useMay(): (permission: PermissionName) => boolean {
  const { data } = useSuspenseQuery(sessionQuery);
  return (permission) => data.permissions.includes(permission);
}
