import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type MemberSchema,
  MemberService,
  type RemoveMemberRequest,
} from "../../gen/hermod/member/v1/member_service_pb.ts";
import { addressKey } from "../message/address/addresses.ts";
import { type Area, defineArea } from "../rpc/area.ts";
import { changes, READS } from "../rpc/audits.ts";
import { permitted } from "../rpc/callers.ts";
import { fault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import type { MemberDocument } from "../store/documents.ts";
import type { MemberChange } from "../store/member-store.ts";
import { memberRevision } from "../store/revisions.ts";
import type { AccountStore, Store } from "../store/store.ts";
import { requireRoleGrants } from "./access/grants.ts";
import { readRole } from "./access/roles.ts";
import type { Dependencies } from "./dependencies.ts";
import { pageOfAccount } from "./page.ts";
import { resolveAccount } from "./resolve-account.ts";

interface MemberNeeds {
  readonly store: Pick<Store, "accounts" | "forAccount" | "users">;
}

/** Members of an account and their roles. */
export const members: Area<Pick<Dependencies, "store">> = defineArea(MemberService, {
  /** Lists members in the order in which the users were created. */
  listMembers: [
    permitted("members.read"),
    READS,
    ({ store }) =>
      async (request) => {
        const { entries, nextPageToken } = await pageOfAccount(request, {
          store,
          list: ({ members }, page) => members.list(page),
          cursorOf: ({ userId }) => userId,
        });
        const users = await store.users.findByIds(entries.map(({ userId }) => userId));
        const emails = new Map(users.map(({ _id, email }) => [_id, email]));
        return {
          members: entries.map((member) => toMember(member, emails.get(member.userId))),
          nextPageToken,
        };
      },
  ],
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
});

/** @throws Fault account.unknown, member.unknown, also for a user of other accounts */
async function findMember(
  store: MemberNeeds["store"],
  request: Pick<RemoveMemberRequest, "accountId" | "user">,
): Promise<{ readonly account: AccountStore; readonly member: MemberDocument; readonly email: string }> {
  const { user } = request;
  const account = await resolveAccount(store, request);
  const found = user.includes("@")
    ? await store.users.findByEmail(addressKey(user.trim()))
    : await store.users.findById(user);
  const member = found && (await account.members.find(found._id));
  if (!member) throw unknown(user);
  return { account, member, email: found.email };
}

/** @throws Fault member.unknown, member.last_owner */
function done(change: MemberChange, user: string): MemberDocument {
  if (change === "unknown") throw unknown(user);
  if (change === "last_owner") throw fault("member.last_owner");
  return change;
}

function unknown(user: string) {
  return fault("member.unknown", {
    public: say("no_member", { user }),
  });
}

export function toMember(member: MemberDocument, email = ""): MessageInitShape<typeof MemberSchema> {
  const { userId, role, createdAt } = member;
  const joinedAt = timestampFromDate(createdAt);
  return { userId, email, role, joinedAt, revision: memberRevision(member) };
}
