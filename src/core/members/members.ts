import type { MessageInitShape } from "@bufbuild/protobuf";
import { permissions } from "../../../contracts/common/permissions.ts";
import {
  type ListRolesResponseSchema,
  MemberService,
} from "../../../gen/hermod/member/v1/member_service_pb.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { changes, READS } from "../../rpc/audits.ts";
import { permitted } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import type { MemberDocument } from "../../store/documents.ts";
import type { MemberChange } from "../../store/member-store.ts";
import { requireRoleGrants } from "../access/grants.ts";
import { readRole, roleDescriptions, roleNames, roles } from "../access/roles.ts";
import type { Dependencies } from "../dependencies.ts";
import { nameInMail } from "../system-mail/letter.ts";
import { securityNotice } from "../system-mail/notices.ts";
import { findMember, unknownMember } from "./find-member.ts";
import { createListMembers } from "./list-members.ts";
import { toMember } from "./member-to-proto.ts";

/** Members of an account and their roles. */
export const members: Area<Pick<Dependencies, "store" | "clock" | "systemMail">> = defineArea(MemberService, {
  listMembers: [permitted("members.read"), READS, createListMembers],
  listRoles: [permitted("members.read"), READS, () => async () => describeRoles()],
  /** @throws Fault account.unknown, member.unknown, member.grant_exceeded, member.last_owner, request.validation_failed, resource.stale */
  changeRole: [
    permitted("members.write"),
    changes("member.change_role", "user"),
    ({ store }) =>
      async (request, context) => {
        const role = readRole(request.role);
        const { account, member, email } = await findMember(store, request);
        requireRoleGrants(context.principal, member.role, role);
        const { user, ifRevision } = request;
        const change = await account.members.changeRole(member.userId, role, context.audit, ifRevision);
        return { member: toMember(done(change, user), email) };
      },
  ],
  /** @throws Fault account.unknown, member.unknown, member.grant_exceeded, member.last_owner, resource.stale */
  removeMember: [
    permitted("members.write"),
    changes("member.remove", "user"),
    ({ store }) =>
      async (request, context) => {
        const { account, member } = await findMember(store, request);
        requireRoleGrants(context.principal, member.role);
        const { user, ifRevision } = request;
        done(await account.members.remove(member.userId, context.audit, ifRevision), user);
        return {};
      },
  ],
  /** @throws Fault account.unknown, member.unknown, member.grant_exceeded */
  signOutMember: [
    permitted("members.write"),
    changes("member.sign_out", "user"),
    ({ store, clock, systemMail }) =>
      async (request, { principal, audit }) => {
        const { account, member, email } = await findMember(store, request);
        requireRoleGrants(principal, member.role);
        const at = clock.now();
        const ended = await account.members.signOut(member.userId, audit);
        if (ended === undefined) throw unknownMember(request.user);
        const name = nameInMail((await store.accounts.find(account.id))?.name ?? "");
        const where = name === undefined ? "an account" : `the account "${name}"`;
        const by = principal?.name ?? "The operator";
        const what = `${by} ended all your sessions in ${where} of Hermod.`;
        // A repeated request ends no session and sends no mail.
        if (ended > 0) await systemMail.notify(email, securityNotice({ what, at, identity: undefined }));
        return { ended };
      },
  ],
});

/** @throws Fault member.unknown, member.last_owner */
function done(change: MemberChange, user: string): MemberDocument {
  if (change === "unknown") throw unknownMember(user);
  if (change === "last_owner") throw fault("member.last_owner");
  return change;
}

/** Roles and permissions as Hermod checks them, with their descriptions. */
export function describeRoles(): MessageInitShape<typeof ListRolesResponseSchema> {
  return {
    roles: roleNames.map((name) => ({
      name,
      description: roleDescriptions[name],
      permissions: [...roles[name]],
    })),
    permissions: Object.entries(permissions).map(([name, description]) => ({ name, description })),
  };
}
