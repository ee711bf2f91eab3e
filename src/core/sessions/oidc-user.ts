import { addressKey, parseAddress } from "../../message/address/addresses.ts";
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

/** Who somebody is here follows from issuer and subject: addresses are given away again, and not every provider checks them. */
export function identityId({ issuer, subject }: Pick<OidcClaims, "issuer" | "subject">): string {
  return hashSecret(`${issuer}\0${subject}`);
}

export function identityOf(claims: OidcClaims, userId: string, now: Date): IdentityDocument {
  const { issuer, subject, verifiedEmail: email } = claims;
  return { _id: identityId(claims), issuer, subject, email, userId, createdAt: now };
}

/** The role that the provider's claim gives; undefined: none. */
export function roleOf({ roleValues }: OidcClaims, { roles }: OidcSettings): MemberRole | undefined {
  return roles.find(({ value }) => value === "*" || roleValues.includes(value))?.role;
}

/** Until now it was nobody's call. */
export function byUser(audit: Audit, { _id: id, email: name }: UserDocument): Audit {
  return { ...audit, actor: { kind: "user", id, name } };
}

/** Somebody whom a provider has let in. */
interface Arrival {
  readonly claims: OidcClaims;
  readonly settings: OidcSettings;
  readonly audit: Audit;
}

type Needs = Pick<SessionNeeds, "store" | "clock">;

/**
 * The user that a provider has let in. Who was made by it has in its account the role that the claim gives now; somebody
 * new is made where a role says so and nobody has the address. Nobody is found by the address: whoever has a user here
 * links himself, signed in.
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
  // The last owner stays, whatever the provider says.
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

/** Nothing hashes to it. */
const NO_PASSWORD = "";
