import { readSettings, type Settings } from "./settings.ts";

/** Version of this release. */
export const version = "0.1.0";

/** Replaced with the commit by the build (`scripts/bundle.js`). */
declare const BUILD_COMMIT: string;

/** Commit of the build: 12 hexadecimal digits, followed by `-changed` if files differed from it. */
export const commit = typeof BUILD_COMMIT === "undefined" ? "unknown" : BUILD_COMMIT;

/** Version with its commit, in the form of SemVer build metadata. */
export const build = commit === "unknown" ? version : `${version}+${commit}`;

/** Roles of a Hermod process. `all` runs every role in one process. */
export const roles = ["edge", "core", "worker", "smtp"] as const;
export type Role = (typeof roles)[number];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Configuration of this process by area, in milliseconds and bytes. Unset values are undefined. */
export type Config = ReturnType<typeof configOf>;

/**
 * Loads the configuration of this process.
 * @throws ConfigError that names every invalid setting, including unknown HERMOD_ settings
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return configOf(readSettings(env));
}

function configOf(settings: Settings) {
  const contentMs = settings.HERMOD_CONTENT_RETENTION_DAYS * DAY_MS;
  return {
    dataDir: settings.HERMOD_DATA_DIR,
    logLevel: settings.HERMOD_LOG_LEVEL,
    drainMs: settings.HERMOD_DRAIN_MS,
    frontEndThread: settings.HERMOD_FRONT_END_THREAD,
    /** Time for which keys, senders, policies and templates are cached. */
    cacheMs: settings.HERMOD_KEY_CACHE_MS,
    store: {
      /** undefined: the embedded engine in the data folder. */
      mongodbUrl: settings.MONGODB_URL,
      database: settings.MONGODB_DATABASE,
      /** Number of the last commit of the embedded database. All later commits may be lost. */
      acceptedLoss: settings.HERMOD_ACCEPT_DATA_LOSS,
      secretKeys: settings.HERMOD_SECRET_KEYS,
      /** 0: no maximum. */
      clockSkewMaxMs: settings.HERMOD_CLOCK_SKEW_MAX_MS,
      /** Minimum number of queue partitions. */
      partitions: settings.HERMOD_PARTITIONS,
    },
    http: {
      host: settings.HERMOD_HTTP_HOST,
      port: settings.HERMOD_HTTP_PORT,
      /** Both undefined: plain HTTP. */
      tls: { cert: settings.HERMOD_HTTP_TLS_CERT, key: settings.HERMOD_HTTP_TLS_KEY },
      baseUrl: settings.HERMOD_BASE_URL,
      trustedProxies: settings.HERMOD_TRUSTED_PROXIES,
      bodyMaxBytes: settings.HERMOD_HTTP_BODY_MAX_BYTES,
      validateResponses: settings.HERMOD_VALIDATE_RESPONSES,
    },
    tracking: {
      keepUserAgents: settings.HERMOD_TRACKING_USER_AGENTS,
      keepClientAddresses: settings.HERMOD_TRACKING_CLIENT_ADDRESSES,
    },
    signUp: settings.HERMOD_SIGN_UP,
    oidc: {
      /** undefined: there is no provider. */
      issuer: settings.HERMOD_OIDC_ISSUER,
      clientId: settings.HERMOD_OIDC_CLIENT_ID,
      clientSecret: settings.HERMOD_OIDC_CLIENT_SECRET,
      name: settings.HERMOD_OIDC_NAME,
      scopes: settings.HERMOD_OIDC_SCOPES,
      roleClaim: settings.HERMOD_OIDC_ROLE_CLAIM,
      roles: settings.HERMOD_OIDC_ROLES.map((entry) => ({
        value: entry.slice(0, entry.lastIndexOf("=")),
        role: entry.slice(entry.lastIndexOf("=") + 1),
      })),
      accountId: settings.HERMOD_OIDC_ACCOUNT,
    },
    /** Hermod's own mail. */
    mail: {
      from: settings.HERMOD_MAIL_FROM,
      /** Ignored, because a member could change the named policy. */
      formerPolicy: settings.HERMOD_MAIL_POLICY,
    },
    smtp: {
      host: settings.HERMOD_SMTP_HOST,
      port: settings.HERMOD_SMTP_PORT,
      /** Port with implicit TLS. */
      tlsPort: settings.HERMOD_SMTPS_PORT,
      /** Public addresses. Empty: not configured. */
      urls: settings.HERMOD_SMTP_URLS,
      maxSessions: settings.HERMOD_SMTP_SESSIONS_MAX,
      proxyNetworks: settings.HERMOD_SMTP_PROXY_NETWORKS,
      /** Accepts clients on this machine without TLS and authentication. */
      insecureLoopback: settings.HERMOD_SMTP_INSECURE_LOOPBACK,
      insecureKey: settings.HERMOD_SMTP_INSECURE_KEY,
      tls: { cert: settings.HERMOD_SMTP_TLS_CERT, key: settings.HERMOD_SMTP_TLS_KEY },
      heloName: settings.HERMOD_HELO_NAME,
    },
    bounces: {
      domain: settings.HERMOD_BOUNCE_DOMAIN,
      host: settings.HERMOD_BOUNCE_HOST,
      port: settings.HERMOD_BOUNCE_PORT,
      /** Domain of mailer-daemon@. */
      dsnDomain: settings.HERMOD_DSN_DOMAIN ?? settings.HERMOD_BOUNCE_DOMAIN,
      postmasterAddress: settings.HERMOD_POSTMASTER_ADDRESS,
    },
    providers: {
      token: settings.HERMOD_PROVIDER_SECRET,
      sesTopics: settings.HERMOD_SES_TOPICS,
      mailgunKey: settings.HERMOD_MAILGUN_SIGNING_KEY,
      sendgridKey: settings.HERMOD_SENDGRID_VERIFICATION_KEY,
    },
    intel: {
      /** The operator's items for blacklists. */
      blacklists: settings.HERMOD_BLACKLISTS,
      asksRegistries: settings.HERMOD_WATCH_EXPIRY,
    },
    domains: {
      /** Mechanisms that customers' SPF records must contain. */
      spfTerms: settings.HERMOD_SPF_TERMS,
    },
    grpc: {
      host: settings.HERMOD_GRPC_HOST,
      port: settings.HERMOD_GRPC_PORT,
      /** Address of the core in another process: one or several host:port items. */
      address: settings.HERMOD_GRPC_ADDRESS,
      deadlineMs: settings.HERMOD_CORE_DEADLINE_MS,
      tokens: {
        operator: settings.HERMOD_GRPC_TOKEN,
        frontEnd: settings.HERMOD_GRPC_FRONT_END_TOKEN,
        worker: settings.HERMOD_GRPC_WORKER_TOKEN,
      },
      /** TLS files of the core. clientCa: certificate authority of client certificates, which callers must present. */
      tls: {
        cert: settings.HERMOD_GRPC_TLS_CERT,
        key: settings.HERMOD_GRPC_TLS_KEY,
        clientCa: settings.HERMOD_GRPC_TLS_CLIENT_CA,
      },
      /** TLS files of callers. */
      callerTls: {
        ca: settings.HERMOD_GRPC_TLS_CA,
        cert: settings.HERMOD_GRPC_TLS_CLIENT_CERT,
        key: settings.HERMOD_GRPC_TLS_CLIENT_KEY,
      },
    },
    admin: {
      host: settings.HERMOD_ADMIN_HOST,
      hosts: settings.HERMOD_ADMIN_HOSTS,
      port: settings.HERMOD_ADMIN_PORT,
    },
    limits: {
      messageBytes: settings.HERMOD_MESSAGE_MAX_BYTES,
      bodyBytes: settings.HERMOD_BODY_MAX_BYTES,
      to: settings.HERMOD_TO_MAX,
      headers: settings.HERMOD_HEADERS_MAX,
      attachments: settings.HERMOD_ATTACHMENTS_MAX,
      sendAtDays: settings.HERMOD_SEND_AT_MAX_DAYS,
      hops: settings.HERMOD_MAX_HOPS,
      showsClient: settings.HERMOD_SMTP_SHOW_CLIENT,
      /** undefined: derived from the available memory. */
      bytesInFlight: settings.HERMOD_BYTES_IN_FLIGHT_MAX,
      /** Sends per second; 0: no limit. */
      keyRate: settings.HERMOD_RATE_LIMIT_KEY,
      accountRate: settings.HERMOD_RATE_LIMIT_ACCOUNT,
    },
    retention: {
      contentMs,
      messageMs: settings.HERMOD_MESSAGE_RETENTION_DAYS * DAY_MS,
      auditMs: settings.HERMOD_AUDIT_RETENTION_DAYS * DAY_MS,
      requestMs: settings.HERMOD_REQUEST_RETENTION_DAYS * DAY_MS,
      sandboxMs: settings.HERMOD_SANDBOX_RETENTION_HOURS * HOUR_MS,
      idempotencyMs: settings.HERMOD_IDEMPOTENCY_HOURS * HOUR_MS,
      /** Time for which an invalid address stays suppressed. undefined: forever. */
      suppressionMs:
        settings.HERMOD_SUPPRESSION_DAYS === 0 ? undefined : settings.HERMOD_SUPPRESSION_DAYS * DAY_MS,
    },
    delivery: {
      concurrency: settings.HERMOD_WORKER_CONCURRENCY,
      /** Holds delivery of all messages from the start on. */
      isHeld: settings.HERMOD_HOLD_DELIVERY,
      destinationConcurrency: settings.HERMOD_DESTINATION_CONCURRENCY,
      slowAfterMs: settings.HERMOD_SLOW_DELIVERY_MS,
      maxAgeMs: settings.HERMOD_MAX_AGE_HOURS * HOUR_MS,
      /** Longest delivery time of a policy. The body is still stored for the last attempt and for the notice after it. */
      longestAgeMs: contentMs - HOUR_MS,
      smtpTimeoutMs: settings.HERMOD_SMTP_TIMEOUT_MS,
      dnsServers: settings.HERMOD_DNS_SERVERS,
      mxPort: settings.HERMOD_MX_PORT,
      mtaSts: settings.HERMOD_MTA_STS,
      mtaStsPort: settings.HERMOD_MTA_STS_PORT,
      dane: settings.HERMOD_DANE,
      ipv6: settings.HERMOD_IPV6,
      allowPrivate: settings.HERMOD_ALLOW_PRIVATE_DESTINATIONS,
    },
  };
}
