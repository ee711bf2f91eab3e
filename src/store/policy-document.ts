export type TlsMode = "implicit" | "required" | "opportunistic" | "none";

/** Source of connections as receivers see it. Missing values are the machine's choice. */
export interface SourceSettings {
  /** Local IPv4 address for servers that are reached over IPv4. */
  readonly address?: string;
  /** Local IPv6 address for servers that are reached over IPv6. */
  readonly address6?: string;
  /** EHLO name: the name in the addresses' PTR records. */
  readonly heloName?: string;
}

/** The DKIM signatures that Hermod adds: one for each algorithm with a key of the domain, one, or none. */
export const dkimUses = ["both", "rsa", "ed25519", "none"] as const;
export type DkimUse = (typeof dkimUses)[number];

export interface SmtpTransportSettings {
  readonly kind: "smtp";
  readonly servers: readonly { readonly host: string; readonly port: number }[];
  readonly tls: TlsMode;
  readonly username?: string;
  /** Encrypted in the store. */
  readonly password?: string;
  readonly maxConnections: number;
  /** Missing: `rsa` for a provider that rejects two signatures, otherwise `both`. */
  readonly dkim?: DkimUse;
}

export interface DirectTransportSettings {
  readonly kind: "direct";
  readonly tls: "opportunistic" | "required" | "verified";
  readonly maxConnections: number;
  /** Missing: `both`. */
  readonly dkim?: DkimUse;
}

export type TransportSettings =
  | { readonly kind: "sandbox" }
  | SmtpTransportSettings
  | DirectTransportSettings;

/** Priority of messages: `transactional` before `bulk`, without starving it. */
export const priorities = ["transactional", "bulk"] as const;

export type Priority = (typeof priorities)[number];

/** Other transports for some recipients. */
export interface RecipientRule {
  /** Recipient domains in A-labels and lower case; `*.example.com` matches every domain below it. */
  readonly domains: readonly string[];
  readonly transports: readonly TransportSettings[];
}

/** Limits for one mail provider (all domains with the same servers). */
export interface PolicyLimits {
  /** Maximum number of concurrent deliveries. */
  readonly concurrency?: number;
  readonly messagesPerMinute?: number;
}

/** Tracking of messages. Missing values are decided elsewhere. */
export interface TrackingSettings {
  readonly opens?: boolean;
  readonly clicks?: boolean;
}

/** Author of a policy: the operator, who knows the network, or a member of an account. */
export type PolicyAuthor = "operator" | "account";

export interface PolicyDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly name: string;
  readonly default: boolean;
  /** For recipients that match no rule. */
  readonly transports: readonly TransportSettings[];
  /** The first rule that contains the recipient's domain decides. */
  readonly rules?: readonly RecipientRule[];
  /** Waits after the first, second... failed attempt; the last one repeats. Missing: Hermod's own schedule. */
  readonly retryWaitsMs?: readonly number[];
  /** Maximum age of a delivery. Missing: the value of the setting. */
  readonly maxAgeMs?: number;
  readonly priority?: Priority;
  readonly limits?: PolicyLimits;
  readonly source?: SourceSettings;
  /** Messages contain List-Unsubscribe with one click (RFC 8058). */
  readonly listUnsubscribe?: boolean;
  /** Tracking of messages without own settings. Missing: none. */
  readonly tracking?: TrackingSettings;
  /** Transports of an account's policy must not lead to private addresses. Missing: see `authorOf`. */
  readonly storedBy?: PolicyAuthor;
  readonly updatedAt: Date;
  /** Changes each time it is stored. Missing: an early release stored it. */
  readonly revision?: string;
  /** Time of the deletion: waiting messages continue to use it, and no new message can. */
  readonly retiredAt?: Date;
  /** Set with `retiredAt`: time from which on no message can need it. */
  readonly expireAt?: Date;
}

/** Names a state of a policy: it changes each time the policy is stored. */
export function revisionOf({ revision, updatedAt }: Pick<PolicyDocument, "revision" | "updatedAt">): string {
  // A policy of an early release has none.
  return revision ?? String(Number(updatedAt));
}

/**
 * Author of a stored policy. Earlier releases recorded only accounts: the operator stored the others, except the
 * initial policy of each account.
 */
export function authorOf({
  storedBy,
  transports,
  rules = [],
}: Pick<PolicyDocument, "storedBy"> & {
  readonly transports: readonly Pick<TransportSettings, "kind">[];
  readonly rules?: readonly unknown[];
}): PolicyAuthor {
  const capturesAll = rules.length === 0 && transports.every(({ kind }) => kind === "sandbox");
  return storedBy ?? (capturesAll ? "account" : "operator");
}
