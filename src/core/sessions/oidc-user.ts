import { addressKey } from "../../message/address/address-key.ts";
import { parseAddress } from "../../message/address/addresses.ts";
import type { Audit } from "../../shared/audit.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { newId } from "../../shared/ids.ts";
import { hashSecret } from "../../shared/secrets.ts";
import type { MemberRole, UserDocument } from "../../store/documents.ts";
import { memberId } from "../../store/member-store.ts";
import type { IdentityDocument } from "../../store/user-documents.ts";
import type { OidcClaims, OidcSettings } from "../access/oidc.ts";
import type { SessionNeeds } from "./needs.ts";

/**
 * An identity is derived from issuer and subject: addresses can be reassigned, and not every provider verifies them.
 */
export function identityId({ issuer, subject }: Pick<OidcClaims, "issuer" | "subject">): string {
  return hashSecret(`${issuer}\0${subject}`);
}

export function identityOf(claims: OidcClaims, userId: string, now: Date): IdentityDocument {
  const { issuer, subject, verifiedEmail: email } = claims;
  return { _id: identityId(claims), issuer, subject, email, userId, createdAt: now };
}

/** Role according to the provider's claim; undefined: none. */
export function roleOf({ roleValues }: OidcClaims, { roles }: OidcSettings): MemberRole | undefined {
  return roles.find(({ value }) => value === "*" || roleValues.includes(value))?.role;
}

/** The call was unauthenticated until now. */
export function byUser(audit: Audit, { _id: id, email: name }: UserDocument): Audit {
  return { ...audit, actor: { kind: "user", id, name } };
}

/** A user that a provider has authenticated. */
interface Arrival {
  readonly claims: OidcClaims;
  readonly settings: OidcSettings;
  readonly audit: Audit;
}

type Needs = Pick<SessionNeeds, "store" | "clock">;

/**
 * The user that a provider has authenticated. A user that the provider created has the role of the current claim in
 * its account. A new user is created if the claim gives a role and no user has the address. Users are never found by
 * address: an existing user signs in and links the identity.
 *
 * @throws Fault oidc.not_allowed, oidc.link_required
 */
export async function userOf(needs: Needs, arrival: Arrival): Promise<UserDocument> {
  const { claims, settings, audit } = arrival;
  const identity = await needs.store.identities.find(identityId(claims));
  const user = identity && (await needs.store.users.findById(identity.userId));
  const role = roleOf(claims, settings);
  if (!identity || !user) return newUser(needs, arrival, role);
  if (identity.accountId !== undefined) await keepRole(needs, identity.accountId, { user, role, audit });
  return user;
}

async function keepRole(
  { store, clock }: Needs,
  accountId: string,
  {
    user,
    role,
    audit,
  }: { readonly user: UserDocument; readonly role: MemberRole | undefined; readonly audit: Audit },
): Promise<void> {
  const by = byUser(audit, user);
  if (!(await store.accounts.demandsOf(accountId))) return;
  const { members } = store.forAccount(accountId);
  // The last owner stays, even without the provider's role.
  if (role === undefined) await members.remove(user._id, by);
  else if ((await members.changeRole(user._id, role, by)) === "unknown") {
    await members.add(user, { role, createdAt: clock.now() }, by);
  }
}

async function newUser(
  { store, clock }: Needs,
  { claims, settings, audit }: Arrival,
  role: MemberRole | undefined,
): Promise<UserDocument> {
  const address = parseAddress(claims.verifiedEmail);
  if (role === undefined || !address.ok) throw fault("oidc.not_allowed");
  const email = addressKey(address.address);
  const accountId = settings.accountId ?? (await store.accounts.first())?._id ?? "";
  if (accountId === "" || !(await store.accounts.demandsOf(accountId))) {
    throw fault("oidc.not_allowed", { internal: `the account ${accountId} does not exist` });
  }
  const now = clock.now();
  const user: UserDocument = { _id: newId("usr", now), email, passwordHash: NO_PASSWORD, createdAt: now };
  const identity = { ...identityOf(claims, user._id, now), accountId };
  const member = { _id: memberId(accountId, user._id), accountId, userId: user._id, role, createdAt: now };
  if (await store.identities.provision({ identity, user, member }, byUser(audit, user))) return user;
  throw fault("oidc.link_required", {
    public: say("user_exists", { email }),
  });
}

/** No password has this hash. */
const NO_PASSWORD = "";
