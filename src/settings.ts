import { z } from "zod";
import { grpcSettings } from "./grpc-settings.ts";
import { identitySettings } from "./identity-settings.ts";
import { domainOf, parseAddress } from "./message/address/addresses.ts";
import { parseDomain } from "./message/address/senders.ts";
import { providerSettings } from "./provider-settings.ts";
import { count, flag, list, optional, optionalPort, port, text } from "./setting-kinds.ts";
import { isAddressRange, isLoopback } from "./shared/address-range.ts";
import { parseDnsServer } from "./shared/dns-server-address.ts";
import type { LogLevel } from "./shared/logger.ts";
import { nearestName } from "./shared/nearest-name.ts";
import { MAX_PARTITIONS } from "./shared/partition.ts";
import { parseSecretKey, SECRET_KEY_FORM } from "./shared/secret-keys.ts";
import { parseSmtpUrl, SMTP_URL_FORM } from "./shared/smtp-url.ts";

/** What stands before it takes 62 of an address's 254 octets. */
function isReturnPathDomain(domain: string | undefined): boolean {
  if (domain === undefined) return true;
  const result = parseDomain(domain);
  return result.ok && result.domain === domain.toLowerCase() && domain.length <= 192;
}

/** As a Host header has it: also the single label of a container's name. */
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)*$/i;

const MEGABYTE = 1024 * 1024;

