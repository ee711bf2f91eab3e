export type TlsMode = "implicit" | "required" | "opportunistic" | "none";

/** Where connections come from, as receivers see it; whatever is missing is the machine's choice. */
export interface SourceSettings {
  /** IPv4 address of this machine, for servers that are reached over IPv4. */
  readonly address?: string;
  /** IPv6 address of this machine, for servers that are reached over IPv6. */
  readonly address6?: string;
  /** Name given in EHLO: the one that the addresses' PTR records have. */
  readonly heloName?: string;
}

/** The DKIM signatures that Hermod adds: one of each algorithm that the domain has a key for, one, or none. */
export const dkimUses = ["both", "rsa", "ed25519", "none"] as const;
export type DkimUse = (typeof dkimUses)[number];

export interface SmtpTransportSettings {
  readonly kind: "smtp";
  readonly servers: readonly { readonly host: string; readonly port: number }[];
  readonly tls: TlsMode;
  readonly username?: string;
  /** Encrypted where it is stored. */
  readonly password?: string;
  readonly maxConnections: number;
  /** Missing: `rsa` for a provider that refuses two signatures, else `both`. */
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

/** Which messages go first: `transactional` before `bulk`, without starving it. */
export const priorities = ["transactional", "bulk"] as const;

export type Priority = (typeof priorities)[number];

/** Other ways for some recipients. */
export interface RecipientRule {
  /** Recipient domains as A-labels in lower case; `*.example.com`: every domain below it. */
  readonly domains: readonly string[];
  readonly transports: readonly TransportSettings[];
}

/** What one mail provider (all domains with the same servers) is given at most. */
export interface PolicyLimits {
  /** Deliveries under way at once. */
  readonly concurrency?: number;
  readonly messagesPerMinute?: number;
}

/** What of messages is tracked; what is missing is for others to say. */
export interface TrackingSettings {
  readonly opens?: boolean;
  readonly clicks?: boolean;
}

/** In whose name a policy was stored: the operator's, who knows this network, or that of an account's member. */
export type PolicyAuthor = "operator" | "account";

export interface PolicyDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly name: string;
  readonly default: boolean;
  /** For recipients of no rule. */
  readonly transports: readonly TransportSettings[];
  /** The first rule that names the recipient's domain decides. */
  readonly rules?: readonly RecipientRule[];
  /** Waits after the first, second... failed attempt; the last one repeats. Missing: Hermod's own schedule. */
  readonly retryWaitsMs?: readonly number[];
  /** Delivery is given up after this; missing: the setting's. */
  readonly maxAgeMs?: number;
  readonly priority?: Priority;
  readonly limits?: PolicyLimits;
  readonly source?: SourceSettings;
  /** Messages carry List-Unsubscribe with one click (RFC 8058). */
  readonly listUnsubscribe?: boolean;
  /** What of messages is tracked that do not say it themselves. Missing: nothing. */
  readonly tracking?: TrackingSettings;
  /** An account's does not lead its transports to private addresses. Missing: see `authorOf`. */
  readonly storedBy?: PolicyAuthor;
  readonly updatedAt: Date;
  /** Another one each time that it is stored. Missing: an early release stored it. */
  readonly revision?: string;
  /** It was deleted then: messages that wait go on as it says, and no other may choose it. */
  readonly retiredAt?: Date;
  /** Set with `retiredAt`: when no message can wait for it any more. */
  readonly expireAt?: Date;
}
