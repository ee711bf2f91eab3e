import type { SubmitMessageResponse } from "../../gen/hermod/submission/v1/submission_service_pb.ts";
import { fault } from "../../src/shared/fault.ts";
import { issueCertificate } from "../../src/shared/issue-certificate.ts";
import { createLogger } from "../../src/shared/logger.ts";
import type { Submissions } from "../../src/smtp/relay/relay-rules.ts";
import { createRelay, type RelayLimits, type RelayOptions } from "../../src/smtp/relay-server.ts";
import { createSignal } from "./signal.ts";

export type SubmittedEnvelope = Parameters<Submissions["submit"]>[0];

export interface Submitted {
  readonly envelope: SubmittedEnvelope;
  readonly source: Buffer;
  readonly streamed: boolean;
}

/** A core that accepts the sending key `key` with the password `secret`, and keeps its input. */
export interface FakeCore extends Submissions {
  readonly submitted: Submitted[];
  /** Faults to return by method, until removed. */
  readonly failing: Partial<Record<keyof Submissions, Error>>;
  /** Keeps only the sizes of streamed input. */
  keepNothing: boolean;
}

export function createFakeCore(): FakeCore {
  const response = (traceId = "") =>
    ({ traceId, messageIds: [], replayed: false }) as unknown as SubmitMessageResponse;
  const core: FakeCore = {
    submitted: [],
    failing: {},
    keepNothing: false,
    authenticate: async ({ username, password }) => {
      if (core.failing.authenticate) throw core.failing.authenticate;
      if (username !== "key" || password !== "secret") throw fault("auth.key_invalid");
      return { accountId: "acc", keyId: "key" } as Awaited<ReturnType<Submissions["authenticate"]>>;
    },
    checkSender: async (_credential, address) => {
      if (core.failing.checkSender) throw core.failing.checkSender;
      if (address === "") throw fault("sender.null_not_allowed");
      if (!address.endsWith("@example.com")) throw fault("sender.unverified");
    },
    findSubmission: async (_credential, submissionId) => {
      if (core.failing.findSubmission) throw core.failing.findSubmission;
      return core.submitted.find(({ envelope }) => envelope.submissionId === submissionId)?.envelope.traceId;
    },
    submit: async (envelope, source) => {
      if (core.failing.submit) throw core.failing.submit;
      core.submitted.push({ envelope, source: Buffer.from(source), streamed: false });
      return response(envelope.traceId);
    },
    submitStream: async (envelope, source) => {
      const parts: Uint8Array[] = [];
      for await (const part of source) {
        if (core.failing.submitStream) throw core.failing.submitStream;
        if (!core.keepNothing) parts.push(part);
      }
      core.submitted.push({ envelope, source: Buffer.concat(parts), streamed: true });
      return response(envelope.traceId);
    },
  };
  return core;
}

export interface TestRelay {
  readonly core: FakeCore;
  readonly port: number;
  /** Port with implicit TLS. */
  readonly tlsPort: number;
  readonly answers: string[];
  readonly authFailures: string[];
  /** Number of open sessions. */
  sessions(): number;
  /** Resolves when `count` sessions are open. */
  untilSessions(count: number): Promise<void>;
  replaceCertificate(tls: RelayOptions["tls"]): void;
  close(drainMs?: number): Promise<void>;
}

/** Created once, because its contents do not matter. */
const certificate = issueCertificate({
  subject: "relay.test",
  names: ["localhost"],
  addresses: ["127.0.0.1"],
});

export const NO_DELAY = {
  windowMs: 60_000,
  delayMs: 0,
  maxDelayMs: 0,
  maxHeld: 1000,
  maxHeldPerClient: 1000,
};

/** A relay in this process, on free ports, in front of a fake core. */
export async function startRelay(
  limits: Partial<RelayLimits> = {},
  more: Partial<RelayOptions> = {},
): Promise<TestRelay> {
  const core = createFakeCore();
  const answers: string[] = [];
  const authFailures: string[] = [];
  const sessions = createSignal<number>();
  const open = () => sessions.seen.at(-1) ?? 0;
  const relay = createRelay({
    submissions: core,
    name: "relay.test",
    tls: { cert: Buffer.from(certificate.pem), key: Buffer.from(certificate.keyPem) },
    maxBytes: 2_000_000,
    maxSessions: 1000,
    proxyNetworks: [],
    limits: { throttle: NO_DELAY, senderMemoryMs: 0, repeatForMs: 0, ...limits },
    log: createLogger("silent"),
    onSessions: sessions.tell,
    onAuthFailure: (reason) => authFailures.push(reason),
    onAnswer: ({ code, enhanced }) => answers.push(`${code} ${enhanced}`),
    ...more,
  });
  const listeners = [relay.createListener("starttls"), relay.createListener("implicit-tls")] as const;
  const [port, tlsPort] = await Promise.all([
    listeners[0].listen("127.0.0.1", 0),
    listeners[1].listen("127.0.0.1", 0),
  ]);
  return {
    core,
    port,
    tlsPort,
    answers,
    authFailures,
    sessions: open,
    untilSessions: (count) => sessions.until(() => open() === count),
    replaceCertificate: (tls) => {
      for (const listener of listeners) listener.replaceCertificate(tls);
    },
    close: async (drainMs = 0) => {
      await Promise.all(listeners.map((listener) => listener.close(drainMs)));
    },
  };
}
