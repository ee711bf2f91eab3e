import { z } from "zod";
import { grpcSettings } from "./grpc-settings.ts";
import { identitySettings } from "./identity-settings.ts";
import { domainOf, parseAddress } from "./message/address/addresses.ts";
import { parseDomain } from "./message/address/senders.ts";
import { providerSettings } from "./provider-settings.ts";
import { relaySettings } from "./relay-settings.ts";
import { count, flag, list, optional, optionalPort, port, text } from "./setting-kinds.ts";
import { isAddressRange, isLoopback } from "./shared/address-range.ts";
import { parseDnsServer } from "./shared/dns-server-address.ts";
import type { LogLevel } from "./shared/logger.ts";
import { nearestName } from "./shared/nearest-name.ts";
import { MAX_PARTITIONS } from "./shared/partition.ts";
import { parseSecretKey, SECRET_KEY_FORM } from "./shared/secret-keys.ts";

/** The local part of a return path takes 62 of the 254 octets of an address. */
function isReturnPathDomain(domain: string | undefined): boolean {
  if (domain === undefined) return true;
  const result = parseDomain(domain);
  return result.ok && result.domain === domain.toLowerCase() && domain.length <= 192;
}

/** Host name in a Host header. A single label, such as the name of a container, is allowed. */
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)*$/i;

const MEGABYTE = 1024 * 1024;

/** Variables of programs that send over Hermod, as the examples name them: the same shell may start Hermod. */
const CLIENT_VARIABLES: ReadonlySet<string> = new Set([
  "HERMOD_API_KEY",
  "HERMOD_URL",
  "HERMOD_SMTP_USER",
  "HERMOD_SMTP_PASSWORD",
]);
const isForeign = (name: string) => name.startsWith("HERMOD_TEST_") || CLIENT_VARIABLES.has(name);

