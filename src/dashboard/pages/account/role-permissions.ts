import { type PermissionName, permissions } from "../../../../contracts/common/permissions.ts";

/** Roles from the most permissions to the fewest. */
export const roleNames = ["owner", "admin", "developer", "support", "viewer"] as const;
export type RoleName = (typeof roleNames)[number];

const all = Object.keys(permissions) as PermissionName[];
const ofOwners: readonly PermissionName[] = ["account.delete", "account.export"];
const ofAdmins: readonly PermissionName[] = [
  "account.write",
  "members.write",
  "recipients.erase",
  "audit.read",
  ...ofOwners,
];
const ofSupport: readonly PermissionName[] = [
  "messages.write",
  "suppressions.write",
  "jobs.write",
  "incidents.write",
];
const isOfViewer = (permission: PermissionName) =>
  permission.endsWith(".read") && !ofAdmins.includes(permission);

/**
 * Permissions by role, to explain roles. The server alone decides what a member may do, and the session lists it. A test compares
 * this table with that of the server.
 */
export const permissionsOf: Readonly<Record<RoleName, readonly PermissionName[]>> = {
  owner: all,
  admin: all.filter((permission) => !ofOwners.includes(permission)),
  developer: all.filter((permission) => !ofAdmins.includes(permission)),
  support: all.filter((permission) => isOfViewer(permission) || ofSupport.includes(permission)),
  viewer: all.filter(isOfViewer),
};

/** Whether a member with these permissions may give or take a role. The server decides about roles that the page does not know. */
export function isWithin(role: string, own: readonly string[]): boolean {
  const known = roleNames.find((name) => name === role);
  return known === undefined || permissionsOf[known].every((permission) => own.includes(permission));
}
