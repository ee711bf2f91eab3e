import { addressKey } from "../../message/address/address-key.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { MemberDocument } from "../../store/documents.ts";
import type { AccountStore, Store } from "../../store/store.ts";
import { resolveAccount } from "../resolve-account.ts";

interface MemberRequest {
  readonly accountId: string;
  /** Id or e-mail address. */
  readonly user: string;
}

/** @throws Fault account.unknown, member.unknown, also for a user of other accounts */
export async function findMember(
  store: Pick<Store, "accounts" | "forAccount" | "users">,
  request: MemberRequest,
): Promise<{ readonly account: AccountStore; readonly member: MemberDocument; readonly email: string }> {
  const { user } = request;
  const account = await resolveAccount(store, request);
  const found = user.includes("@")
    ? await store.users.findByEmail(addressKey(user.trim()))
    : await store.users.findById(user);
  const member = found && (await account.members.find(found._id));
  if (!member) throw unknownMember(user);
  return { account, member, email: found.email };
}

export function unknownMember(user: string) {
  return fault("member.unknown", {
    public: say("no_member", { user }),
  });
}
