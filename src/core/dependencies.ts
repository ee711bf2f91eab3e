import type { CheckDomain } from "../domains/check-domain.ts";
import type { SendingSetup } from "../domains/wanted-records.ts";
import type { Report } from "../message/dsn/report.ts";
import type { ReturnPaths } from "../message/dsn/return-path.ts";
import type { IncidentTokens } from "../message/incident-token.ts";
import type { TrackingTokens } from "../message/tracking/token.ts";
import type { UnsubscribeTokens } from "../message/unsubscribe/token.ts";
import type { StoreNotices } from "../notices/store-notices.ts";
import type { LookUpRoute } from "../routing/found-route.ts";
import type { Afterwards } from "../shared/afterwards.ts";
import type { ByteBudget } from "../shared/byte-budget.ts";
import type { Clock } from "../shared/clock.ts";
import type { Logger } from "../shared/logger.ts";
import type { PartitionOf } from "../shared/partition.ts";
import type { SmtpEndpoint } from "../shared/smtp-url.ts";
import type { Store } from "../store/store.ts";
import type { AccountSettings } from "./access/account-settings.ts";
import type { KeyAuthenticator } from "./access/authenticate-key.ts";
import type { MailThrottle } from "./access/mail-throttle.ts";
import type { Oidc } from "./access/oidc.ts";
import type { Passwords } from "./access/passwords.ts";
import type { RateLimitOptions, RateLimits } from "./access/rate-limits.ts";
import type { SignInThrottle } from "./access/sign-in-throttle.ts";
import type { VerifySender } from "./access/verify-sender.ts";
import type { Webauthn } from "./access/webauthn.ts";
import type { AlertEngine } from "./alerts/alert-engine.ts";
import type { Dispatcher } from "./dispatch/dispatcher.ts";
import type { Followers } from "./events/followers.ts";
import type { IntelParts } from "./intel/intel-parts.ts";
import type { LiveHub } from "./live/hub.ts";
import type { Idempotency } from "./send/idempotency.ts";
import type { Intake } from "./send/intake.ts";
import type { SendLimits } from "./send/read-email.ts";
import type { SystemMail } from "./system-mail/system-mail.ts";

/** Copies the database to a new file. Rejects with the code EEXIST when something is there. */
export type CopyDatabase = (
  target: string,
  progress: (progress: { readonly doneBytes: number; readonly totalBytes: number }) => void,
) => Promise<void>;

/** What submissions may be. */
export interface CoreLimits extends SendLimits {
  /** RCPT commands of one message. */
  readonly recipients: number;
  /** Received fields of one message. */
  readonly hops: number;
  /** Received fields name the client that submitted a message. */
  readonly showsClient: boolean;
}

/** How long things are kept, in milliseconds. */
export interface Retention {
  readonly contentMs: number;
  /** Idempotency keys. */
  readonly idempotencyMs: number;
  /** Finished messages and events. */
  readonly messageMs: number;
  /** The audit log, and proofs of what was removed. */
  readonly auditMs: number;
  /** The log of requests. */
  readonly requestMs: number;
  /** Captured mail. */
  readonly sandboxMs: number;
  /** Addresses that are not valid, on the suppression list; undefined: for ever. */
  readonly suppressionMs: number | undefined;
}

/** Addresses that mail comes back to; what is undefined is not set up. */
export interface ReturnAddresses {
  readonly bounceDomain: string | undefined;
  /** The operator's, for postmaster and abuse of the bounce domain. */
  readonly postmasterAddress: string | undefined;
}

/** What a policy is held to. */
export interface PolicyBounds {
  /** Public address of the HTTP API, where the links of List-Unsubscribe and of tracking lead. */
  readonly baseUrl: string | undefined;
  /** For policies without a maximum age of their own. */
  readonly maxAgeMs: number;
  /** As long as bodies are kept; undefined: any age will do. */
  readonly longestAgeMs?: number;
  /** Accounts may name servers at private addresses. */
  readonly allowPrivate: boolean;
  /** How far ahead messages may be scheduled that are to leave by it; undefined: not at all. */
  readonly longestScheduleMs?: number;
}

/** What workers do with every policy. */
export interface DeliveryFacts {
  /** Deliveries to one mail provider at once, where nobody says anything. */
  readonly concurrency: number;
  /** Port of recipients' servers. */
  readonly mxPort: number;
  readonly ipv6: boolean;
  readonly dane: boolean;
  readonly mtaSts: boolean;
}