/** Every setting with its default and its description. `.env.example` is generated from it. */
export const settings = {
  HERMOD_DATA_DIR: text("./data").describe(
    "Directory of the embedded database, first-run.json, the gRPC token and the secret key.",
  ),
  HERMOD_ACCEPT_DATA_LOSS: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe(
      "Starts although acknowledged commits of the embedded database are lost. Set it to the number of the last remaining commit, which the error of the refused start contains. Empty: such a start is refused.",
    ),
  MONGODB_URL: optional().describe(
    "Connection string of a MongoDB 7 replica set. Empty: the embedded engine in HERMOD_DATA_DIR.",
  ),
  MONGODB_DATABASE: text("hermod").describe("Name of the MongoDB database."),
  HERMOD_CLOCK_SKEW_MAX_MS: count(300_000).describe(
    "Maximum difference in milliseconds between the clocks of this machine and of the database at the start of a core or worker. 0: no maximum.",
  ),
  HERMOD_SECRET_KEYS: list()
    .refine(
      (keys) => keys.every((key) => parseSecretKey(key) !== undefined),
      `each must be ${SECRET_KEY_FORM}`,
    )
    .describe(
      "Keys for DKIM keys and passwords in the database, comma-separated. The first key encrypts, all keys decrypt. `hermod secrets new-key` creates a key. Empty: a key in HERMOD_DATA_DIR, only with the embedded engine.",
    ),
  HERMOD_HTTP_HOST: text("0.0.0.0").describe("Address on which the public HTTP API listens."),
  HERMOD_HTTP_PORT: port(8080).describe("Port of the public HTTP API. 0: any free port."),
  HERMOD_HTTP_TLS_CERT: optional().describe(
    "PEM file with the certificate chain of the public HTTP API. The port then uses HTTPS (HTTP/2 and HTTP/1.1), and the file is read again when it changes. Empty: plain HTTP, for a reverse proxy.",
  ),
  HERMOD_HTTP_TLS_KEY: optional().describe("PEM file with the private key of HERMOD_HTTP_TLS_CERT."),
  HERMOD_BASE_URL: optional().describe(
    "Public address of the HTTP API, for example https://mail.example.com. Unsubscribe links and tracked links use it, too. Empty: http://127.0.0.1 (https with HERMOD_HTTP_TLS_CERT) and the port.",
  ),
  ...identitySettings,
  HERMOD_TRUSTED_PROXIES: list()
    .refine((ranges) => ranges.every(isAddressRange), "must be IP addresses or CIDR ranges, comma-separated")
    .describe(
      "IP addresses or CIDR ranges of trusted reverse proxies, comma-separated. Hermod uses X-Forwarded-For and X-Forwarded-Proto only from them.",
    ),
  ...relaySettings,
  HERMOD_BOUNCE_DOMAIN: optional()
    .refine(isReturnPathDomain, "must be a domain name in DNS form, of at most 192 characters")
    .describe(
      "Domain of return paths, which receives bounces, for example bounce.example.com. Empty: bounces go to the sender's address.",
    ),
  HERMOD_DSN_DOMAIN: optional()
    .refine(isReturnPathDomain, "must be a domain name in DNS form, of at most 192 characters")
    .describe(
      "Domain of the mailer-daemon@ address that sends delivery status notifications to SMTP senders. Empty: HERMOD_BOUNCE_DOMAIN, or the sender's own domain.",
    ),
  HERMOD_POSTMASTER_ADDRESS: optional()
    .refine((given) => given === undefined || parseAddress(given).ok, "must be an e-mail address")
    .transform((given) => {
      const parsed = given === undefined ? undefined : parseAddress(given);
      return parsed?.ok ? parsed.address : undefined;
    })
    .describe(
      "Address to which mail to postmaster@ and abuse@ of HERMOD_BOUNCE_DOMAIN is forwarded. Empty: such mail is refused.",
    ),
  HERMOD_BOUNCE_HOST: text("0.0.0.0").describe("Address on which the bounce server listens."),
  HERMOD_BOUNCE_PORT: optionalPort().describe(
    "Port of the SMTP server that accepts bounces to HERMOD_BOUNCE_DOMAIN. 0: any free port. Empty: none.",
  ),
  ...providerSettings,
  HERMOD_SUPPRESSION_DAYS: count(90).describe(
    "Days for which an address without a mailbox stays on the suppression list. 0: forever.",
  ),
  ...grpcSettings,
  HERMOD_CORE_DEADLINE_MS: count(15_000, 1).describe(
    "Milliseconds that a request to a front end (HTTP or SMTP) waits for the core, including the time of transmission. If the core is known to be unavailable, requests do not wait.",
  ),
  HERMOD_ADMIN_HOST: text("127.0.0.1").describe(
    "Address on which the admin port listens. The admin port has no authentication.",
  ),
  HERMOD_ADMIN_HOSTS: list()
    .refine((names) => names.every((name) => HOST_NAME.test(name)), "must be host names, without ports")
    .describe(
      "Host names that the admin port accepts in requests, comma-separated, in addition to localhost, HERMOD_ADMIN_HOST and IP addresses.",
    ),
  HERMOD_ADMIN_PORT: port(9090).describe(
    "Admin port, which serves /healthz, /readyz, /metrics and the sandbox inbox. 0: any free port.",
  ),
  HERMOD_TRACKING_USER_AGENTS: flag(true).describe(
    "Stores the User-Agent of clients that open tracked messages or follow their links.",
  ),
  HERMOD_TRACKING_CLIENT_ADDRESSES: flag(false).describe(
    "Stores the IP address of clients that open tracked messages or follow their links.",
  ),
  HERMOD_VALIDATE_RESPONSES: flag(false).describe(
    "Validates every HTTP answer against the contract. For tests.",
  ),
  HERMOD_FRONT_END_THREAD: z
    .enum(["auto", "always", "never"])
    .default("auto")
    .describe(
      "Runs the HTTP API and the SMTP listeners in a separate thread if the process also runs the core. auto: if the process may use more than one processor and 1 GB of memory.",
    ),
  HERMOD_LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"])
    .default("info")
    .describe("Lowest level that is logged."),
  HERMOD_MESSAGE_MAX_BYTES: count(25 * MEGABYTE, 1).describe(
    "Maximum size of a message in bytes, encoded for delivery.",
  ),
  HERMOD_BODY_MAX_BYTES: count(5 * MEGABYTE, 1).describe("Maximum size of html and of text in bytes, each."),
  HERMOD_HTTP_BODY_MAX_BYTES: count(36 * MEGABYTE, 1).describe(
    "Maximum size of an HTTP request body in bytes.",
  ),
  HERMOD_BYTES_IN_FLIGHT_MAX: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe(
      "Maximum number of bytes of submissions over 64 kB that one process holds in memory. Smaller submissions have a quarter more to themselves. One key can use at most half of it, one account three quarters. Empty: derived from the process's heap and memory limit, at most 100663296.",
    ),
  HERMOD_TO_MAX: count(50, 1).describe("Maximum number of addresses in `to`."),
  HERMOD_HEADERS_MAX: count(50).describe("Maximum number of custom header fields."),
  HERMOD_ATTACHMENTS_MAX: count(100).describe("Maximum number of attachments."),
  HERMOD_SEND_AT_MAX_DAYS: count(30).describe("Maximum number of days that `send_at` may be ahead."),
  HERMOD_IDEMPOTENCY_HOURS: count(24, 1).describe("Hours for which an idempotency key is remembered."),
  HERMOD_RATE_LIMIT_KEY: count(10_000).describe(
    "Maximum number of sends per second with one key. 0: no limit.",
  ),
  HERMOD_RATE_LIMIT_ACCOUNT: count(10_000).describe(
    "Maximum number of sends per second of one account. 0: no limit.",
  ),
  HERMOD_KEY_CACHE_MS: count(3000).describe(
    "Milliseconds for which the core caches keys, senders, policies and templates.",
  ),
  HERMOD_WORKER_CONCURRENCY: count(250, 1).describe("Maximum number of concurrent deliveries of one worker."),
  HERMOD_HOLD_DELIVERY: flag(false).describe(
    "Holds delivery of all messages from this start on, as `hermod start --hold-delivery` does. Use it for the first start of a restored backup. `hermod queue release --all` ends the hold.",
  ),
  HERMOD_PARTITIONS: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_PARTITIONS)
    .optional()
    .describe(
      "Minimum number of queue partitions that workers share. The database stores the number, which never decreases. Empty: the number in the database; for a new database 192 (64 with the embedded engine).",
    ),
  HERMOD_DESTINATION_CONCURRENCY: count(20, 1).describe(
    "Maximum number of concurrent deliveries to one mail provider, of all workers together, for policies without their own limit.",
  ),
  HERMOD_SLOW_DELIVERY_MS: count(3_000, 1).describe(
    "Milliseconds after which a delivery counts as slow. Slow servers leave capacity for the others.",
  ),
  HERMOD_MAX_AGE_HOURS: count(48, 1).describe("Hours after which an undelivered message expires."),
  HERMOD_MAX_HOPS: count(50, 1).describe(
    "Maximum number of Received fields. A message with more of them is in a mail loop, and bounces.",
  ),
  HERMOD_DNS_SERVERS: list()
    .refine(
      (servers) => servers.every((server) => parseDnsServer(server) !== undefined),
      "must be IP addresses, each with or without :port",
    )
    .describe(
      "DNS resolvers, for example 10.0.0.53 or 10.0.0.53:5353, comma-separated. Empty: the system's resolvers.",
    ),
  HERMOD_BLACKLISTS: list()
    .refine(
      (items) =>
        items.every((item) =>
          /^[a-z0-9_]+:(?:off|on|registered|key=[A-Za-z0-9-]{1,63}|queries=[1-9]\d{0,8})$/.test(item),
        ),
      "must be items such as spamhaus_zen:key=abc, barracuda:registered, psbl:off or spamcop:queries=5000",
    )
    .describe(
      "Settings of blacklists for watched domains that differ from the defaults, for example spamhaus_zen:key=abc,barracuda:registered,psbl:off,spamcop:queries=5000 (queries per day).",
    ),
  HERMOD_WATCH_EXPIRY: flag(false).describe(
    "Reads the registration expiry of each watched domain from its registry (RDAP), once a week.",
  ),
  HERMOD_SPF_TERMS: list()
    .refine(
      (terms) => terms.every((term) => /^(?:include|ip4|ip6|a|mx|exists):[^\s"%]{1,250}$/i.test(term)),
      "must be SPF mechanisms with a value, such as include:_spf.example.net or ip4:192.0.2.1",
    )
    .describe(
      "SPF mechanisms that the SPF records of sending domains must contain, for example include:_spf.example.net, comma-separated. Empty: none.",
    ),
  HERMOD_MX_PORT: port(25).describe("Port of recipients' mail servers."),
  HERMOD_MTA_STS: flag(true).describe("Applies the MTA-STS policies of recipients' domains (RFC 8461)."),
  HERMOD_MTA_STS_PORT: port(443).describe("Port from which MTA-STS policies are fetched."),
  HERMOD_DANE: flag(false).describe(
    "Uses DANE. Set it only if HERMOD_DNS_SERVERS are validating resolvers on a trusted network path.",
  ),
  HERMOD_IPV6: z
    .enum(["prefer", "allow", "never"])
    .default("allow")
    .describe(
      "Use of IPv6 to recipients' servers: before IPv4 (prefer), after IPv4 (allow), or not at all (never).",
    ),
  HERMOD_ALLOW_PRIVATE_DESTINATIONS: flag(false).describe(
    "Permits delivery to loopback and private addresses of MX records and of servers in accounts' policies. For tests and closed networks.",
  ),
  HERMOD_SMTP_TIMEOUT_MS: count(600_000, 1).describe(
    "Maximum wait in milliseconds for a server in each step of delivery. Shorter limits still apply: 30 s to connect, and the 2 to 10 minutes of RFC 5321 for answers.",
  ),
  HERMOD_HELO_NAME: optional().describe(
    "Name in EHLO, which should be the name in the PTR record of the source address. Empty: the machine's name, if it contains a dot.",
  ),
  HERMOD_CONTENT_RETENTION_DAYS: count(30, 1).describe("Days for which bodies are stored."),
  HERMOD_MESSAGE_RETENTION_DAYS: count(60, 1).describe(
    "Days for which finished messages and events are stored.",
  ),
  HERMOD_AUDIT_RETENTION_DAYS: count(400, 1).describe("Days for which audit log entries are stored."),
  HERMOD_REQUEST_RETENTION_DAYS: count(7, 1).describe(
    "Days for which the log of requests made with keys is stored.",
  ),
  HERMOD_SANDBOX_RETENTION_HOURS: count(168, 1).describe(
    "Hours for which the sandbox stores captured messages.",
  ),
  HERMOD_DRAIN_MS: count(30_000).describe(
    "Maximum wait in milliseconds of a stopping process for running work.",
  ),
} as const;

const schema = z.object(settings);

/** Settings that are only valid together. */
const pairs = [
  ["HERMOD_HTTP_TLS_CERT", "HERMOD_HTTP_TLS_KEY"],
  ["HERMOD_SMTP_TLS_CERT", "HERMOD_SMTP_TLS_KEY"],
  ["HERMOD_OIDC_ISSUER", "HERMOD_OIDC_CLIENT_ID"],
  ["HERMOD_GRPC_TLS_CERT", "HERMOD_GRPC_TLS_KEY"],
  ["HERMOD_GRPC_TLS_CLIENT_CERT", "HERMOD_GRPC_TLS_CLIENT_KEY"],
] as const;

/** Values of the settings, in their own units. */
export type Settings = z.output<typeof schema> & { readonly HERMOD_LOG_LEVEL: LogLevel };

/** Invalid settings: names all of them at once. */
export class ConfigError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`These settings cannot be used:\n${faults.map((line) => `  ${line}`).join("\n")}`);
    this.name = "ConfigError";
    this.faults = faults;
  }
}

