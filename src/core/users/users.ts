import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type UserSchema, UserService } from "../../../gen/hermod/user/v1/user_service_pb.ts";
import { addressKey } from "../../message/address/address-key.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { changes, READS, refusals, unaudited } from "../../rpc/audits.ts";
import { FRONT_ENDS, OPERATOR_ONLY, SIGNED_IN } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { newId } from "../../shared/ids.ts";
import { newPassword } from "../../shared/secrets.ts";
import type { UserDocument } from "../../store/documents.ts";
import { hashPassword } from "../access/passwords.ts";
import { readRole } from "../access/roles.ts";
import { pageOf, pageSizeOf, pageStartOf } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import { securityNotice } from "../system-mail/notices.ts";
import { createConfirmEmailChange, createFindEmailChange, createRequestEmailChange } from "./change-email.ts";
import type { UserNeeds } from "./needs.ts";
import { createCreateOwnAccount, createLeaveAccount } from "./own-accounts.ts";
import {
  createCompletePasswordReset,
  createFindPasswordReset,
  createRequestPasswordReset,
  passwordResetId,
} from "./reset-password-by-mail.ts";
import { createCompleteSignUp, createFindSignUp, createRequestSignUp } from "./sign-up.ts";
import { readUserEmail } from "./user-email.ts";

/** Users who sign in: created by the operator or by sign-up; and reset of passwords. */
export const users: Area<UserNeeds> = defineArea(UserService, {
  /**
   * Creates a user as a member of an account. Only the answer contains the password.
   *
   * @throws Fault account.unknown, member.exists, request.validation_failed
   */
  createUser: [
    OPERATOR_ONLY,
    changes("user.create", "email"),
    ({ store, clock }) =>
      async (request, { audit }) => {
        const email = readUserEmail(request.email);
        const role = readRole(request.role || "owner");
        const account = await resolveAccount(store, request);
        const now = clock.now();
        const password = newPassword();
        const fresh: UserDocument = {
          _id: newId("usr", now),
          email,
          passwordHash: await hashPassword(password),
          mustChangePassword: true,
          createdAt: now,
        };
        const { user, joined } = await account.members.add(fresh, { role, createdAt: now }, audit);
        if (!joined) throw fault("member.exists", { public: say("member_already", { email }) });
        return { user: toUser(user), password: user._id === fresh._id ? password : "" };
      },
  ],
  /** Lists all users by address. */
  listUsers: [
    OPERATOR_ONLY,
    READS,
    ({ store }) =>
      async ({ pageSize, pageToken }) => {
        const limit = pageSizeOf(pageSize);
        const after = pageStartOf(pageToken, addressIn);
        const found = await store.users.list({ after, limit: limit + 1 });
        const { entries, nextPageToken } = pageOf(found, limit, ({ email }) => tokenOf(email));
        return { users: entries.map(toUser), nextPageToken };
      },
  ],
  /**
   * Sets a new password for a user, and ends all of the user's sessions. Only the answer contains the password.
   *
   * @throws Fault user.unknown
   */
  resetPassword: [
    OPERATOR_ONLY,
    changes("user.reset_password", "email"),
    ({ store }) =>
      async (request, { audit }) => {
        const email = addressKey(request.email.trim());
        const password = newPassword();
        const passwordHash = await hashPassword(password);
        for (;;) {
          const user = await store.users.findByEmail(email);
          if (!user) throw fault("user.unknown", { public: say("no_user", { email }) });
          const next = { passwordHash, mustChangePassword: true };
          if (!(await store.users.setPassword(user, next, { accountId: "", audit }))) continue;
          await store.mailLinks.remove(passwordResetId(user));
          const ended = await store.sessions.endAll({ userId: user._id, email, accountId: "" }, audit);
          return { user: toUser({ ...user, mustChangePassword: true }), password, ended };
        }
      },
  ],
  /**
   * Removes all second factors of a user who has lost them, and ends all of the user's sessions.
   *
   * @throws Fault user.unknown
   */
  removeFactors: [
    OPERATOR_ONLY,
    changes("user.remove_factors", "email"),
    ({ store, clock, systemMail }) =>
      async (request, { identity, audit }) => {
        const email = addressKey(request.email.trim());
        const user = await store.users.findByEmail(email);
        if (!user) throw fault("user.unknown", { public: say("no_user", { email }) });
        const holder = { userId: user._id, email, accountId: "" };
        const at = clock.now();
        await store.factors.removeTotp(holder, audit);
        await store.passkeys.removeAll(holder, audit);
        await store.factors.putRecoveryCodes(holder, [], at, audit);
        const ended = await store.sessions.endAll(holder, audit);
        const what = "The operator of this Hermod installation removed all your second factors.";
        await systemMail.notify(email, securityNotice({ what, at, identity }));
        return { user: toUser(user), ended };
      },
  ],
  requestPasswordReset: [FRONT_ENDS, refusals("user.request_password_reset"), createRequestPasswordReset],
  findPasswordReset: [
    FRONT_ENDS,
    unaudited("it shows what the mail with the link says"),
    createFindPasswordReset,
  ],
  completePasswordReset: [FRONT_ENDS, changes("user.complete_password_reset"), createCompletePasswordReset],
  requestSignUp: [FRONT_ENDS, refusals("user.request_sign_up"), createRequestSignUp],
  findSignUp: [FRONT_ENDS, unaudited("it shows what the mail with the link says"), createFindSignUp],
  completeSignUp: [FRONT_ENDS, changes("user.sign_up"), createCompleteSignUp],
  requestEmailChange: [SIGNED_IN, refusals("user.request_email_change"), createRequestEmailChange],
  findEmailChange: [
    FRONT_ENDS,
    unaudited("it shows what the mail with the link says"),
    createFindEmailChange,
  ],
  confirmEmailChange: [FRONT_ENDS, changes("user.change_email"), createConfirmEmailChange],
  leaveAccount: [SIGNED_IN, changes("member.leave", "leftAccountId"), createLeaveAccount],
  createOwnAccount: [SIGNED_IN, changes("account.create_own", "name"), createCreateOwnAccount],
});

/** Keeps addresses out of command lines and logs. */
const tokenOf = (email: string) => Buffer.from(email).toString("base64url");

function addressIn(token: string): string | undefined {
  const email = Buffer.from(token, "base64url").toString();
  return tokenOf(email) === token ? email : undefined;
}

function toUser(user: UserDocument): MessageInitShape<typeof UserSchema> {
  return {
    id: user._id,
    email: user.email,
    createdAt: timestampFromDate(user.createdAt),
    mustChangePassword: user.mustChangePassword ?? false,
  };
}
