import type { Binary } from "mongodb";
import type { MemberRole } from "./documents.ts";

/** The stored documents of sign-in and membership. */

/** An invitation to an account. */
export interface InvitationDocument {
  readonly _id: string;
  readonly accountId: string;
  /** Comparison key of the address. An account has one invitation for it. */
  readonly email: string;
  readonly role: MemberRole;
  /** SHA-256 of the token, base64url. */
  readonly hash: string;
  /** Missing: the operator has invited. */
  readonly invitedBy?: { readonly userId: string; readonly email: string };
  readonly createdAt: Date;
  /** End of its validity. It is removed after this time. */
  readonly expireAt: Date;
}

/** A mailed link that proves the ownership of a mailbox. */
export interface MailLinkDocument {
  /** Derived from its purpose and user: there is only one, and a newer one replaces it. */
  readonly _id: string;
  readonly purpose: "password_reset" | "sign_up" | "email_change";
  /** SHA-256 of the token, base64url. */
  readonly hash: string;
  /** Comparison key of the recipient's address. */
  readonly email: string;
  /**
   * Session that requested the change of its user's address. The link ends with it. Missing: the link has another
   * purpose.
   */
  readonly sessionId?: string;
  readonly createdAt: Date;
  /** End of its validity. It is removed after this time. */
  readonly expireAt: Date;
}

/** A deleted account, with the counts of removed documents. */
export interface DeletedAccountDocument {
  /** Id of the account. */
  readonly _id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly deletedAt: Date;
  /** Email address of the user who deleted it; empty: the operator. */
  readonly deletedBy: string;
  /** Number of removed documents by collection. Missing: a release without counts started the deletion. */
  readonly removed?: Readonly<Record<string, number>>;
  /** Terms of its routing policies, by which the search index contains its messages. Only during the deletion. */
  readonly terms?: Readonly<Record<string, true>>;
  /** Time of the end. Missing: the deletion is running. */
  readonly finishedAt?: Date;
  /** Only after the end: the document is removed after this time. */
  readonly expireAt?: Date;
}

/** The secret of a user's authenticator app (RFC 6238). */
export interface TotpDocument {
  /** Id of the user: one for each. */
  readonly _id: string;
  /** Base 32. Encrypted in the store. */
  readonly secret: string;
  readonly createdAt: Date;
  /** Time of the first correct code. Missing: unconfirmed, so it has no effect yet. */
  readonly confirmedAt?: Date;
  /** Latest time step with a used code: neither it nor an earlier one is accepted again. */
  readonly lastStep?: number;
  /** Only before the confirmation: it is removed after this time. */
  readonly expireAt?: Date;
}

/** A code that replaces a second factor, once. */
export interface RecoveryCodeDocument {
  /** `user.hash`, with the hash as SHA-256, base64url. */
  readonly _id: string;
  readonly userId: string;
  readonly createdAt: Date;
}

/** A key pair that a user's device has created for this Hermod (WebAuthn). */
export interface PasskeyDocument {
  /** Id of the credential, base64url. */
  readonly _id: string;
  readonly userId: string;
  readonly name: string;
  /** COSE. */
  readonly publicKey: Binary;
  /** Use counter of the device; 0: it does not count. */
  readonly counter: number;
  /** Transports of the authenticator, such as `usb`. */
  readonly transports: readonly string[];
  /** Whether it is or will be on several devices. */
  readonly backedUp: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt?: Date;
}

/** A passkey as created by a device. */
export interface NewPasskey extends Pick<PasskeyDocument, "counter" | "transports" | "backedUp"> {
  readonly id: string;
  readonly publicKey: Uint8Array;
}

/** A challenge for a passkey signature, used once. */
export interface PasskeyChallengeDocument {
  /** SHA-256 of the challenge, base64url. */
  readonly _id: string;
  readonly purpose: "register" | "prove" | "sign_in";
  /** Empty: any user. */
  readonly userId: string;
  readonly expireAt: Date;
}

/** Identity of a user at an OpenID Connect provider. */
export interface IdentityDocument {
  /** SHA-256 of issuer and subject, base64url: only these identify the user. */
  readonly _id: string;
  readonly issuer: string;
  readonly subject: string;
  /** Address from the provider at the time of linking, for display; empty: none. */
  readonly email: string;
  readonly userId: string;
  /**
   * Account in which the provider's claim determines the user's role. Missing: the user linked the identity, and the
   * claim has no effect.
   */
  readonly accountId?: string;
  readonly createdAt: Date;
}

/** A pending request of a browser to a provider. */
export interface OidcRequestDocument {
  /** SHA-256 of `state`, base64url. */
  readonly _id: string;
  /** SHA-256 of the browser's token, base64url. */
  readonly browser: string;
  /** User that the provider is linked to; empty: the request is a sign-in. */
  readonly userId: string;
  /** Dashboard path for the return. Missing: the first page. */
  readonly returnTo?: string;
  /** Session that started the linking, which ends with it. Missing: the request is a sign-in. */
  readonly sessionId?: string;
  readonly expireAt: Date;
}
