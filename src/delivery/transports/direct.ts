import { LRUCache } from "lru-cache";
import type { SMTPConnectionOptions } from "nodemailer/lib/smtp-connection";
import { domainOf } from "../../message/addresses.ts";
import type { DirectTransportSettings } from "../../store/documents.ts";
import type { MxAddress, MxHost, MxRoute, RouteDomain } from "../mx-route.ts";
import { type Reply, safeDetail, type TransportOutcome } from "../outcome.ts";
import { classifyFailure, readReply } from "../smtp-failure.ts";
import { createSmtpPool, SmtpError, type SmtpPool } from "../smtp-pool.ts";
import type { Job, Transport } from "../transport.ts";

export interface DirectTransportOptions {
  readonly settings: DirectTransportSettings;
  readonly route: RouteDomain;
  /** 25, but for tests. */
  readonly port: number;
  /** The name given in EHLO; undefined: the machine's. */
  readonly heloName: string | undefined;
  /** Bound of connecting and of each reply. */
  readonly timeoutMs: number;
}

/** Addresses with connections at once; the least recently used one is let go. */
const MAX_POOLS = 1_000;
/** Addresses tried in one attempt: what is left is for the next one. */
const MAX_ADDRESSES_PER_ATTEMPT = 8;

/** One server at one address, with or without TLS: what connections can be shared over. */
interface Target extends MxAddress {
  readonly exchange: string;
  readonly encrypt: boolean;
}

interface Tried {
  readonly outcome: TransportOutcome;
  readonly failed?: SmtpError;
}

/**
 * Delivers straight to the servers of the recipient's domain (RFC 5321 section 5.1): by preference, every address of
 * a server before the next one, until one of them says something about the message.
 */
export function createDirectTransport(options: DirectTransportOptions): Transport {
  const { settings, route, port, heloName, timeoutMs } = options;
  const pools = new LRUCache<string, SmtpPool>({ max: MAX_POOLS, dispose: (pool) => pool.close() });

  function poolFor({ address, exchange, encrypt }: Target): SmtpPool {
    const key = `${exchange} ${address} ${encrypt}`;
    const known = pools.get(key);
    if (known) return known;
    const connection: SMTPConnectionOptions = {
      host: address,
      port,
      servername: exchange,
      secure: false,
      ...(encrypt ? tlsOptions(settings) : { ignoreTLS: true }),
      ...(heloName !== undefined && { name: heloName }),
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
    };
    const pool = createSmtpPool({ connection, auth: undefined, maxConnections: settings.maxConnections });
    pools.set(key, pool);
    return pool;
  }

  async function attempt(target: Target, { envelope, source }: Job): Promise<Tried> {
    const via = `direct ${target.exchange}[${target.address}]:${port}`;
    try {
      const { response } = await poolFor(target).send(envelope, source);
      return { outcome: { kind: "delivered", reply: readReply(via, response) } };
    } catch (error) {
      const failed = error instanceof SmtpError ? error : new SmtpError(error, true, false);
      return { outcome: classifyFailure(via, target.exchange, failed.cause), failed };
    }
  }

  /** One address: again on a fresh connection where a reused one was closed, without TLS where that may be. */
  async function tryAddress(host: MxHost, address: MxAddress, job: Job): Promise<Tried> {
    const target: Target = { ...address, exchange: host.exchange, encrypt: true };
    let tried = await attempt(target, job);
    const again = ({ outcome, failed }: Tried) =>
      outcome.kind === "unreachable" && failed?.dataBegun === false;
    if (again(tried) && tried.failed?.reused) tried = await attempt(target, job);
    if (settings.tls === "opportunistic" && again(tried) && isTlsFailure(tried.failed)) {
      tried = await attempt({ ...target, encrypt: false }, job);
    }
    return tried;
  }

  return {
    deliver: async (job) => {
      const found = await route(domainOf(job.message.recipient));
      if (found.kind !== "hosts") return withoutHosts(found);
      const addresses = found.hosts.flatMap((host) => host.addresses.map((address) => ({ host, address })));
      let outcome: TransportOutcome | undefined;
      for (const { host, address } of addresses.slice(0, MAX_ADDRESSES_PER_ATTEMPT)) {
        const tried = await tryAddress(host, address, job);
        outcome = tried.outcome;
        if (outcome.kind !== "unreachable") return outcome;
        // The server may have the message, so another one might deliver it twice: later is better.
        if (tried.failed?.dataBegun && outcome.reply.code === undefined)
          return { ...outcome, kind: "deferred" };
      }
      return outcome ?? { kind: "unreachable", reply: { via: "direct", detail: "the domain has no server" } };
    },
    close: () => pools.clear(),
  };
}

function tlsOptions({ tls }: DirectTransportSettings): SMTPConnectionOptions {
  switch (tls) {
    case "opportunistic":
      // Against a passive listener only, so an unknown certificate is better than none (RFC 7435).
      return { opportunisticTLS: true, tls: { rejectUnauthorized: false } };
    case "required":
      return { requireTLS: true, tls: { rejectUnauthorized: false } };
    case "verified":
      return { requireTLS: true };
  }
}

/** TLS itself failed, as against the connection under it. */
function isTlsFailure(failed: SmtpError | undefined): boolean {
  return failed?.cause instanceof Error && "code" in failed.cause && failed.cause.code === "ETLS";
}

/** Null MX, a domain that does not exist and one that leads nowhere are final; DNS that does not answer is not. */
function withoutHosts(route: Exclude<MxRoute, { kind: "hosts" }>): TransportOutcome {
  const { enhancedStatusCode, reason } = route;
  const reply: Reply = { via: "direct dns", enhancedStatusCode, detail: safeDetail(reason), category: "dns" };
  const final =
    route.kind === "null_mx" || route.kind === "no_domain" || (route.kind === "no_route" && route.permanent);
  return { kind: final ? "bounced" : "unreachable", reply };
}
