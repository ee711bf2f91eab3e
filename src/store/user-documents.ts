import type { Binary } from "mongodb";
import type { MemberRole } from "./documents.ts";

/** The documents of how people come in, as they are stored. */

/** Somebody who is to join an account. */
export interface InvitationDocument {
  readonly _id: string;
  readonly accountId: string;
  /** The comparison key of the address; an account has one invitation for it. */
  readonly email: string;
  readonly role: MemberRole;
  /** SHA-256 of the token, base64url. */
  readonly hash: string;
  /** Missing: the operator has invited. */
  readonly invitedBy?: { readonly userId: string; readonly email: string };
  readonly createdAt: Date;
  /** It is void then: removed after this. */
  readonly expireAt: Date;
}

/** A link that was mailed to somebody to prove that the mailbox is his. */
export interface MailLinkDocument {
  /** Of its purpose and of whom it is for: there is one, and a newer one takes its place. */
  readonly _id: string;
  readonly purpose: "password_reset" | "sign_up" | "email_change";
  /** SHA-256 of the token, base64url. */
  readonly hash: string;
  /** The comparison key of the address that it was sent to. */
  readonly email: string;
  /** Session that asked to change its user's address. The link ends with it. Missing: the link has another purpose. */
  readonly sessionId?: string;
  readonly createdAt: Date;
  /** It is void then: removed after this. */
  readonly expireAt: Date;
}

/** An account that was deleted, and what was removed of it. */
export interface DeletedAccountDocument {
  /** The account's. */
  readonly _id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly deletedAt: Date;
  /** E-mail address of the user who did; empty: the operator. */
  readonly deletedBy: string;
  /** How many documents were removed, by collection; missing: a release that did not count began it. */
  readonly removed?: Readonly<Record<string, number>>;
  /** By these the index of searches has its messages: terms of their routing policies. Only while it is under way. */
  readonly terms?: Readonly<Record<string, true>>;
  /** Nothing is left since then; missing: it is under way. */
  readonly finishedAt?: Date;
  /** Only when it is finished: this is removed after it. */
  readonly expireAt?: Date;
}

/** The secret that a user's authenticator app has (RFC 6238). */
export interface TotpDocument {
  /** The user's: one each. */
  readonly _id: string;
  /** Base 32. Encrypted where it is stored. */
  readonly secret: string;
  readonly createdAt: Date;
  /** When a code has shown that the app has it; missing: it counts for nothing yet. */
  readonly confirmedAt?: Date;
  /** The latest time step whose code was used: neither it nor one before is taken again. */
  readonly lastStep?: number;
  /** Only before it is confirmed: removed after this. */
  readonly expireAt?: Date;
}

/** A code that takes the place of a second factor, once. */
export interface RecoveryCodeDocument {
  /** `user.hash`, the hash being SHA-256, base64url. */
  readonly _id: string;
  readonly userId: string;
  readonly createdAt: Date;
}

/** A key pair that a device of a user has made for this Hermod (WebAuthn). */
export interface PasskeyDocument {
  /** The credential's, base64url. */
  readonly _id: string;
  readonly userId: string;
  readonly name: string;
  /** COSE. */
  readonly publicKey: Binary;
  /** Uses, as the device counts them; 0: it does not count. */
  readonly counter: number;
  /** How browsers reach it, as `usb`. */
  readonly transports: readonly string[];
  /** It is on several devices, or will be. */
  readonly backedUp: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt?: Date;
}

/** A passkey as a device has made it. */
export interface NewPasskey extends Pick<PasskeyDocument, "counter" | "transports" | "backedUp"> {
  readonly id: string;
  readonly publicKey: Uint8Array;
}

/** What a passkey is to sign, once. */
export interface PasskeyChallengeDocument {
  /** SHA-256 of the challenge, base64url. */
  readonly _id: string;
  readonly purpose: "register" | "prove" | "sign_in";
  /** Empty: whoever signs. */
  readonly userId: string;
  readonly expireAt: Date;
}

/** Who a user is to a provider of OpenID Connect. */
export interface IdentityDocument {
  /** SHA-256 of issuer and subject, base64url: they alone say who it is. */
  readonly _id: string;
  readonly issuer: string;
  readonly subject: string;
  /** As the provider had it when it was linked, for people to see; empty: it did not say. */
  readonly email: string;
  readonly userId: string;
  /** The account in which the provider's claim says what the user is; missing: he linked himself, and it says nothing. */
  readonly accountId?: string;
  readonly createdAt: Date;
}

/** A request to a provider that a browser is away for. */
export interface OidcRequestDocument {
  /** SHA-256 of `state`, base64url. */
  readonly _id: string;
  /** SHA-256 of the token that the browser keeps, base64url. */
  readonly browser: string;
  /** User to link the provider to; empty: the request is a sign-in. */
  readonly userId: string;
  /** Path of the dashboard that the browser goes to afterwards. Missing: the first page. */
  readonly returnTo?: string;
  /** Session that began a link, which ends with it; missing: the request is a sign-in. */
  readonly sessionId?: string;
  readonly expireAt: Date;
}
