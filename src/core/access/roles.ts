import { type PermissionName, permissions } from "../../../contracts/common/permissions.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { MemberRole } from "../../store/documents.ts";

const all = Object.keys(permissions) as PermissionName[];
const ofOwners: readonly string[] = ["account.delete", "account.export"] satisfies PermissionName[];
const reading = all.filter((permission) => permission.endsWith(".read"));

/**
 * Permissions of an account's members by role. Each of the first three roles includes all permissions of the next
 * one.
 *
 * - `owner`: everything; an account always has one
 * - `admin`: everything except deleting the account and exporting all of it
 * - `developer`: everything for integration: keys, senders, domains, policies, templates, webhooks, mail
 * - `support`: reads everything except bodies, and helps recipients: cancels, resends, changes suppressions
 * - `viewer`: reads everything except bodies and the audit log
 */
export const roles = {
  owner: new Set(all),
  admin: new Set(all.filter((permission) => !ofOwners.includes(permission))),
  developer: new Set(
    all.filter(
      (permission) =>
        ![...ofOwners, "account.write", "members.write", "recipients.erase", "audit.read"].includes(
          permission,
        ),
    ),
  ),
  support: new Set<PermissionName>([
    ...viewing(),
    ...(["messages.write", "suppressions.write", "jobs.write", "incidents.write"] as const),
  ]),
  viewer: new Set<PermissionName>(viewing()),
} satisfies Record<MemberRole, ReadonlySet<PermissionName>>;

const roleNames = Object.keys(roles) as MemberRole[];

/** @throws Fault request.validation_failed */
export function readRole(given: string): MemberRole {
  const role = roleNames.find((name) => name === given);
  if (role) return role;
  const message = say("none_of", { given, allowed: roleNames });
  throw validationFault([{ pointer: "/role", code: "field.invalid", message }]);
}

function viewing(): PermissionName[] {
  return reading.filter((permission) => permission !== "audit.read");
}
