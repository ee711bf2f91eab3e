import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  CreateInvitationRequest,
  CreateInvitationResponseSchema,
  ResendInvitationRequest,
  ResendInvitationResponseSchema,
} from "../../../gen/hermod/invitation/v1/invitation_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { newId } from "../../shared/ids.ts";
import { hashSecret, newLinkToken } from "../../shared/secrets.ts";
import type { InvitationDocument } from "../../store/user-documents.ts";
import { requireRoleGrants } from "../access/grants.ts";
import { readRole } from "../access/roles.ts";
import { resolveAccount } from "../resolve-account.ts";
import { type Letter, nameInMail } from "../system-mail/letter.ts";
import { readUserEmail } from "../users/user-email.ts";
import { type InvitationNeeds, toInvitation } from "./invitation.ts";

const LIFE_DAYS = 7;
const DAY_MS = 24 * 60 * 60_000;
/** More than a team can follow up. */
const MAX_OPEN = 500;

type Context = Pick<HandlerContext, "principal" | "audit">;

/**
 * Invites an address by mail, with a link that is valid for seven days.
 *
 * @throws Fault account.unknown, request.validation_failed, member.exists, member.grant_exceeded, invitation.exists,
 *   invitation.too_many, auth.reauthentication_required, mail.not_configured, mail.throttled
 */
export function createCreateInvitation(needs: InvitationNeeds) {
  const { store, clock, systemMail, mailThrottle } = needs;
  return async (
    request: CreateInvitationRequest,
    { principal, audit }: Context,
  ): Promise<MessageInitShape<typeof CreateInvitationResponseSchema>> => {
    const role = readRole(request.role);
    const email = readUserEmail(request.email);
    requireRoleGrants(principal, role);
    const now = clock.now();
    const account = await resolveAccount(store, request);
    await systemMail.requireSetUp();
    const user = await store.users.findByEmail(email);
    if (user && (await account.members.find(user._id))) {
      throw fault("member.exists", { public: say("member_already", { email }) });
    }
    if (await account.invitations.hasMany(MAX_OPEN)) throw fault("invitation.too_many");
    await mailThrottle.countAccount(account.id, email);
    const token = newLinkToken();
    const invitation = {
      _id: newId("inv", now),
      email,
      role,
      ...linkOf(token, now),
      ...(principal && { invitedBy: { userId: principal.userId, email: principal.name } }),
      createdAt: now,
    };
    const stored = await account.invitations.insert(invitation, now, audit);
    if (!stored) {
      throw fault("invitation.exists", {
        public: say("invited_already", { email }),
      });
    }
    await mail(needs, stored, token);
    return { invitation: toInvitation(stored) };
  };
}

/**
 * Sends a new link by mail, which replaces the former one.
 *
 * @throws Fault account.unknown, invitation.unknown, member.grant_exceeded, mail.not_configured, mail.throttled
 */
export function createResendInvitation(needs: InvitationNeeds) {
  const { store, clock, systemMail, mailThrottle } = needs;
  return async (
    request: ResendInvitationRequest,
    { principal, audit }: Context,
  ): Promise<MessageInitShape<typeof ResendInvitationResponseSchema>> => {
    const { id: accountId, invitations } = await resolveAccount(store, request);
    const former = await invitations.find(request.invitationId);
    if (!former) throw fault("invitation.unknown");
    requireRoleGrants(principal, former.role);
    await systemMail.requireSetUp();
    await mailThrottle.countAccount(accountId, former.email);
    const token = newLinkToken();
    const renewed = await invitations.renew(former._id, linkOf(token, clock.now()), audit);
    if (!renewed) throw fault("invitation.unknown");
    await mail(needs, renewed, token);
    return { invitation: toInvitation(renewed) };
  };
}

function linkOf(token: string, now: Date) {
  return { hash: hashSecret(token), expireAt: new Date(now.getTime() + LIFE_DAYS * DAY_MS) };
}

async function mail(
  { store, systemMail }: InvitationNeeds,
  invitation: InvitationDocument,
  token: string,
): Promise<void> {
  const account = await store.accounts.find(invitation.accountId);
  const url = systemMail.link("/invitation", token);
  await systemMail.send(invitation.email, invitationLetter(invitation, account?.name ?? "", url));
}

function invitationLetter(
  { email, role, invitedBy }: InvitationDocument,
  account: string,
  url: string,
): Letter {
  const name = nameInMail(account);
  const where = name === undefined ? "an account" : `the account "${name}"`;
  return {
    subject: "You are invited to Hermod",
    paragraphs: [`${invitedBy?.email ?? "The operator"} invites you to join ${where} of Hermod as ${role}.`],
    link: { label: "Accept the invitation", url },
    closing: [
      `The link is for ${email}, works once and expires after ${LIFE_DAYS} days.`,
      "If you did not expect this invitation, ignore this mail. Nothing happens then.",
    ],
  };
}
