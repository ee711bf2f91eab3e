import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  CompletePasswordResetRequest,
  CompletePasswordResetResponseSchema,
  FindPasswordResetRequest,
  FindPasswordResetResponseSchema,
  RequestPasswordResetRequest,
  RequestPasswordResetResponseSchema,
} from "../../../gen/hermod/user/v1/user_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import type { UserDocument } from "../../store/documents.ts";
import { checkNewPassword } from "../access/check-new-password.ts";
import type { Letter } from "../system-mail/letter.ts";
import { securityNotice } from "../system-mail/notices.ts";
import { openMailLink, putMailLink } from "./mail-link.ts";
import type { UserNeeds } from "./needs.ts";
import { readUserEmail, wordsOfEmail } from "./user-email.ts";

const LIFE_MINUTES = 30;

type Context = Pick<HandlerContext, "identity">;

/** A link is for one user: a newer one replaces it. */
export function passwordResetId({ _id }: Pick<UserDocument, "_id">): string {
  return `password_reset:${_id}`;
}

/**
 * Sends a link to choose a new password. Neither the answer nor its timing reveals whether a user has the address.
 *
 * @throws Fault mail.not_configured, mail.throttled, request.validation_failed, service.busy
 */
export function createRequestPasswordReset(needs: UserNeeds) {
  const { store, systemMail, mailThrottle, afterwards } = needs;

  async function mail(email: string): Promise<void> {
    if (!(await mailThrottle.mayReach(email))) return;
    const user = await store.users.findByEmail(email);
    if (!user) return;
    const token = await putMailLink(needs, {
      _id: passwordResetId(user),
      purpose: "password_reset",
      email,
      lifeMs: LIFE_MINUTES * 60_000,
    });
    await systemMail.send(email, resetLetter(email, systemMail.link("/reset-password", token)));
  }

  return async (
    request: RequestPasswordResetRequest,
    { identity }: Context,
  ): Promise<MessageInitShape<typeof RequestPasswordResetResponseSchema>> => {
    const email = readUserEmail(request.email);
    await systemMail.requireSetUp();
    await mailThrottle.countClient(identity?.clientAddress ?? "");
    afterwards.run(() => mail(email));
    return {};
  };
}

/** Returns the user of a password reset link. */
export function createFindPasswordReset(needs: UserNeeds) {
  return async ({
    token,
  }: FindPasswordResetRequest): Promise<MessageInitShape<typeof FindPasswordResetResponseSchema>> => {
    const { email } = await openMailLink(needs, "password_reset", token);
    return { email };
  };
}

/**
 * Replaces the password with the link of a mail, and ends all sessions. It starts no session: the user must sign in
 * with the new password, and with a second factor if there is one.
 *
 * @throws Fault link.unknown, request.validation_failed, auth.throttled, service.busy
 */
export function createCompletePasswordReset(needs: UserNeeds) {
  const { store, clock, passwords, systemMail } = needs;
  return async (
    { token, newPassword }: CompletePasswordResetRequest,
    { identity, audit }: Pick<HandlerContext, "identity" | "audit">,
  ): Promise<MessageInitShape<typeof CompletePasswordResetResponseSchema>> => {
    const { email, hash } = await openMailLink(needs, "password_reset", token);
    const given = { password: newPassword, pointer: "/new_password", known: wordsOfEmail(email) };
    await checkNewPassword(needs, { ...given, email, clientAddress: identity?.clientAddress });
    const passwordHash = await passwords.hash(newPassword);
    const at = clock.now();
    const user = await store.mailLinks.resetPassword(hash, passwordHash, at, audit);
    if (!user) throw fault("link.unknown");
    const what = "Your password was reset with a link in a mail, and all your sessions ended.";
    await systemMail.notify(email, securityNotice({ what, at, identity }));
    return { email };
  };
}

function resetLetter(email: string, url: string): Letter {
  return {
    subject: "Reset your Hermod password",
    paragraphs: [`You or another person requested a new password for ${email}.`],
    link: { label: "Choose a new password", url },
    closing: [
      `The link works once and expires after ${LIFE_MINUTES} minutes. A new password ends all your sessions.`,
      "If this was not you, ignore this mail. Your password does not change.",
    ],
  };
}
