import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { MemberSchema } from "../../../gen/hermod/member/v1/member_service_pb.ts";
import type { MemberDocument } from "../../store/documents.ts";
import type { OpenSessions } from "../../store/member-store.ts";
import { memberRevision } from "../../store/revisions.ts";

/** How a member signs in. */
export interface MemberSignIn {
  readonly factor: "none" | "totp" | "passkey";
  readonly isFactorRequired: boolean;
  /** Undefined: the member has no open session in the account. */
  readonly open: OpenSessions | undefined;
}

/**
 * A member in answers.
 * @param signIn missing: the answer has no second factor and no sessions
 */
export function toMember(
  member: MemberDocument,
  email = "",
  signIn?: MemberSignIn,
): MessageInitShape<typeof MemberSchema> {
  const { userId, role, createdAt, seenAt } = member;
  const joinedAt = timestampFromDate(createdAt);
  const shown = { userId, email, role, joinedAt, revision: memberRevision(member) };
  if (!signIn) return shown;
  const { factor, isFactorRequired, open } = signIn;
  const seen = [seenAt, open?.seenAt].filter((time) => time !== undefined);
  const last = seen.sort((a, b) => b.getTime() - a.getTime())[0];
  return {
    ...shown,
    secondFactor: factor,
    meetsRequirement: !isFactorRequired || factor !== "none",
    ...(last && { lastSeenAt: timestampFromDate(last) }),
    openSessions: open?.count ?? 0,
  };
}
