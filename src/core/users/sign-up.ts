import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  CompleteSignUpRequest,
  CompleteSignUpResponseSchema,
  FindSignUpRequest,
  FindSignUpResponseSchema,
  RequestSignUpRequest,
  RequestSignUpResponseSchema,
} from "../../../gen/hermod/user/v1/user_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { newId } from "../../shared/ids.ts";
import { hashSecret } from "../../shared/secrets.ts";
import type { SignedUp } from "../../store/mail-link-store.ts";
import { memberId } from "../../store/member-store.ts";
import type { MailLinkDocument } from "../../store/user-documents.ts";
import { checkNewPassword } from "../access/check-new-password.ts";
import { readAccountName } from "../accounts/account-name.ts";
import { sandboxPolicy } from "../policies/sandbox-policy.ts";
import { createBeginSession } from "../sessions/begin-session.ts";
import type { Letter } from "../system-mail/letter.ts";
import { openMailLink, putMailLink } from "./mail-link.ts";
import type { UserNeeds } from "./needs.ts";
import { readUserEmail, wordsOfEmail } from "./user-email.ts";

const LIFE_HOURS = 24;

type Context = Pick<HandlerContext, "identity">;

/** @throws Fault sign_up.closed */
export function requireOpenSignUp({ isSignUpOpen }: Pick<UserNeeds, "isSignUpOpen">): void {
  if (!isSignUpOpen) throw fault("sign_up.closed");
}

/**
 * Sends a link to confirm an address. Nothing else is stored until then, and only the mail shows whether a user has
 * the address.
 *
 * @throws Fault sign_up.closed, mail.not_configured, mail.throttled, request.validation_failed, service.busy
 */
export function createRequestSignUp(needs: UserNeeds) {
  const { store, systemMail, mailThrottle, afterwards } = needs;

  async function mail(email: string): Promise<void> {
    if (!(await mailThrottle.mayReach(email))) return;
    if (await store.users.findByEmail(email)) {
      await systemMail.send(email, knownLetter(email));
      return;
    }
    const token = await putMailLink(needs, {
      _id: `sign_up:${hashSecret(email)}`,
      purpose: "sign_up",
      email,
      lifeMs: LIFE_HOURS * 60 * 60_000,
    });
    await systemMail.send(email, signUpLetter(email, systemMail.link("/sign-up", token)));
  }

  return async (
    request: RequestSignUpRequest,
    { identity }: Context,
  ): Promise<MessageInitShape<typeof RequestSignUpResponseSchema>> => {
    requireOpenSignUp(needs);
    const email = readUserEmail(request.email);
    await systemMail.requireSetUp();
    await mailThrottle.countClient(identity?.clientAddress ?? "");
    afterwards.run(() => mail(email));
    return {};
  };
}

/** @throws Fault sign_up.closed, link.unknown */
async function openSignUp(needs: UserNeeds, token: string): Promise<MailLinkDocument> {
  requireOpenSignUp(needs);
  return openMailLink(needs, "sign_up", token);
}

/** Returns the address that a link confirms. */
export function createFindSignUp(needs: UserNeeds) {
  return async ({ token }: FindSignUpRequest): Promise<MessageInitShape<typeof FindSignUpResponseSchema>> => {
    const { email } = await openSignUp(needs, token);
    return { email };
  };
}

/**
 * Creates the user with an account, and starts a session. Mail of the account is captured until it has another policy.
 *
 * @throws Fault sign_up.closed, link.unknown, user.exists, request.validation_failed, auth.throttled, service.busy
 */
export function createCompleteSignUp(needs: UserNeeds) {
  const { store, clock, passwords } = needs;
  const beginSession = createBeginSession({ store, clock });
  return async (
    { token, password, accountName }: CompleteSignUpRequest,
    context: Pick<HandlerContext, "identity" | "audit">,
  ): Promise<MessageInitShape<typeof CompleteSignUpResponseSchema>> => {
    const { email, hash } = await openSignUp(needs, token);
    const name = readAccountName(accountName, "/account_name");
    const known = [...wordsOfEmail(email), name];
    const clientAddress = context.identity?.clientAddress;
    await checkNewPassword(needs, { password, pointer: "/password", known, email, clientAddress });
    const now = clock.now();
    const passwordHash = await passwords.hash(password);
    const build = (address: string) => signedUp({ email: address, passwordHash, name, now });
    const outcome = await store.mailLinks.signUp(hash, build, now, context.audit);
    if (outcome === "unknown") throw fault("link.unknown");
    if (outcome === "user_exists") throw fault("user.exists");
    const { token: sessionToken } = await beginSession(outcome.user, ["password"], context);
    return { accountId: outcome.account._id, sessionToken };
  };
}

interface NewOwner {
  readonly email: string;
  readonly passwordHash: string;
  readonly name: string;
  readonly now: Date;
}

function signedUp({ email, passwordHash, name, now }: NewOwner): SignedUp {
  const [accountId, userId] = [newId("acc", now), newId("usr", now)];
  const policy = sandboxPolicy(now);
  return {
    account: { _id: accountId, name, createdAt: now },
    user: { _id: userId, email, passwordHash, createdAt: now },
    member: { _id: memberId(accountId, userId), accountId, userId, role: "owner", createdAt: now },
    policy: { ...policy, _id: `${accountId}.${policy.name}`, accountId },
  };
}

function signUpLetter(email: string, url: string): Letter {
  return {
    subject: "Confirm your address for Hermod",
    paragraphs: [`You or another person requested to sign up for Hermod with ${email}.`],
    link: { label: "Confirm the address", url },
    closing: [
      `The link works once and expires after ${LIFE_HOURS} hours.`,
      "If this was not you, ignore this mail. Hermod then stores nothing about you.",
    ],
  };
}

function knownLetter(email: string): Letter {
  return {
    subject: "You already have a Hermod user",
    paragraphs: [
      `You or another person requested to sign up for Hermod with ${email}, but this address already has a user.`,
      "Sign in instead. If you forgot your password, you can reset it there.",
    ],
    closing: ["If this was not you, ignore this mail. Nothing has changed."],
  };
}
