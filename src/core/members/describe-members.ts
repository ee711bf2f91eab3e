import type { MemberDocument } from "../../store/documents.ts";
import type { Store } from "../../store/store.ts";
import type { MemberSignIn } from "./member-to-proto.ts";

/** A member with its user's address and second factor. */
export interface FoundMember extends Pick<MemberSignIn, "factor"> {
  readonly member: MemberDocument;
  /** Empty: the user cannot be read. */
  readonly email: string;
}

/** Adds addresses and second factors, with three queries for any number of members. */
export async function describeMembers(
  { users, factors, passkeys }: Pick<Store, "users" | "factors" | "passkeys">,
  members: readonly MemberDocument[],
): Promise<FoundMember[]> {
  const userIds = members.map(({ userId }) => userId);
  const [found, withTotp, withPasskey] = await Promise.all([
    users.findByIds(userIds),
    factors.usersWithTotp(userIds),
    passkeys.usersWithPasskey(userIds),
  ]);
  const emails = new Map(found.map(({ _id, email }) => [_id, email]));
  return members.map((member) => ({
    member,
    email: emails.get(member.userId) ?? "",
    factor: withPasskey.has(member.userId) ? "passkey" : withTotp.has(member.userId) ? "totp" : "none",
  }));
}