/**
 * Reads the settings from environment variables. An empty variable counts as unset.
 * @throws ConfigError that names every invalid setting, including unknown HERMOD_ settings.
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ""),
  );
  const unknown = Object.keys(given)
    .filter((name) => name.startsWith("HERMOD_") && !(name in settings) && !isForeign(name))
    .map((name) => {
      const nearest = nearestName(name, Object.keys(settings));
      const advice = nearest
        ? `unknown setting; the nearest name is ${nearest}`
        : "unknown setting, and no similar one; .env.example lists all settings";
      return `${name}: ${advice}. The prefix HERMOD_ is reserved for Hermod: use another name for a variable of your own`;
    });
  const result = schema.safeParse(given);
  const invalid = result.success
    ? []
    : result.error.issues.map((issue) => `${issue.path.join(".")}: ${describeIssue(issue, given)}`);
  const halves = pairs
    .filter(([first, second]) => (given[first] === undefined) !== (given[second] === undefined))
    .map(([first, second]) => {
      const missing = given[first] === undefined ? first : second;
      return `${missing}: must also be set, because ${first} and ${second} are only valid together`;
    });
  const needless =
    given.HERMOD_BOUNCE_PORT !== undefined && given.HERMOD_BOUNCE_DOMAIN === undefined
      ? [
          "HERMOD_BOUNCE_DOMAIN: must also be set, because HERMOD_BOUNCE_PORT receives mail only for that domain",
        ]
      : [];
  const unmatched =
    given.HERMOD_PROVIDER_SECRET !== undefined && given.HERMOD_BOUNCE_DOMAIN === undefined
      ? [
          "HERMOD_BOUNCE_DOMAIN: must also be set, because its return paths identify the message of a provider's notice (HERMOD_PROVIDER_SECRET)",
        ]
      : [];
  const incomplete =
    given.HERMOD_OIDC_ISSUER !== undefined && given.HERMOD_BASE_URL === undefined
      ? [
          "HERMOD_BASE_URL: must also be set, because the provider of HERMOD_OIDC_ISSUER sends browsers back to it",
        ]
      : [];
  const circular = isInDomain(given.HERMOD_POSTMASTER_ADDRESS, given.HERMOD_BOUNCE_DOMAIN)
    ? [
        "HERMOD_POSTMASTER_ADDRESS: must not be in HERMOD_BOUNCE_DOMAIN, because mail to that domain is forwarded to it",
      ]
    : [];
  const { HERMOD_SMTP_HOST: smtpHost = settings.HERMOD_SMTP_HOST.parse(undefined) } = given;
  const open =
    given.HERMOD_SMTP_INSECURE_LOOPBACK === "true" && !isLoopback(smtpHost)
      ? [
          `HERMOD_SMTP_HOST: must be a loopback address, for example 127.0.0.1, with HERMOD_SMTP_INSECURE_LOOPBACK (it is "${smtpHost}")`,
        ]
      : [];
  const tooShort = result.success ? retentionFaults(result.data) : [];
  const faults = [
    ...invalid,
    ...unknown,
    ...halves,
    ...needless,
    ...unmatched,
    ...incomplete,
    ...circular,
    ...open,
    ...tooShort,
    ...tooSmall(result.data),
    ...equalTokens(given),
  ];
  if (!result.success || faults.length > 0) throw new ConfigError(faults);
  return result.data;
}

function isInDomain(address: string | undefined, domain: string | undefined): boolean {
  return address !== undefined && domain !== undefined && domainOf(address) === domain.toLowerCase();
}

/** The largest body and the largest message must fit into HERMOD_BYTES_IN_FLIGHT_MAX. */
function tooSmall(config: Settings | undefined): string[] {
  if (!config) return [];
  const { HERMOD_BYTES_IN_FLIGHT_MAX: most } = config;
  return (["HERMOD_HTTP_BODY_MAX_BYTES", "HERMOD_MESSAGE_MAX_BYTES"] as const)
    .filter((name) => most !== undefined && config[name] > most)
    .map((name) => `HERMOD_BYTES_IN_FLIGHT_MAX: must be ${name} (${config[name]}) or more (it is "${most}")`);
}

