import type { Classes } from "../audit/classes.ts";
import type { MemberDocument, SessionDocument, SignInFailuresDocument, UserDocument } from "../documents.ts";
import { sealedTotps } from "../sealing/sealed-totp.ts";
import type {
  IdentityDocument,
  InvitationDocument,
  MailLinkDocument,
  OidcRequestDocument,
  PasskeyChallengeDocument,
  PasskeyDocument,
  RecoveryCodeDocument,
  TotpDocument,
} from "../user-documents.ts";
import { EXPIRES, type Manifest } from "./manifest.ts";

const tally: Classes<{ readonly count: number }> = { count: "track" };

const recoveryCodes: Classes<{ readonly count: number; readonly hashes: readonly string[] }> = {
  count: "track",
  hashes: "secret",
};

export interface UserDocuments {
  readonly users: UserDocument;
  readonly members: MemberDocument;
  readonly invitations: InvitationDocument;
  readonly sessions: SessionDocument;
  readonly totpSecrets: TotpDocument;
  readonly recoveryCodes: RecoveryCodeDocument;
  readonly passkeys: PasskeyDocument;
  readonly passkeyChallenges: PasskeyChallengeDocument;
  readonly identities: IdentityDocument;
  readonly oidcRequests: OidcRequestDocument;
  readonly mailLinks: MailLinkDocument;
  readonly signInFailures: SignInFailuresDocument;
}

export const userManifest = {
  users: {
    owner: "user",
    indexes: [{ key: { email: 1 }, unique: true }],
    audited: {
      user: {
        _id: "ignore",
        email: "track",
        passwordHash: "secret",
        mustChangePassword: "track",
        accountId: "ignore",
        accountChanges: "ignore",
        createdAt: "ignore",
      },
    },
    named: { user: ({ _id, email }: Pick<UserDocument, "_id" | "email">) => ({ name: email, userId: _id }) },
  },
  members: {
    indexes: [
      { key: { accountId: 1, _id: 1 } },
      { key: { accountId: 1, role: 1 } },
      { key: { accountId: 1, role: 1, _id: 1 } },
      { key: { userId: 1, _id: 1 } },
    ],
    deletion: "access",
    export: { by: ["_id"] },
    audited: {
      member: {
        _id: "ignore",
        accountId: "ignore",
        userId: "track",
        role: "track",
        createdAt: "ignore",
        seenAt: "ignore",
        signedOutAt: "ignore",
      },
    },
  },
  invitations: {
    indexes: [
      { key: { hash: 1 }, unique: true },
      { key: { accountId: 1, email: 1 }, unique: true },
      { key: { accountId: 1, _id: 1 } },
      EXPIRES,
    ],
    deletion: "access",
    export: { by: ["_id"], without: ["hash"] },
    audited: {
      invitation: {
        _id: "ignore",
        accountId: "ignore",
        email: "track",
        role: "track",
        hash: "secret",
        invitedBy: { userId: "ignore", email: "track" },
        createdAt: "ignore",
        expireAt: "track",
      },
    },
    named: { invitation: ({ email }) => ({ name: email }) },
  },
  sessions: {
    owner: "user",
    indexes: [
      { key: { hash: 1 }, unique: true },
      { key: { userId: 1, _id: -1 } },
      { key: { accountId: 1, userId: 1, _id: -1 } },
      EXPIRES,
    ],
    audited: {
      session: {
        _id: "ignore",
        hash: "ignore",
        userId: "ignore",
        email: "ignore",
        accountId: "track",
        mustChangePassword: "track",
        createdAt: "track",
        seenAt: "ignore",
        authenticatedAt: "track",
        factors: "track",
        secondFactorPending: "track",
        clientAddress: "track",
        clientAgent: "track",
        endsAt: "track",
        expireAt: "ignore",
      },
    },
    named: { session: ({ email, userId }) => ({ name: email, userId }) },
    auditedInPart: {
      sessions: tally,
    },
  },
  totpSecrets: {
    owner: "user",
    indexes: [EXPIRES],
    audited: {
      totp: {
        _id: "ignore",
        secret: "secret",
        createdAt: "ignore",
        confirmedAt: "track",
        lastStep: "ignore",
        expireAt: "ignore",
      },
    },
    sealed: sealedTotps,
  },
  recoveryCodes: {
    owner: "user",
    indexes: [{ key: { userId: 1, _id: 1 } }],
    audited: {},
    auditedInPart: {
      recovery_codes: recoveryCodes,
    },
  },
  passkeys: {
    owner: "user",
    indexes: [{ key: { userId: 1, _id: 1 } }],
    audited: {
      passkey: {
        _id: "ignore",
        userId: "ignore",
        name: "track",
        publicKey: "ignore",
        counter: "ignore",
        transports: "track",
        backedUp: "track",
        createdAt: "ignore",
        lastUsedAt: "ignore",
      },
    },
    named: { passkey: ({ name, userId }) => ({ name, userId }) },
  },
  passkeyChallenges: { owner: "user", indexes: [EXPIRES], audited: {} },
  identities: {
    owner: "user",
    indexes: [{ key: { userId: 1, _id: 1 } }],
    audited: {
      identity: {
        _id: "ignore",
        issuer: "track",
        subject: "track",
        email: "track",
        userId: "ignore",
        accountId: "track",
        createdAt: "ignore",
      },
    },
    named: { identity: ({ issuer, userId }) => ({ name: issuer, userId }) },
  },
  oidcRequests: { owner: "user", indexes: [EXPIRES], audited: {} },
  mailLinks: { owner: "user", indexes: [{ key: { hash: 1 }, unique: true }, EXPIRES], audited: {} },
  signInFailures: { owner: "user", indexes: [EXPIRES], audited: {} },
} as const satisfies Manifest<UserDocuments>;
