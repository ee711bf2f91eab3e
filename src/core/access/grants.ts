import { keyScopes } from "../../../contracts/common/permissions.ts";
import type { Principal } from "../../rpc/caller-identity.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { KeyDocument, MemberRole } from "../../store/documents.ts";
import { roles } from "./roles.ts";
import { allows } from "./scopes.ts";

/**
 * A caller cannot grant more than it holds, in roles or in keys. The operator holds everything: its calls have no
 * principal.
 */

/** @throws Fault member.grant_exceeded */
export function requireRoleGrants(principal: Principal | undefined, ...granted: readonly MemberRole[]): void {
  if (!principal) return;
  const beyond = granted.find((role) => !includesRole(principal.permissions, role));
  if (beyond === undefined) return;
  throw fault("member.grant_exceeded", {
    public: say("role_beyond_role", { role: beyond }),
  });
}

/** True if all permissions of a role are among these permissions. */
export function includesRole(held: ReadonlySet<string>, role: MemberRole): boolean {
  return [...roles[role]].every((permission) => held.has(permission));
}

/** @throws Fault key.grant_exceeded */
export function requireKeyGrant(
  principal: Principal | undefined,
  key: Pick<KeyDocument, "scopeMode" | "scopes">,
): void {
  if (!principal) return;
  const beyond = keyScopes.filter((scope) => allows(key, scope) && !principal.permissions.has(scope));
  if (beyond.length > 0) {
    throw fault("key.grant_exceeded", {
      public: say("scopes_beyond_role", { scopes: beyond }),
    });
  }
}
