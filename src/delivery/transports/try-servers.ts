import { isAscii } from "../../message/characters.ts";
import { following, moreTelling } from "../../message/replies/more-telling.ts";
import { detailOf, type TransportOutcome } from "../../message/replies/outcome.ts";
import { SERVICE_NOT_AVAILABLE } from "../../message/replies/reply-rule.ts";
import type { Clock } from "../../shared/clock.ts";
import { failurePhrase, phrase, phrases } from "../../shared/phrase.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import { CONVERSION_REQUIRED, SMTPUTF8_REQUIRED } from "../../smtp-client/envelope.ts";
import { SmtpError } from "../../smtp-client/smtp-error.ts";
import { classifyFailure, readReply } from "../../smtp-client/smtp-failure.ts";
import type { SmtpEndpoint, SmtpPools, TlsUse } from "../../smtp-client/smtp-pools.ts";
import type { DownAddresses } from "../routing/down-addresses.ts";
import type { Conversion, Mail } from "./transport.ts";

/** A server that may be tried. */
export interface Server {
  /** `transport host:port`, for the outcome. */
  readonly via: string;
  /** Name in the MX record or in the settings. */
  readonly provider: string;
  readonly endpoint: SmtpEndpoint;
  readonly tls: TlsUse;
  /** True if plain text is allowed when TLS fails. */
  readonly plainTextWillDo: boolean;
}

/** A server that is not tried, and the reply if there is no other. */
export interface PassedOver {
  readonly passedOver: TransportOutcome;
}

export interface TryServersOptions {
  readonly pools: SmtpPools;
  readonly down: DownAddresses;
  readonly clock: Clock;
}

/**
 * Tries the servers in order until one accepts the message or gives a verdict on it. Otherwise the outcome is the most
 * informative one. Never rejects.
 */
export type TryServers = (
  servers: Iterable<Server> | AsyncIterable<Server | PassedOver>,
  mail: Mail,
) => Promise<TransportOutcome | undefined>;

interface Tried {
  readonly outcome: TransportOutcome;
  readonly failed?: SmtpError;
}

/** Maximum of addresses in one attempt: the next attempt continues. */
const MAX_TRIED = 8;
/**
 * Maximum of servers per attempt that receive the whole message and refuse it temporarily: usually they belong to one provider
 * and give the same answer, at the cost of the message each time.
 */
const MAX_REFUSED = 2;
const PLAIN_TEXT: TlsUse = { mode: "none", key: "none" };

