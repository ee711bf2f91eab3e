import { readSettings, type Settings } from "./settings.ts";

/** The version of this release. */
export const version = "0.1.0";

/** The commit, in place of this name since the build (`scripts/bundle.js`). */
declare const BUILD_COMMIT: string;

/** The commit that this program was built from: 12 hexadecimal digits, `-changed` behind them where files differed. */
export const commit = typeof BUILD_COMMIT === "undefined" ? "unknown" : BUILD_COMMIT;

/** The version with its commit, as SemVer writes build metadata. */
export const build = commit === "unknown" ? version : `${version}+${commit}`;

/** What one process of Hermod does; `all` is every role in one process. */
export const roles = ["edge", "core", "worker", "smtp"] as const;
export type Role = (typeof roles)[number];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What this process is told to be: by what it concerns, in milliseconds and bytes; undefined is what is not set. */
export type Config = ReturnType<typeof configOf>;

/**
 * The configuration of this process.
 * @throws ConfigError naming every setting that is wrong, unknown HERMOD_ ones included
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
    /** How long answers about keys, senders, policies and templates may come from memory. */
    cacheMs: settings.HERMOD_KEY_CACHE_MS,
    store: {
      /** undefined: the embedded engine in the data folder. */
      mongodbUrl: settings.MONGODB_URL,
      database: settings.MONGODB_DATABASE,
      /** Number of the last commit that the embedded database may have lost everything after. */
      acceptedLoss: settings.HERMOD_ACCEPT_DATA_LOSS,
      secretKeys: settings.HERMOD_SECRET_KEYS,
      /** 0: however far. */
      clockSkewMaxMs: settings.HERMOD_CLOCK_SKEW_MAX_MS,
      /** Partitions of the queue, at least. */
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
    /** Of Hermod's own. */
    mail: {
      from: settings.HERMOD_MAIL_FROM,
      /** Ignored: a member could change the policy that it named. */
      formerPolicy: settings.HERMOD_MAIL_POLICY,
    },
    smtp: {
      host: settings.HERMOD_SMTP_HOST,
      port: settings.HERMOD_SMTP_PORT,
      /** The port on which TLS comes first. */
      tlsPort: settings.HERMOD_SMTPS_PORT,
      /** Public addresses; empty: no setting names them. */
      urls: settings.HERMOD_SMTP_URLS,
      maxSessions: settings.HERMOD_SMTP_SESSIONS_MAX,
      proxyNetworks: settings.HERMOD_SMTP_PROXY_NETWORKS,
      /** Neither TLS nor authentication, for peers on this machine. */
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
      /** Items of what the operator has set for blacklists. */
      blacklists: settings.HERMOD_BLACKLISTS,
      asksRegistries: settings.HERMOD_WATCH_EXPIRY,
    },
    domains: {
      /** Mechanisms that customers' SPF records are to have. */
      spfTerms: settings.HERMOD_SPF_TERMS,
    },
    grpc: {
      host: settings.HERMOD_GRPC_HOST,
      port: settings.HERMOD_GRPC_PORT,
      /** The core elsewhere: host:port, or several of them. */
      address: settings.HERMOD_GRPC_ADDRESS,
      deadlineMs: settings.HERMOD_CORE_DEADLINE_MS,
      tokens: {
        operator: settings.HERMOD_GRPC_TOKEN,
        frontEnd: settings.HERMOD_GRPC_FRONT_END_TOKEN,
        worker: settings.HERMOD_GRPC_WORKER_TOKEN,
      },
      /** The core's; clientCa: callers must show a certificate of this authority. */
      tls: {
        cert: settings.HERMOD_GRPC_TLS_CERT,
        key: settings.HERMOD_GRPC_TLS_KEY,
        clientCa: settings.HERMOD_GRPC_TLS_CLIENT_CA,
      },
      /** What callers expect of the core, and show to it. */
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
      /** undefined: what fits into the memory there is. */
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
      /** For how long an address that is not valid receives nothing; undefined: for ever. */
      suppressionMs:
        settings.HERMOD_SUPPRESSION_DAYS === 0 ? undefined : settings.HERMOD_SUPPRESSION_DAYS * DAY_MS,
    },
    delivery: {
      concurrency: settings.HERMOD_WORKER_CONCURRENCY,
      /** The start holds all messages. */
      isHeld: settings.HERMOD_HOLD_DELIVERY,
      destinationConcurrency: settings.HERMOD_DESTINATION_CONCURRENCY,
      slowAfterMs: settings.HERMOD_SLOW_DELIVERY_MS,
      maxAgeMs: settings.HERMOD_MAX_AGE_HOURS * HOUR_MS,
      /** As long as a policy may try: a body is there for the last attempt, and for the notice after it. */
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
