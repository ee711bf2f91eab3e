import { randomInt } from "node:crypto";
import { type DnsServer, formatDnsServer } from "../shared/dns-server-address.ts";
import { askServer, type Transport } from "./ask-server.ts";
import { type ExtendedError, readExtendedErrors } from "./extended-errors.ts";
import { AskError, type AskFailure, type FailureCode } from "./failure.ts";
import {
  type DnsAnswer,
  decodeAnswer,
  encodeQuery,
  FORMERR,
  NOERROR,
  NOTIMP,
  NXDOMAIN,
  REFUSED,
  SERVFAIL,
} from "./message.ts";
import type { RecordData, RecordType } from "./records.ts";

export interface AskServersOptions {
  readonly servers: readonly DnsServer[];
  /** Silence after which the next try begins; from the third try on, the time since the first doubles. */
  readonly retryMs: number;
  /** Tries of one query, over all servers. */
  readonly tries: number;
  /** The servers are authoritative and resolve nothing: a referral is an answer. */
  readonly authorities?: boolean;
  /** The servers return data that fails validation, too; callers that cache the answers keep them apart. */
  readonly checkingDisabled?: boolean;
}

/** The answering server, as `address:port`, and its answer. */
export interface ServerAnswer<T> extends DnsAnswer<T> {
  readonly server: string;
}

/** The first usable answer to a query, or the reason for none within the time. Never rejects. */
export type AskServers = <T extends RecordType>(
  name: string,
  type: T,
  timeoutMs: number,
) => Promise<ServerAnswer<RecordData[T]> | AskFailure>;

/** RFC 9520 section 3.1: limit of identical queries to a server over one transport. */
const MAX_UDP_TRIES = 3;

const rcodes: Readonly<Record<number, { readonly name: string; readonly code?: FailureCode }>> = {
  [FORMERR]: { name: "FORMERR" },
  [SERVFAIL]: { name: "SERVFAIL", code: "servfail" },
  [NOTIMP]: { name: "NOTIMP" },
  [REFUSED]: { name: "REFUSED", code: "refused" },
};

/**
 * Queries the servers in turn, one more after each silence and each failure. Earlier tries stay open: the first answer counts,
 * each under its own id and at its own port. A late answer, or an answer to only one of the queries, is therefore used.
 */
export function createAskServers({
  servers,
  retryMs,
  tries,
  authorities = false,
  checkingDisabled = false,
}: AskServersOptions): AskServers {
  /** Order of the servers, changed by every answer: the answering server moves to the front, a failed one to the end. */
  let order = servers;

  return async <T extends RecordType>(name: string, type: T, timeoutMs: number) => {
    const over = new AbortController();
    const attempts = createTries(order, tries);
    let open = 0;
    let silences = 0;
    let edns = true;
    let failure: AskFailure | undefined;
    let silence: NodeJS.Timeout | undefined;
    const end = setTimeout(() => over.abort(), Math.max(0, timeoutMs)).unref();

    /** A usable answer; undefined: `failure` has the reason. */
    async function ask({ server, transport }: ServerTry): Promise<ServerAnswer<RecordData[T]> | undefined> {
      const failed = (code: FailureCode, reason: string, extendedErrors: readonly ExtendedError[] = []) => {
        attempts.failed(server);
        const text = `${name} ${type}: ${reason} from ${formatDnsServer(server)}`;
        failure = { code, failure: text, ...(extendedErrors.length > 0 && { extendedErrors }) };
      };
      try {
        const query = encodeQuery(randomInt(0x1_0000), name, type, {
          edns,
          recursive: !authorities,
          checkingDisabled,
        });
        const message = await askServer(server, query, transport, over.signal);
        const answer = decodeAnswer(message, type);
        const isUsable = answer.rcode === NOERROR && (authorities || !answer.referral);
        if (isUsable || answer.rcode === NXDOMAIN) {
          order = [server, ...order.filter((one) => one !== server && !attempts.asked(one))];
          order = [...order, ...servers.filter((one) => !order.includes(one))];
          return { ...answer, server: formatDnsServer(server) };
        }
        const { name: rcode, code = "other_rcode" } = rcodes[answer.rcode] ?? {
          name: `rcode ${answer.rcode}`,
        };
        if (answer.referral) failed("not_resolved", "a referral");
        else failed(code, rcode, readExtendedErrors(message));
        // RFC 6891 section 7: servers without EDNS answer in this way.
        if (answer.rcode === FORMERR || answer.rcode === NOTIMP) edns = false;
      } catch (error) {
        // At the end all open tries fail; this says less than an earlier failure of one of them.
        if (over.signal.aborted && failure) return undefined;
        // Other errors come from parsing the message.
        const code = error instanceof AskError ? error.code : "malformed";
        failed(code, error instanceof Error ? error.message : String(error));
      }
      return undefined;
    }

    const answer = await new Promise<ServerAnswer<RecordData[T]> | undefined>((resolve) => {
      function repeat(): void {
        silences++;
        begin();
      }
      async function begin(): Promise<void> {
        clearTimeout(silence);
        const next = over.signal.aborted ? undefined : attempts.next();
        if (next) {
          open++;
          silence = setTimeout(repeat, retryMs * 2 ** Math.max(0, silences - 1)).unref();
          const found = await ask(next);
          open--;
          if (found) return resolve(found);
          await begin();
        } else if (open === 0) {
          resolve(undefined);
        }
      }
      begin();
    });
    clearTimeout(end);
    clearTimeout(silence);
    over.abort();
    if (answer) return answer;
    return failure ?? { code: "no_server", failure: `${name} ${type}: there is no DNS server to ask` };
  };
}

interface ServerTry {
  readonly server: DnsServer;
  readonly transport: Transport;
}

/** Servers for the tries of one query. */
function createTries(order: readonly DnsServer[], tries: number) {
  const known = new Map<DnsServer, { udpTries: number; tcp: boolean }>();
  let count = 0;
  return {
    /** undefined: all servers were queried often enough. */
    next(): ServerTry | undefined {
      while (count < tries) {
        const server = order[count++ % order.length];
        if (!server) break;
        const state = known.get(server) ?? { udpTries: 0, tcp: true };
        known.set(server, state);
        if (state.udpTries++ < MAX_UDP_TRIES) return { server, transport: "udp" };
        if (!state.tcp) continue;
        state.tcp = false;
        return { server, transport: "tcp" };
      }
      return undefined;
    },

    asked: (server: DnsServer) => known.has(server),

    /** TCP retransmits by itself, and a server that answers has already reported its error. */
    failed(server: DnsServer): void {
      const state = known.get(server);
      if (state) state.tcp = false;
    },
  };
}
