// A change of the address is bound to the session that requested it, so that every remedy against a thief (a new
// password, signing out everywhere) also ends the change.

import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ConfirmEmailChangeRequest,
  ConfirmEmailChangeResponseSchema,
  FindEmailChangeRequest,
  FindEmailChangeResponseSchema,
  RequestEmailChangeRequest,
  RequestEmailChangeResponseSchema,
} from "../../../gen/hermod/user/v1/user_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { SessionDocument } from "../../store/documents.ts";
import { ownSession, type SessionContext } from "../sessions/own-session.ts";
import type { Letter } from "../system-mail/letter.ts";
import { securityNotice } from "../system-mail/notices.ts";
import { openMailLink, putMailLink } from "./mail-link.ts";
import type { UserNeeds } from "./needs.ts";
import { readUserEmail } from "./user-email.ts";

const LIFE_MINUTES = 60;

/**
 * Sends a link to the new address of the user, and a notice to the current one. Neither the answer nor its timing
 * reveals whether another user has the address.
 *
 * @throws Fault mail.not_configured, mail.throttled, request.validation_failed, auth.reauthentication_required,
 *   service.busy
 */
export function createRequestEmailChange(needs: UserNeeds) {
  const { store, systemMail, mailThrottle, afterwards, clock } = needs;

  async function mail(session: SessionDocument, email: string, notice: Letter): Promise<void> {
    await systemMail.notify(session.email, notice);
    if (!(await mailThrottle.mayReach(email))) return;
    if (await store.users.findByEmail(email)) {
      await systemMail.send(email, takenLetter(email));
      return;
    }
    const token = await putMailLink(needs, {
      // One for each user: a newer one replaces it.
      _id: `email_change:${session.userId}`,
      purpose: "email_change",
      email,
      sessionId: session._id,
      lifeMs: LIFE_MINUTES * 60_000,
    });
    await systemMail.send(email, changeLetter(email, systemMail.link("/change-email", token)));
  }

  return async (
    request: RequestEmailChangeRequest,
    context: SessionContext,
  ): Promise<MessageInitShape<typeof RequestEmailChangeResponseSchema>> => {
    const session = await ownSession(store, context);
    const email = readUserEmail(request.email);
    if (email === session.email) {
      const message = say("address_present_one");
      throw validationFault([{ pointer: "/email", code: "field.invalid", message }]);
    }
    await systemMail.requireSetUp();
    await mailThrottle.countClient(context.identity?.clientAddress ?? "");
    const what = `A change of your address to ${email} was requested. It takes effect when that address confirms it.`;
    const notice = securityNotice({ what, at: clock.now(), identity: context.identity });
    afterwards.run(() => mail(session, email, notice));
    return {};
  };
}

/** Returns the address that a link confirms. @throws Fault link.unknown */
export function createFindEmailChange(needs: UserNeeds) {
  return async ({
    token,
  }: FindEmailChangeRequest): Promise<MessageInitShape<typeof FindEmailChangeResponseSchema>> => {
    const { email } = await openMailLink(needs, "email_change", token);
    return { email };
  };
}

/**
 * Changes the address of the user with the link of a mail. It starts no session, so that the link alone grants no
 * access.
 *
 * @throws Fault link.unknown, user.exists
 */
export function createConfirmEmailChange(needs: UserNeeds) {
  const { store, clock, systemMail } = needs;
  return async (
    { token }: ConfirmEmailChangeRequest,
    { identity, audit }: Pick<HandlerContext, "identity" | "audit">,
  ): Promise<MessageInitShape<typeof ConfirmEmailChangeResponseSchema>> => {
    const { hash } = await openMailLink(needs, "email_change", token);
    const at = clock.now();
    const changed = await store.mailLinks.changeEmail(hash, at, audit);
    if (changed === "unknown") throw fault("link.unknown");
    if (changed === "user_exists") throw fault("user.exists");
    const { former, email } = changed;
    const what = `Your address for Hermod was changed from ${former} to ${email}.`;
    await systemMail.notify(former, securityNotice({ what, at, identity }));
    return { email };
  };
}

function changeLetter(email: string, url: string): Letter {
  return {
    subject: "Confirm your new address for Hermod",
    paragraphs: [`A Hermod user wants to change their sign-in address to ${email}.`],
    link: { label: "Confirm the address", url },
    closing: [
      `The link works once and expires after ${LIFE_MINUTES} minutes, or when the session that requested it ends. Stay signed in there.`,
      "If this was not you, ignore this mail. Nothing changes.",
    ],
  };
}

function takenLetter(email: string): Letter {
  return {
    subject: "You already have a Hermod user",
    paragraphs: [
      `A Hermod user wants to change their sign-in address to ${email}, but this address already has a user.`,
    ],
    closing: [
      "If this was you, sign in with this address instead. If this was not you, ignore this mail. Nothing changes.",
    ],
  };
}