/** A role with the token of another role would have its permissions. */
function equalTokens(given: Readonly<Record<string, string | undefined>>): string[] {
  const names = ["HERMOD_GRPC_TOKEN", "HERMOD_GRPC_FRONT_END_TOKEN", "HERMOD_GRPC_WORKER_TOKEN"];
  return names.flatMap((name, index) => {
    const same = names.slice(0, index).find((other) => given[name] && given[other] === given[name]);
    return same === undefined ? [] : [`${name}: must differ from ${same}`];
  });
}

function describeIssue(issue: z.core.$ZodIssue, given: Record<string, string | undefined>): string {
  const name = String(issue.path[0]);
  const shown = /TOKEN|URL|SECRET/.test(name) ? undefined : given[name];
  return shown === undefined ? issue.message : `${issue.message} (it is "${shown}")`;
}

/** A removed body cannot be delivered, so bodies are stored one hour longer than delivery is attempted. */
function retentionFaults(config: z.output<typeof schema>): string[] {
  const { HERMOD_CONTENT_RETENTION_DAYS: days, HERMOD_MAX_AGE_HOURS: hours } = config;
  if (hours < days * 24) return [];
  return [
    `HERMOD_CONTENT_RETENTION_DAYS: must be longer than HERMOD_MAX_AGE_HOURS, because bodies would be removed before the last delivery attempt (it is ${days} days, and ${hours} hours)`,
  ];
}
