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

/** Names of the roles, most powerful first. */
export const roleNames = Object.keys(roles) as MemberRole[];

/** Purpose of each role, for pages. */
export const roleDescriptions: Readonly<Record<MemberRole, string>> = {
  owner: "Does everything. An account always has an owner.",
  admin: "Does everything except deleting the account and exporting all of its data.",
  developer: "Manages the integration: keys, senders, domains, policies, templates, webhooks and mail.",
  support:
    "Reads everything except bodies and the audit log, and helps recipients: cancels and resends messages, changes suppressions, acknowledges incidents.",
  viewer: "Reads everything except bodies and the audit log.",
};

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
