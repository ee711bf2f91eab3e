import { createSecureContext, rootCertificates, type SecureContext, type TLSSocket } from "node:tls";
import { safeDetail } from "../../message/replies/outcome.ts";
import type { Clock } from "../../shared/clock.ts";
import { readCapabilities } from "../../smtp-client/capabilities.ts";
import { type Channel, createChannel } from "../../smtp-client/channel.ts";
import { dial } from "../../smtp-client/dial.ts";
import { encrypt } from "../../smtp-client/encrypt.ts";
import { heloName } from "../../smtp-client/helo-name.ts";
import { nonsense, refusal, SmtpError, type SmtpReply } from "../../smtp-client/smtp-error.ts";
import type { AddressProbe, StartTls } from "./mail-host-probe.ts";
import { createReadTls } from "./read-tls.ts";

export interface ProbeAddressOptions {
  readonly port: number;
  /** Name for EHLO; undefined: the default of the SMTP client. */
  readonly heloName?: string | undefined;
  /** PEM of an authority that counts as public. */
  readonly extraCa?: string | undefined;
  readonly clock: Pick<Clock, "now">;
}

export interface ProbedAddress {
  /** The name of the host, for SNI. */
  readonly host: string;
  readonly address: string;
  /** Time limit of the whole probe. */
  readonly timeoutMs: number;
  /** Aborted: the probe ends at once, and its result is meaningless. */
  readonly ending?: AbortSignal | undefined;
}

/** Probes one address of a host over one connection, or two if no current version of TLS works. Never rejects. */
export type ProbeAddress = (probe: ProbedAddress) => Promise<AddressProbe>;

/** Time limit of each step, in milliseconds. Some servers delay the greeting for unknown clients. */
const CONNECT_MS = 10_000;
const GREETING_MS = 15_000;
const REPLY_MS = 10_000;
const HANDSHAKE_MS = 10_000;
const QUIT_MS = 2_000;
/** The server does not know EHLO (RFC 5321 section 4.2.4). Another refusal means this machine. */
const UNKNOWN_COMMAND = [500, 502, 504];
/** The service closes the connection, regardless of the command (RFC 5321 section 3.8). */
const CLOSING = 421;
/** Some firewalls mask extensions: `250-XXXXXXXA`. */
const MASKED = /^250[- ]X{7,}[A-Z]?\s*$/im;

/** Sends EHLO, STARTTLS, EHLO and QUIT. No mail is sent. */
export function createProbeAddress({ port, extraCa, clock, ...options }: ProbeAddressOptions): ProbeAddress {
  // Weak keys and old ciphers are accepted: the probe measures whether TLS works and records the certificate.
  const common = {
    ca: [...rootCertificates, ...(extraCa === undefined ? [] : [extraCa])],
    ciphers: "DEFAULT@SECLEVEL=0",
  };
  const current = createSecureContext({ ...common, minVersion: "TLSv1.2" });
  const old = createSecureContext({ ...common, minVersion: "TLSv1", maxVersion: "TLSv1.1" });
  const readTls = createReadTls(extraCa);

  return async ({ host, address, timeoutMs, ending }) => {
    const endMs = performance.now() + timeoutMs;
    const atMost = (ms: number) => Math.max(1, Math.min(ms, endMs - performance.now()));

    async function probe(secureContext: SecureContext): Promise<AddressProbe> {
      let channel: Channel | undefined;
      let greeting: string | undefined;
      try {
        const timeoutMs = atMost(CONNECT_MS);
        const socket = await dial({ host: address, port, localAddress: undefined, timeoutMs, ending });
        channel = createChannel(socket);
        ending?.addEventListener("abort", channel.abandon);
        const name = heloName(options.heloName, socket.localAddress ?? "");
        const greeted = await channel.reply("connect", atMost(GREETING_MS));
        greeting = safeDetail(greeted.text);
        accept(greeted, "connect");
        const offers = await hello(channel, name);
        const startTls = await tryTls(channel, name, offers, secureContext);
        return { address, greeting, outcome: "answered", startTls };
      } catch (error) {
        return {
          address,
          ...(greeting !== undefined && { greeting }),
          ...whyNot(error, channel !== undefined),
        };
      } finally {
        if (channel) {
          await quit(channel);
          ending?.removeEventListener("abort", channel.abandon);
        }
      }
    }

    async function ask(channel: Channel, command: string, phase: "ehlo" | "starttls"): Promise<SmtpReply> {
      channel.write(`${command}\r\n`, 1);
      return channel.reply(phase, atMost(REPLY_MS));
    }

    /** Returns the extensions that the server offers. */
    async function hello(channel: Channel, name: string): Promise<string> {
      const reply = await ask(channel, `EHLO ${name}`, "ehlo");
      if (!UNKNOWN_COMMAND.includes(reply.code)) return accept(reply, "ehlo").text;
      accept(await ask(channel, `HELO ${name}`, "ehlo"), "ehlo");
      return "";
    }

    async function tryTls(
      channel: Channel,
      name: string,
      offers: string,
      secureContext: SecureContext,
    ): Promise<StartTls> {
      if (!readCapabilities(offers).startTls) return { kind: "not_offered", isMasked: MASKED.test(offers) };
      let kind: "refused" | "failed" = "refused";
      try {
        accept(await ask(channel, "STARTTLS", "starttls"), "starttls");
        kind = "failed";
        let secure: TLSSocket | undefined;
        await channel.replace(async (socket) => {
          const timeoutMs = atMost(HANDSHAKE_MS);
          secure = await encrypt(socket, { serverName: host, verify: undefined, timeoutMs, secureContext });
          return secure;
        });
        if (!secure)
          throw new SmtpError({ text: "there is no TLS", parts: [] }, { phase: "starttls", tls: true });
        const tls = readTls(secure, clock.now());
        accept(await ask(channel, `EHLO ${name}`, "ehlo"), "ehlo");
        return { kind: "works", tls };
      } catch (error) {
        const isLost = kind === "refused" && error instanceof SmtpError && !error.reply;
        return { kind: isLost || isNoAnswer(error) ? "unknown" : kind, reason: reasonOf(error) };
      }
    }

    async function quit(channel: Channel): Promise<void> {
      if (!channel.isClosed()) {
        channel.write("QUIT\r\n", 1);
        await channel.reply("connect", atMost(QUIT_MS)).catch(() => undefined);
      }
      channel.close();
    }

    const first = await probe(current);
    if (first.outcome !== "answered" || first.startTls.kind !== "failed") return first;
    const second = await probe(old);
    return second.outcome === "answered" && second.startTls.kind === "works" ? second : first;
  };
}

/** @throws SmtpError if the reply is a refusal or invalid */
function accept(reply: SmtpReply, phase: "connect" | "ehlo" | "starttls"): SmtpReply {
  if (reply.code >= 400) throw refusal(phase, reply);
  if (reply.code >= 300) throw nonsense(phase, reply);
  return reply;
}

function whyNot(error: unknown, isConnected: boolean) {
  const outcome = isConnected ? (hasReply(error) ? "turned_away" : "unheard") : "unreached";
  return { outcome, reason: reasonOf(error) } as const;
}

function hasReply(error: unknown): boolean {
  return error instanceof SmtpError && error.reply !== undefined;
}

/** No answer came in time, or the server closes the connection. A later probe may differ. */
function isNoAnswer(error: unknown): boolean {
  return error instanceof SmtpError && (error.timedOut || error.reply?.code === CLOSING);
}

function reasonOf(error: unknown): string {
  return safeDetail(error instanceof Error ? error.message : String(error));
}