export function createTryServers({ pools, down, clock }: TryServersOptions): TryServers {
  async function attempt(server: Server, tls: TlsUse, mail: Mail, fresh = false): Promise<Tried> {
    let tried = await send(server, tls, mail, fresh);
    let conversion: Conversion = {};
    for (;;) {
      const more = conversionFor(tried.failed?.refusedAs, mail);
      if (more === undefined || conversion[more]) return tried;
      conversion = { ...conversion, [more]: true };
      const converted = await mail.converted(conversion);
      if (!converted.ok) {
        const { kind, reply } = tried.outcome;
        const { reason, cause } = converted;
        const wording = phrase(more === "body" ? "server.ascii_body_stays" : "server.utf8_header_stays", {
          reason,
          cause,
        });
        return { ...tried, outcome: { kind, reply: { ...reply, ...detailOf(wording) } } };
      }
      tried = after(tried, await send(server, tls, { ...mail, source: converted.source }));
    }
  }

  async function send(server: Server, tls: TlsUse, mail: Mail, fresh = false): Promise<Tried> {
    const { via, provider, endpoint } = server;
    const addressKey = pools.addressKey(endpoint);
    const startedMs = clock.monotonicMs();
    try {
      const reply = await pools.poolFor(endpoint, tls).send(mail.envelope, mail.source, {
        fresh,
        mayFinish: mail.mayFinish,
        connections: mail.connections,
      });
      down.answered(addressKey);
      return { outcome: withServer({ kind: "delivered", reply: readReply(via, reply) }) };
    } catch (error) {
      const failed = error instanceof SmtpError ? error : undefined;
      if (failed?.down) down.failed(addressKey, failurePhrase(failed), clock.monotonicMs() - startedMs);
      else if (!failed?.abandoned) down.answered(addressKey);
      return { outcome: withServer(classifyFailure(via, provider, error)), ...(failed && { failed }) };
    }
  }

  async function tryServer(server: Server, mail: Mail): Promise<Tried> {
    const { tls, endpoint, plainTextWillDo } = server;
    const brokenTlsKey = `tls ${pools.addressKey(endpoint)}`;
    // A handshake that hangs delays only one message.
    const skipsTls = plainTextWillDo && down.check(brokenTlsKey) !== undefined;
    const use = skipsTls ? PLAIN_TEXT : tls;
    const startedMs = clock.monotonicMs();
    let tried = await attempt(server, use, mail);
    if (isOfOldConnection(tried)) tried = after(tried, await attempt(server, use, mail, true));
    if (!plainTextWillDo || skipsTls) return tried;
    if (tried.outcome.kind !== "unreachable" || !tried.failed?.tls) {
      down.answered(brokenTlsKey);
      return tried;
    }
    down.failed(brokenTlsKey, failurePhrase(tried.failed), clock.monotonicMs() - startedMs);
    return after(tried, await attempt(server, PLAIN_TEXT, mail));
  }

  return async (servers, mail) => {
    const { startAt = 0 } = mail;
    let outcome: TransportOutcome | undefined;
    let passedOver: TransportOutcome | undefined;
    const last: Server[] = [];
    let triedCount = 0;
    let refusedCount = 0;
    for await (const { position, ...server } of inOrder(servers, startAt)) {
      if ("passedOver" in server) {
        passedOver ??= server.passedOver;
        continue;
      }
      const known = down.check(pools.addressKey(server.endpoint));
      if (known) {
        last.push(server);
        const since = phrase("server.known_down", { since: known.since.toISOString() });
        const wording = detailOf(phrases(known.reason, since));
        const reply = { via: server.via, ...wording, category: "network" } as const;
        passedOver ??= { kind: "unreachable", reply };
        continue;
      }
      // The limit of an attempt: a later one continues here.
      if (triedCount === MAX_TRIED || refusedCount === MAX_REFUSED)
        return outcome && { ...outcome, resumeAt: position };
      triedCount++;
      const tried = await tryServer(server, mail);
      if (tried.outcome.kind !== "unreachable") {
        // The next attempt begins with a server that asked for time, not with the failed ones before it.
        const resumeAt = startAt > 0 && tried.outcome.kind === "deferred" ? position : undefined;
        return { ...following(outcome, tried.outcome), ...withoutUndefined({ resumeAt }) };
      }
      if (tried.failed?.afterDot) refusedCount++;
      outcome = moreTelling(outcome, tried.outcome);
    }
    // Without another chance these are not worth the wait: the next attempt comes soon enough.
    if (!outcome) return passedOver && { ...passedOver, ...(startAt > 0 && { resumeAt: startAt }) };
    for (const server of last.slice(0, MAX_TRIED - triedCount)) {
      const tried = await tryServer(server, mail);
      if (tried.outcome.kind !== "unreachable") return following(outcome, tried.outcome);
      outcome = moreTelling(outcome, tried.outcome);
    }
    return outcome;
  };
}

type Placed = (Server | PassedOver) & { readonly position: number };

/** The servers from a position on, then those before it. */
async function* inOrder(
  servers: Iterable<Server> | AsyncIterable<Server | PassedOver>,
  startAt: number,
): AsyncGenerator<Placed> {
  const before: Placed[] = [];
  let position = 0;
  for await (const server of servers) {
    const placed = { ...server, position: position };
    position++;
    if (placed.position < startAt) before.push(placed);
    else yield placed;
  }
  yield* before;
}

/** Part to convert before the server accepts the message; undefined: no conversion helps. */
function conversionFor(refusedAs: string | undefined, { envelope }: Mail): keyof Conversion | undefined {
  if (refusedAs === CONVERSION_REQUIRED) return "body";
  const hasAsciiAddresses = [envelope.from, ...envelope.to].every(isAscii);
  return refusedAs === SMTPUTF8_REQUIRED && hasAsciiAddresses ? "header" : undefined;
}

/** Result of an attempt over one connection. */
function withServer({ kind, reply }: TransportOutcome): TransportOutcome {
  const { via, detail, conversation } = reply;
  return { kind, reply: { ...reply, conversation: `* ${via}\n${conversation || `* ${detail}`}` } };
}

/** The second of two tries, with the replies of both. */
function after(first: Tried, second: Tried): Tried {
  return { ...second, outcome: following(first.outcome, second.outcome) };
}

/** A reused connection was closed, which says nothing about the server; it cannot have the message. */
function isOfOldConnection({ failed }: Tried): boolean {
  if (!failed?.reused || failed.abandoned) return false;
  if (failed.dataBegun || failed.afterDot || failed.refusedAs !== undefined) return false;
  return failed.reply === undefined || failed.reply.code === SERVICE_NOT_AVAILABLE;
}