/** Every setting, its default and what it does. `.env.example` is written from this. */
export const settings = {
  HERMOD_DATA_DIR: text("./data").describe(
    "Folder for the embedded database, first-run.json, the gRPC token and the secret key.",
  ),
  HERMOD_ACCEPT_DATA_LOSS: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe(
      "Number of the last commit that the embedded database still has, as a refused start names it: goes on without the acknowledged ones after it; empty: such a start is refused.",
    ),
  MONGODB_URL: optional().describe(
    "Connection string of a MongoDB 7 replica set; empty: the embedded engine in HERMOD_DATA_DIR.",
  ),
  MONGODB_DATABASE: text("hermod").describe("Database on that server."),
  HERMOD_CLOCK_SKEW_MAX_MS: count(300_000).describe(
    "Furthest that this machine's clock may be from the database's for a core or worker to start; 0: however far.",
  ),
  HERMOD_SECRET_KEYS: list()
    .refine(
      (keys) => keys.every((key) => parseSecretKey(key) !== undefined),
      `each must be ${SECRET_KEY_FORM}`,
    )
    .describe(
      "Keys that encrypt DKIM keys and passwords in the database, comma-separated: the first encrypts, all decrypt; `hermod secrets new-key` makes one; empty: one in HERMOD_DATA_DIR, with the embedded engine alone.",
    ),
  HERMOD_HTTP_HOST: text("0.0.0.0").describe("Address on which the public HTTP API listens."),
  HERMOD_HTTP_PORT: port(8080).describe("Port of the public HTTP API; 0: any free one."),
  HERMOD_HTTP_TLS_CERT: optional().describe(
    "PEM file: certificate of the public HTTP API with its chain, read again when it changes, with which the port speaks HTTPS (HTTP/2 and HTTP/1.1); empty: plain HTTP, for a reverse proxy.",
  ),
  HERMOD_HTTP_TLS_KEY: optional().describe("PEM file: private key of that certificate."),
  HERMOD_BASE_URL: optional().describe(
    "Public address of the HTTP API, as https://mail.example.com, where unsubscribe links and tracked links lead too; empty: http://127.0.0.1 (https with HERMOD_HTTP_TLS_CERT) and the port.",
  ),
  ...identitySettings,
  HERMOD_TRUSTED_PROXIES: list()
    .refine((ranges) => ranges.every(isAddressRange), "must be IP addresses or CIDR ranges, comma-separated")
    .describe(
      "Addresses or CIDR ranges of reverse proxies whose X-Forwarded-For and X-Forwarded-Proto are believed, comma-separated.",
    ),
  HERMOD_SMTP_HOST: text("0.0.0.0").describe("Address on which the SMTP relay listens."),
  HERMOD_SMTP_PORT: port(2587).describe("Port of the SMTP relay, with STARTTLS; 0: any free one."),
  HERMOD_SMTPS_PORT: optionalPort().describe(
    "Port of the SMTP relay where TLS comes first; 0: any free one; empty: none.",
  ),
  HERMOD_SMTP_URLS: list()
    .refine((urls) => urls.every((url) => parseSmtpUrl(url) !== undefined), SMTP_URL_FORM)
    .transform((urls) => urls.flatMap((url) => parseSmtpUrl(url) ?? []))
    .describe(
      "Public addresses of the SMTP relay that members are shown, as smtp://mail.example.com:587,smtps://mail.example.com:465; empty: those of the core's own process, if it serves the relay.",
    ),
  HERMOD_SMTP_SESSIONS_MAX: count(2000, 1).describe(
    "SMTP sessions that the relay has open at once; one account has at most three quarters of them, one key half.",
  ),
  HERMOD_SMTP_PROXY_NETWORKS: list()
    .refine((ranges) => ranges.every(isAddressRange), "must be IP addresses or CIDR ranges, comma-separated")
    .describe(
      "Addresses or CIDR ranges of balancers that begin connections to the SMTP ports with the PROXY protocol, version 1 or 2, and are refused without it, comma-separated.",
    ),
  HERMOD_SMTP_SHOW_CLIENT: flag(false).describe(
    "Name the HELO name and the address of the submitting client in the Received field of its messages.",
  ),
  HERMOD_SMTP_INSECURE_LOOPBACK: flag(false).describe(
    "Demand neither TLS nor authentication of the relay's peers, who must be on this machine; for benchmarks only.",
  ),
  HERMOD_SMTP_INSECURE_KEY: optional().describe(
    "The sending key that those peers send with, as key:password; empty: that of first-run.json.",
  ),
  HERMOD_SMTP_TLS_CERT: optional().describe(
    "PEM file: certificate of the SMTP listeners, read again when it changes; empty: the relay signs one itself, and bounces come without TLS.",
  ),
  HERMOD_SMTP_TLS_KEY: optional().describe("PEM file: private key of that certificate."),
  HERMOD_BOUNCE_DOMAIN: optional()
    .refine(isReturnPathDomain, "must be a domain name in DNS form, of at most 192 characters")
    .describe(
      "Domain of return paths, as bounce.example.com, to which bounces come; empty: they go to the sender's address.",
    ),
  HERMOD_DSN_DOMAIN: optional()
    .refine(isReturnPathDomain, "must be a domain name in DNS form, of at most 192 characters")
    .describe(
      "Domain of mailer-daemon@, which tells SMTP senders what became of their mail; empty: HERMOD_BOUNCE_DOMAIN, or the sender's own.",
    ),
  HERMOD_POSTMASTER_ADDRESS: optional()
    .refine((given) => given === undefined || parseAddress(given).ok, "must be an e-mail address")
    .transform((given) => {
      const parsed = given === undefined ? undefined : parseAddress(given);
      return parsed?.ok ? parsed.address : undefined;
    })
    .describe(
      "Address to which mail to postmaster@ and abuse@ of HERMOD_BOUNCE_DOMAIN is forwarded; empty: it is refused.",
    ),
  HERMOD_BOUNCE_HOST: text("0.0.0.0").describe("Address on which bounces are taken."),
  HERMOD_BOUNCE_PORT: optionalPort().describe(
    "Port on which bounces to HERMOD_BOUNCE_DOMAIN are taken, by SMTP; 0: any free one; empty: none.",
  ),
  ...providerSettings,
  HERMOD_SUPPRESSION_DAYS: count(90).describe(
    "How long an address whose mailbox does not exist receives nothing; 0: for ever.",
  ),
  ...grpcSettings,
  HERMOD_CORE_DEADLINE_MS: count(15_000, 1).describe(
    "How long what came to a front end (HTTP or SMTP) waits for the core, on its way to it included; while the core is known to be away nothing waits.",
  ),
  HERMOD_ADMIN_HOST: text("127.0.0.1").describe("Address of the admin port; it has no authentication."),
  HERMOD_ADMIN_HOSTS: list()
    .refine((names) => names.every((name) => HOST_NAME.test(name)), "must be host names, without ports")
    .describe(
      "Names under which the admin port may be asked, comma-separated, besides localhost, HERMOD_ADMIN_HOST and IP addresses.",
    ),
  HERMOD_ADMIN_PORT: port(9090).describe(
    "Admin port: /healthz, /readyz, /metrics and the sandbox inbox; 0: any free one.",
  ),
  HERMOD_TRACKING_USER_AGENTS: flag(true).describe(
    "Keep what clients say of themselves (User-Agent) when tracked messages are opened and their links followed.",
  ),
  HERMOD_TRACKING_CLIENT_ADDRESSES: flag(false).describe(
    "Keep the IP addresses from which tracked messages are opened and their links followed.",
  ),
  HERMOD_VALIDATE_RESPONSES: flag(false).describe("Check every HTTP answer against the contract: for tests."),
  HERMOD_FRONT_END_THREAD: z
    .enum(["auto", "always", "never"])
    .default("auto")
    .describe(
      "Whether the HTTP API and the SMTP listeners run in a thread of their own in a process that has the core as well; auto: where it may use more than one processor and 1 GB of memory.",
    ),
  HERMOD_LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"])
    .default("info")
    .describe("Least level that is logged."),
  HERMOD_MESSAGE_MAX_BYTES: count(25 * MEGABYTE, 1).describe("Largest message, encoded for delivery."),
  HERMOD_BODY_MAX_BYTES: count(5 * MEGABYTE, 1).describe("Largest html and largest text, each."),
  HERMOD_HTTP_BODY_MAX_BYTES: count(36 * MEGABYTE, 1).describe("Largest HTTP request body."),
  HERMOD_BYTES_IN_FLIGHT_MAX: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe(
      "Bytes of submissions over 64 kB that one process has in memory at once; small ones have a quarter more to themselves, one key may have half of it, one account three quarters. Empty: what fits into the process's heap and memory limit, 100663296 at most.",
    ),
  HERMOD_TO_MAX: count(50, 1).describe("Most addresses in `to`."),
  HERMOD_HEADERS_MAX: count(50).describe("Most custom header fields."),
  HERMOD_ATTACHMENTS_MAX: count(100).describe("Most attachments."),
  HERMOD_SEND_AT_MAX_DAYS: count(30).describe("How far ahead `send_at` may lie."),
  HERMOD_IDEMPOTENCY_HOURS: count(24, 1).describe("How long an idempotency key is remembered."),
  HERMOD_RATE_LIMIT_KEY: count(10_000).describe("Sends per second that one key may make; 0: no limit."),
  HERMOD_RATE_LIMIT_ACCOUNT: count(10_000).describe("Sends per second of one account; 0: no limit."),
  HERMOD_KEY_CACHE_MS: count(3000).describe(
    "How long the core may answer from memory about keys, senders, policies and templates.",
  ),
  HERMOD_WORKER_CONCURRENCY: count(250, 1).describe("Deliveries that one worker has under way at once."),
  HERMOD_HOLD_DELIVERY: flag(false).describe(
    "Hold delivery of all messages from this start on, as `hermod start --hold-delivery` does: for the first start of a restored backup. `hermod queue release --all` ends the hold.",
  ),
  HERMOD_PARTITIONS: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_PARTITIONS)
    .optional()
    .describe(
      "Partitions of the queue that workers share, at least; the database keeps the number, and it never falls. Empty: what the database has, or for a new one 192 (64 with the embedded engine).",
    ),
  HERMOD_DESTINATION_CONCURRENCY: count(20, 1).describe(
    "Deliveries to one mail provider at once, of all workers together, where the policy says nothing.",
  ),
  HERMOD_SLOW_DELIVERY_MS: count(3_000, 1).describe(
    "A delivery that takes longer is slow: slow servers leave room for the others.",
  ),
  HERMOD_MAX_AGE_HOURS: count(48, 1).describe("How long delivery is tried before a message expires."),
  HERMOD_MAX_HOPS: count(50, 1).describe(
    "A message with more Received fields than this runs in circles, and bounces.",
  ),
  HERMOD_DNS_SERVERS: list()
    .refine(
      (servers) => servers.every((server) => parseDnsServer(server) !== undefined),
      "must be IP addresses, each with or without :port",
    )
    .describe("Resolving DNS servers, as 10.0.0.53 or 10.0.0.53:5353, comma-separated; empty: the system's."),
  HERMOD_BLACKLISTS: list()
    .refine(
      (items) =>
        items.every((item) =>
          /^[a-z0-9_]+:(?:off|on|registered|key=[A-Za-z0-9-]{1,63}|queries=[1-9]\d{0,8})$/.test(item),
        ),
      "must be items such as spamhaus_zen:key=abc, barracuda:registered, psbl:off or spamcop:queries=5000",
    )
    .describe(
      "Blacklists that watched domains are looked up at, where they differ from the defaults, as spamhaus_zen:key=abc,barracuda:registered,psbl:off,spamcop:queries=5000 (queries a day).",
    ),
  HERMOD_WATCH_EXPIRY: flag(false).describe(
    "Ask registries by RDAP until when watched domains are registered, each once a week.",
  ),
  HERMOD_SPF_TERMS: list()
    .refine(
      (terms) => terms.every((term) => /^(?:include|ip4|ip6|a|mx|exists):[^\s"%]{1,250}$/i.test(term)),
      "must be SPF mechanisms with a value, such as include:_spf.example.net or ip4:192.0.2.1",
    )
    .describe(
      "What the SPF records of sending domains must have for this installation to send, as include:_spf.example.net, comma-separated; empty: nothing is asked for.",
    ),
  HERMOD_MX_PORT: port(25).describe("Port on which recipients' servers are reached."),
  HERMOD_MTA_STS: flag(true).describe("Honour the MTA-STS policies of recipients' domains (RFC 8461)."),
  HERMOD_MTA_STS_PORT: port(443).describe("Port on which MTA-STS policies are fetched."),
  HERMOD_DANE: flag(false).describe(
    "Use DANE; set it only when HERMOD_DNS_SERVERS are validating resolvers reached over a trusted path.",
  ),
  HERMOD_IPV6: z
    .enum(["prefer", "allow", "never"])
    .default("allow")
    .describe("IPv6 to recipients' servers: before IPv4, after it, or not at all."),
  HERMOD_ALLOW_PRIVATE_DESTINATIONS: flag(false).describe(
    "Deliver to loopback and private addresses that MX records, and servers in policies of accounts, lead to: for tests and closed networks.",
  ),
  HERMOD_SMTP_TIMEOUT_MS: count(600_000, 1).describe(
    "Longest wait for a server at any step of delivery; RFC 5321's own limits hold below it: 30 s to connect, 2 to 10 minutes for answers.",
  ),
  HERMOD_HELO_NAME: optional().describe(
    "Name that Hermod gives in EHLO: the full name of the sending address's PTR record; empty: the machine's name, where it has a dot.",
  ),
  HERMOD_CONTENT_RETENTION_DAYS: count(30, 1).describe("How long bodies are kept."),
  HERMOD_MESSAGE_RETENTION_DAYS: count(60, 1).describe("How long finished messages and events are kept."),
  HERMOD_AUDIT_RETENTION_DAYS: count(400, 1).describe("How long entries of the audit log are kept."),
  HERMOD_REQUEST_RETENTION_DAYS: count(7, 1).describe(
    "How long the log of requests that were made with keys is kept.",
  ),
  HERMOD_SANDBOX_RETENTION_HOURS: count(168, 1).describe("How long the sandbox keeps captured messages."),
  HERMOD_DRAIN_MS: count(30_000).describe("How long a stopping process waits for work under way."),
} as const;

const schema = z.object(settings);

/** Settings that mean nothing alone. */
const pairs = [
  ["HERMOD_HTTP_TLS_CERT", "HERMOD_HTTP_TLS_KEY"],
  ["HERMOD_SMTP_TLS_CERT", "HERMOD_SMTP_TLS_KEY"],
  ["HERMOD_OIDC_ISSUER", "HERMOD_OIDC_CLIENT_ID"],
  ["HERMOD_GRPC_TLS_CERT", "HERMOD_GRPC_TLS_KEY"],
  ["HERMOD_GRPC_TLS_CLIENT_CERT", "HERMOD_GRPC_TLS_CLIENT_KEY"],
] as const;

/** The values of the settings, in their own units. */
export type Settings = z.output<typeof schema> & { readonly HERMOD_LOG_LEVEL: LogLevel };

/** Settings that cannot be used, each named, all at once. */
export class ConfigError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`These settings cannot be used:\n${faults.map((line) => `  ${line}`).join("\n")}`);
    this.name = "ConfigError";
    this.faults = faults;
  }
}

