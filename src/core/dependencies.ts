import type { CheckDomain } from "../domains/check-domain.ts";
import type { SendingSetup } from "../domains/wanted-records.ts";
import type { Report } from "../message/dsn/report.ts";
import type { ReturnPaths } from "../message/dsn/return-path.ts";
import type { IncidentTokens } from "../message/incident-token.ts";
import type { TrackingTokens } from "../message/tracking/token.ts";
import type { UnsubscribeTokens } from "../message/unsubscribe/token.ts";
import type { StoreNotices } from "../notices/store-notices.ts";
import type { LookUpRoute } from "../routing/found-route.ts";
import type { AuditAction } from "../rpc/audits.ts";
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
import type { PostSample } from "./alerts/post-sample.ts";
import type { Dispatcher } from "./dispatch/dispatcher.ts";
import type { Followers } from "./events/followers.ts";
import type { IntelParts } from "./intel/intel-parts.ts";
import type { LiveHub } from "./live/hub.ts";
import type { Idempotency } from "./send/idempotency.ts";
import type { Intake } from "./send/intake.ts";
import type { SendLimits } from "./send/read-email.ts";
import type { SystemMail } from "./system-mail/system-mail.ts";

/** Copies the database to a new file. Rejects with the code EEXIST if the file exists. */
export type CopyDatabase = (
  target: string,
  progress: (progress: { readonly doneBytes: number; readonly totalBytes: number }) => void,
) => Promise<void>;

/** Limits of submissions. */
export interface CoreLimits extends SendLimits {
  /** Maximum number of RCPT commands for one message. */
  readonly recipients: number;
  /** Maximum number of Received fields of one message. */
  readonly hops: number;
  /** Adds the submitting client to the Received field. */
  readonly showsClient: boolean;
}

/** Retention times in milliseconds. */
export interface Retention {
  readonly contentMs: number;
  /** Idempotency keys. */
  readonly idempotencyMs: number;
  /** Finished messages and events. */
  readonly messageMs: number;
  /** Audit log, and proofs of removals. */
  readonly auditMs: number;
  /** Request log. */
  readonly requestMs: number;
  /** Captured mail. */
  readonly sandboxMs: number;
  /** Invalid addresses on the suppression list; undefined: forever. */
  readonly suppressionMs: number | undefined;
}

/** Addresses for returned mail; undefined: not configured. */
export interface ReturnAddresses {
  readonly bounceDomain: string | undefined;
  /** Address of the operator for postmaster and abuse of the bounce domain. */
  readonly postmasterAddress: string | undefined;
}

/** Limits of policies. */
export interface PolicyBounds {
  /** Public address of the HTTP API, used in List-Unsubscribe and tracking links. */
  readonly baseUrl: string | undefined;
  /** Default for policies without their own maximum age. */
  readonly maxAgeMs: number;
  /** Maximum age: bodies are stored that long; undefined: no maximum. */
  readonly longestAgeMs?: number;
  /** Accounts may use servers at private addresses. */
  readonly allowPrivate: boolean;
  /** Maximum time ahead of scheduled messages that use it; undefined: scheduling is not possible. */
  readonly longestScheduleMs?: number;
}

/** Settings that workers apply to every policy. */
export interface DeliveryFacts {
  /** Default maximum of concurrent deliveries to one mail provider. */
  readonly concurrency: number;
  /** Port of recipients' servers. */
  readonly mxPort: number;
  readonly ipv6: boolean;
  readonly dane: boolean;
  readonly mtaSts: boolean;
}

/** Tokens of pixels and links, and the stored data of clients that fetch them. */
export interface TrackingParts {
  /** Key that signs the tokens. */
  readonly key: Buffer;
  readonly tokens: TrackingTokens;
  readonly keepUserAgents: boolean;
  readonly keepClientAddresses: boolean;
}

/** Addresses of the relay for clients. */
export interface SmtpAccess {
  readonly endpoints: readonly SmtpEndpoint[];
  /** undefined: another process has the certificate. */
  readonly isSelfSigned: boolean | undefined;
}

/**
 * Facts about the installation from the settings and the ports of this process. A fact that only another process
 * knows is undefined: a core never guesses it.
 */
export interface InstallationFacts {
  readonly version: string;
  /** undefined: the program runs from source files, or was built without git and `BUILD_COMMIT`. */
  readonly commit: string | undefined;
  /** The process knows its own ports when it listens. */
  baseUrl(): string | undefined;
  smtp(): SmtpAccess | undefined;
  /** A setting defines the sender of Hermod's own mail. */
  readonly hasSystemMail: boolean;
  readonly rates: RateLimitOptions;
}

/** Dependencies of all areas of the core; each area selects its own with `Pick`. */
export interface Dependencies {
  /** Release of this program. */
  readonly program: string;
  readonly installation: InstallationFacts;
  readonly store: Store;
  readonly settings: AccountSettings;
  readonly clock: Clock;
  readonly log: Logger;
  /** All actions that calls can record in the audit log. */
  readonly auditActions: readonly AuditAction[];
  /** Queue partition of a message. */
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
  /** Limits for reads and cancellations with keys: the same number of calls as for sends, counted separately. */
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
  readonly postSample: PostSample;
  readonly intel: IntelParts;
  readonly passwords: Passwords;
  readonly throttle: SignInThrottle;
  readonly webauthn: Webauthn;
  /** undefined: there is no provider. */
  readonly oidc: Oidc | undefined;
  readonly mailThrottle: MailThrottle;
  readonly afterwards: Afterwards;
  /** Whether new users may sign up without an invitation. */
  readonly isSignUpOpen: boolean;
  /** undefined: the database has its own tools. */
  readonly copyDatabase: CopyDatabase | undefined;
  /** Counts the results of submissions. */
  readonly measured: <Arguments extends unknown[], Answer extends { readonly replayed?: boolean }>(
    accept: (...args: Arguments) => Promise<Answer>,
  ) => (...args: Arguments) => Promise<Answer>;
  /** Called with errors after a submission was decided. */
  readonly onError: (error: unknown) => void;
  /** Called for every report that was read, and for every notice of a provider. */
  readonly onReport: (kind: Report["kind"] | "notice" | "dmarc" | "tls" | "unknown", outcome: string) => void;
}

/** Dependencies of accepting a submission, over any protocol. */
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
