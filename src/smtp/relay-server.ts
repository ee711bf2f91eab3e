import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../shared/logger.ts";
import { serverTls, type TlsCertificate } from "../shared/server-tls.ts";
import type { SmtpListener } from "./listener.ts";
import { createAcceptMessage } from "./relay/accept-message.ts";
import { type AuthThrottleOptions, createAuthThrottle } from "./relay/auth-throttle.ts";
import { type AuthFailure, createAuthenticate } from "./relay/authenticate.ts";
import { createCheckSender } from "./relay/check-sender.ts";
import type { Credential, RelayRules, Submissions } from "./relay/relay-rules.ts";
import { RelaySmtpServer } from "./relay/relay-smtp-server.ts";
import type { Reply } from "./relay/reply.ts";
import { createSessionSlots } from "./relay/session-slots.ts";

export interface RelayOptions {
  readonly submissions: Submissions;
  /** Name in the greeting and in Received fields; undefined: the name of the machine. */
  readonly name: string | undefined;
  readonly tls: TlsCertificate;
  readonly maxBytes: number;
  readonly maxSessions: number;
  /** Addresses and CIDR ranges of proxies, which use the PROXY protocol. */
  readonly proxyNetworks: readonly string[];
  /**
   * Credential of loopback peers, which then need not authenticate and are the only accepted peers; undefined: all must
   * authenticate.
   */
  readonly insecureCredential?: Pick<Credential, "username" | "password"> | undefined;
  readonly limits?: Partial<RelayLimits>;
  readonly log: Logger;
  readonly onSessions: (open: number) => void;
  readonly onAuthFailure: (reason: AuthFailure) => void;
  readonly onAnswer: (answer: Reply) => void;
}

/** Limits that tests shorten. */
export interface RelayLimits {
  readonly idleTimeoutMs: number;
  readonly unauthenticatedTimeoutMs: number;
  readonly authenticateWithinMs: number;
  readonly authenticateUnderPressureMs: number;
  readonly proxyHeaderWithinMs: number;
  readonly dataTimeoutMs: number;
  readonly maxRecipients: number;
  readonly maxUnauthenticated: number;
  readonly throttle: AuthThrottleOptions;
  /** Time for which the result of an allowed sender check is cached. */
  readonly senderMemoryMs: number;
  /** Time limit for asking the core about a message after its answer was lost. */
  readonly repeatForMs: number;
}

const LIMITS: RelayLimits = {
  // RFC 5321 section 4.5.3.2.7. Unauthenticated clients have less time.
  idleTimeoutMs: 5 * 60_000,
  unauthenticatedTimeoutMs: 60_000,
  // Includes the TLS handshake and all commands before AUTH.
  authenticateWithinMs: 60_000,
  authenticateUnderPressureMs: 15_000,
  proxyHeaderWithinMs: 5_000,
  // 25 MB at 14 KB per second.
  dataTimeoutMs: 30 * 60_000,
  maxRecipients: 1000,
  maxUnauthenticated: 500,
  throttle: { windowMs: 15 * 60_000, delayMs: 250, maxDelayMs: 8000, maxHeld: 500, maxHeldPerClient: 20 },
  senderMemoryMs: 1_500,
  // A failover of the store takes about ten seconds. MongoDB retains the uncommitted writes of a dead core for a minute
  // (`transactionLifetimeLimitSeconds`), and accepts the same message only after that. Clients wait longer (RFC 5321
  // section 4.5.3.2.6: ten minutes).
  repeatForMs: 90_000,
};

const GOODBYE_MS = 50;

export interface Relay {
  /** A port with STARTTLS, or a port with TLS from the start. */
  createListener(kind: "starttls" | "implicit-tls"): SmtpListener;
}

/**
 * The SMTP relay: accepts mail of clients with a sending key and submits it to the core. It stores nothing. A message
 * is acknowledged only after the core has stored it.
 */
export function createRelay(options: RelayOptions): Relay {
  const { submissions, tls, maxBytes, log } = options;
  const limits = { ...LIMITS, ...options.limits };
  const name = options.name ?? hostname();
  const slots = createSessionSlots({
    maxSessions: options.maxSessions,
    maxUnauthenticated: limits.maxUnauthenticated,
    authenticateWithinMs: limits.authenticateWithinMs,
    authenticateUnderPressureMs: limits.authenticateUnderPressureMs,
    onChange: options.onSessions,
  });
  const rules: RelayRules = {
    maxBytes,
    maxRecipients: limits.maxRecipients,
    idleTimeoutMs: limits.idleTimeoutMs,
    unauthenticatedTimeoutMs: Math.min(limits.idleTimeoutMs, limits.unauthenticatedTimeoutMs),
    dataTimeoutMs: limits.dataTimeoutMs,
    insecureCredential: options.insecureCredential,
    admit: slots.admit,
    authenticate: createAuthenticate({
      submissions,
      throttle: createAuthThrottle(limits.throttle),
      log,
      onFailure: options.onAuthFailure,
    }),
    checkSender: createCheckSender(submissions, limits.senderMemoryMs),
    acceptMessage: createAcceptMessage({
      submissions,
      serverName: name,
      maxBytes,
      repeatForMs: limits.repeatForMs,
      now: () => new Date(),
      log,
      onAnswer: options.onAnswer,
    }),
  };

  return {
    createListener: (kind) => {
      const server = new RelaySmtpServer(
        {
          name,
          ...serverTls(tls),
          secure: kind === "implicit-tls",
          authMethods: ["PLAIN", "LOGIN"],
          disabledCommands: ["WIZ", "SHELL", "KILL", "XCLIENT", "XFORWARD"],
          logger: false,
          disableReverseLookup: true,
          hideENHANCEDSTATUSCODES: false,
          hideDSN: false,
          heloResponse: "%s",
          size: maxBytes,
          maxAllowedUnauthenticatedCommands: 30,
          socketTimeout: limits.unauthenticatedTimeoutMs,
          closeTimeout: GOODBYE_MS,
        },
        rules,
        { networks: options.proxyNetworks, headerWithinMs: limits.proxyHeaderWithinMs },
      );
      server.on("error", (error) => log.debug({ err: error }, "SMTP connection failed"));
      return listenerOf(server);
    },
  };
}

function listenerOf(server: RelaySmtpServer): SmtpListener {
  return {
    listen: async (host, port) => {
      server.server.listen(port, host);
      await once(server.server, "listening");
      return (server.server.address() as AddressInfo).port;
    },
    replaceCertificate: (tls) => server.updateSecureContext(serverTls(tls)),
    close: async (drainMs) => {
      const deadline = performance.now() + drainMs;
      server.drain();
      while (server.transactions > 0 && performance.now() < deadline) await sleep(20);
      server.giveUp();
      await new Promise<void>((resolve) => server.close(resolve));
      await server.destroySessions();
    },
  };
}
