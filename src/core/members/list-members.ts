import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListMembersRequest,
  ListMembersResponseSchema,
} from "../../../gen/hermod/member/v1/member_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { roleNames } from "../access/roles.ts";
import type { Dependencies } from "../dependencies.ts";
import { searchOfAccount } from "../page.ts";
import { readChoice, readSearch } from "../read-list-filter.ts";
import { resolveAccount } from "../resolve-account.ts";
import { describeMembers, type FoundMember } from "./describe-members.ts";
import { toMember } from "./member-to-proto.ts";

/** Permission that second factors and sessions of others need: they would show an intruder which member to attack. */
const NEEDED = "members.write";

/**
 * Lists members in the order in which the users were created.
 * @throws Fault account.unknown, auth.permission_missing, request.validation_failed
 */
export function createListMembers({ store, clock }: Pick<Dependencies, "store" | "clock">) {
  return async (
    request: ListMembersRequest,
    { principal }: Pick<HandlerContext, "principal">,
  ): Promise<MessageInitShape<typeof ListMembersResponseSchema>> => {
    const role = readChoice("role", request.role, roleNames);
    const isFound = readSearch(request.search);
    const { withoutSecondFactor } = request;
    const seesSignIn = !principal || principal.permissions.has(NEEDED);
    if (withoutSecondFactor && !seesSignIn) {
      throw fault("auth.permission_missing", {
        public: say("filter_needs_permission", { permission: NEEDED }),
      });
    }
    const account = await resolveAccount(store, request);
    const matches = ({ email, factor }: FoundMember) =>
      (!isFound || isFound(email)) && (!withoutSecondFactor || factor === "none");
    const { entries, nextPageToken } = await searchOfAccount(request, {
      store,
      list: async ({ members }, page) => describeMembers(store, await members.list({ ...page, role })),
      cursorOf: ({ member }) => member.userId,
      ...((isFound || withoutSecondFactor) && { matches }),
    });
    const owners = await account.members.countOwners();
    if (!seesSignIn) {
      return { members: entries.map(({ member, email }) => toMember(member, email)), nextPageToken, owners };
    }
    const userIds = entries.map(({ member }) => member.userId);
    const [demands, open] = await Promise.all([
      store.accounts.demandsOf(account.id),
      account.members.openSessions(userIds, clock.now()),
    ]);
    const isFactorRequired = demands?.requiresSecondFactor === true;
    const members = entries.map(({ member, email, factor }) =>
      toMember(member, email, { factor, isFactorRequired, open: open.get(member.userId) }),
    );
    return { members, nextPageToken, owners };
  };
}