/**
 * The settings in these environment variables. An empty variable counts as unset.
 * @throws ConfigError naming every setting that is wrong, unknown HERMOD_ ones included.
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ""),
  );
  const unknown = Object.keys(given)
    .filter((name) => name.startsWith("HERMOD_") && !(name in settings) && !name.startsWith("HERMOD_TEST_"))
    .map((name) => {
      const nearest = nearestName(name, Object.keys(settings));
      const advice = nearest
        ? `unknown setting; the nearest name is ${nearest}`
        : "unknown setting; .env.example lists all settings";
      return `${name}: ${advice}. Names that begin with HERMOD_ are reserved. Choose another name for your own variable`;
    });
  const result = schema.safeParse(given);
  const invalid = result.success
    ? []
    : result.error.issues.map((issue) => `${issue.path.join(".")}: ${describeIssue(issue, given)}`);
  const halves = pairs
    .filter(([first, second]) => (given[first] === undefined) !== (given[second] === undefined))
    .map(([first, second]) => {
      const missing = given[first] === undefined ? first : second;
      return `${missing}: must also be set, because ${first} and ${second} belong together`;
    });
  const needless =
    given.HERMOD_BOUNCE_PORT !== undefined && given.HERMOD_BOUNCE_DOMAIN === undefined
      ? ["HERMOD_BOUNCE_DOMAIN: must also be set, because without it no mail arrives at HERMOD_BOUNCE_PORT"]
      : [];
  const unmatched =
    given.HERMOD_PROVIDER_SECRET !== undefined && given.HERMOD_BOUNCE_DOMAIN === undefined
      ? [
          "HERMOD_BOUNCE_DOMAIN: must also be set, because its return paths identify the message of a provider's notice",
        ]
      : [];
  const incomplete =
    given.HERMOD_OIDC_ISSUER !== undefined && given.HERMOD_BASE_URL === undefined
      ? ["HERMOD_BASE_URL: must also be set, because HERMOD_OIDC_ISSUER redirects browsers to it"]
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
          `HERMOD_SMTP_HOST: must be a loopback address, such as 127.0.0.1, with HERMOD_SMTP_INSECURE_LOOPBACK (it is "${smtpHost}")`,
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

/** What may be sent at all must fit into what may be under way. */
function tooSmall(config: Settings | undefined): string[] {
  if (!config) return [];
  const { HERMOD_BYTES_IN_FLIGHT_MAX: most } = config;
  return (["HERMOD_HTTP_BODY_MAX_BYTES", "HERMOD_MESSAGE_MAX_BYTES"] as const)
    .filter((name) => most !== undefined && config[name] > most)
    .map((name) => `HERMOD_BYTES_IN_FLIGHT_MAX: must be ${name} (${config[name]}) or more (it is "${most}")`);
}

/** A role that has another one's token has its rights. */
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

/** A body that is gone cannot be delivered: it is kept an hour longer than delivery is tried. */
function retentionFaults(config: z.output<typeof schema>): string[] {
  const { HERMOD_CONTENT_RETENTION_DAYS: days, HERMOD_MAX_AGE_HOURS: hours } = config;
  if (hours < days * 24) return [];
  return [
    `HERMOD_CONTENT_RETENTION_DAYS: must be longer than HERMOD_MAX_AGE_HOURS, so that bodies are stored until the last attempt (it is ${days} days, and ${hours} hours)`,
  ];
}