/** Tokens of pixels and links, and what is kept of whoever fetches them. */
export interface TrackingParts {
  /** What the tokens are signed with. */
  readonly key: Buffer;
  readonly tokens: TrackingTokens;
  readonly keepUserAgents: boolean;
  readonly keepClientAddresses: boolean;
}

/** How clients reach the relay. */
export interface SmtpAccess {
  readonly endpoints: readonly SmtpEndpoint[];
  /** undefined: another process has the certificate. */
  readonly isSelfSigned: boolean | undefined;
}

/**
 * Facts about the installation from the settings and the ports of this process. A fact that another process alone knows is
 * undefined: a core never guesses it.
 */
export interface InstallationFacts {
  readonly version: string;
  /** undefined: the program was not built. */
  readonly commit: string | undefined;
  /** The process's own ports are known once it listens. */
  baseUrl(): string | undefined;
  smtp(): SmtpAccess | undefined;
  /** A setting names the sender of mail of Hermod's own. */
  readonly hasSystemMail: boolean;
  readonly rates: RateLimitOptions;
}

/** All that areas of the core may need; each takes what it uses with `Pick`. */
export interface Dependencies {
  /** The release of this program. */
  readonly program: string;
  readonly installation: InstallationFacts;
  readonly store: Store;
  readonly settings: AccountSettings;
  readonly clock: Clock;
  readonly log: Logger;
  /** Every action that entries of the audit log may have of calls. */
  readonly auditActions: readonly string[];
  /** In which partition of the queue a message waits. */
  readonly partitionOf: PartitionOf;
  readonly limits: CoreLimits;
  readonly retention: Retention;
  readonly policyBounds: PolicyBounds;
  readonly deliveryFacts: DeliveryFacts;
  readonly lookUpRoute: LookUpRoute;
  readonly returnAddresses: ReturnAddresses;
  readonly sendingSetup: SendingSetup;
  readonly checkDomain: CheckDomain;
  readonly authenticator: KeyAuthenticator;
  readonly verifySender: VerifySender;
  readonly rateLimits: RateLimits;
  /** For what keys look at and cancel: as many calls as they may make to send, and counted apart from those. */
  readonly readRateLimits: RateLimits;
  readonly idempotency: Idempotency;
  readonly intake: Intake;
  readonly dispatcher: Dispatcher;
  readonly live: LiveHub;
  readonly followers: Followers;
  readonly budget: ByteBudget;
  /** undefined: there is no domain of return paths. */
  readonly returnPaths: ReturnPaths | undefined;
  readonly unsubscribeTokens: UnsubscribeTokens;
  readonly tracking: TrackingParts;
  readonly storeNotices: StoreNotices;
  readonly systemMail: SystemMail;
  readonly alertEngine: AlertEngine;
  readonly incidentTokens: IncidentTokens;
  readonly intel: IntelParts;
  readonly passwords: Passwords;
  readonly throttle: SignInThrottle;
  readonly webauthn: Webauthn;
  /** undefined: there is no provider. */
  readonly oidc: Oidc | undefined;
  readonly mailThrottle: MailThrottle;
  readonly afterwards: Afterwards;
  /** Whether strangers may make users and accounts for themselves. */
  readonly isSignUpOpen: boolean;
  /** undefined: the database has tools of its own. */
  readonly copyDatabase: CopyDatabase | undefined;
  /** Counts what becomes of submissions. */
  readonly measured: <Arguments extends unknown[], Answer extends { readonly replayed?: boolean }>(
    accept: (...args: Arguments) => Promise<Answer>,
  ) => (...args: Arguments) => Promise<Answer>;
  /** Told of what went wrong after a submission was decided. */
  readonly onTrouble: (error: unknown) => void;
  /** Told of every report that was read, and every notice of a provider. */
  readonly onReport: (kind: Report["kind"] | "notice" | "dmarc" | "tls" | "unknown", outcome: string) => void;
}

/** What accepting a submission needs, over whichever protocol it comes. */
export type AcceptNeeds = Pick<
  Dependencies,
  | "settings"
  | "policyBounds"
  | "verifySender"
  | "limits"
  | "partitionOf"
  | "retention"
  | "authenticator"
  | "rateLimits"
  | "idempotency"
  | "intake"
  | "budget"
  | "measured"
  | "clock"
  | "log"
>;
