import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { InvitationSchema } from "../../../gen/hermod/invitation/v1/invitation_service_pb.ts";
import type { Store } from "../../store/store.ts";
import type { InvitationDocument } from "../../store/user-documents.ts";
import type { Dependencies } from "../dependencies.ts";

/** Dependencies of invitations. */
export interface InvitationNeeds
  extends Pick<Dependencies, "clock" | "passwords" | "throttle" | "systemMail" | "mailThrottle"> {
  readonly store: Pick<
    Store,
    "accounts" | "forAccount" | "acrossAccounts" | "factors" | "passkeys" | "sessions" | "users"
  >;
}

/** An invitation in answers, without its token. */
export function toInvitation(
  invitation: Omit<InvitationDocument, "hash">,
): MessageInitShape<typeof InvitationSchema> {
  return {
    id: invitation._id,
    email: invitation.email,
    role: invitation.role,
    invitedBy: invitation.invitedBy?.email ?? "",
    createdAt: timestampFromDate(invitation.createdAt),
    expiresAt: timestampFromDate(invitation.expireAt),
  };
}
