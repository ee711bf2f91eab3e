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
  /** Silence after which the next try begins; from the third try on the time since the first doubles. */
  readonly retryMs: number;
  /** Tries of one question, over all servers. */
  readonly tries: number;
  /** They have zones of their own, and resolve nothing: that they refer to others is an answer. */
  readonly authorities?: boolean;
  /** They are to hand on what they cannot validate, too; whoever remembers the answers keeps them apart. */
  readonly checkingDisabled?: boolean;
}

/** Who has answered, as `address:port`, and what. */
export interface ServerAnswer<T> extends DnsAnswer<T> {
  readonly server: string;
}

/** The first usable answer to a question, or why there was none within the time. Never rejects. */
export type AskServers = <T extends RecordType>(
  name: string,
  type: T,
  timeoutMs: number,
) => Promise<ServerAnswer<RecordData[T]> | AskFailure>;

/** RFC 9520 section 3.1: no server is asked the same thing more often over one transport. */
const MAX_UDP_TRIES = 3;

const rcodes: Readonly<Record<number, { readonly name: string; readonly code?: FailureCode }>> = {
  [FORMERR]: { name: "FORMERR" },
  [SERVFAIL]: { name: "SERVFAIL", code: "servfail" },
  [NOTIMP]: { name: "NOTIMP" },
  [REFUSED]: { name: "REFUSED", code: "refused" },
};

/**
 * Asks the servers in turn, one more after each silence and after each failure. The tries before stay open: whichever
 * is answered first counts, each under its own id and at its own port. So an answer that comes late, or to one of the
 * queries only, is an answer all the same.
 */
export function createAskServers({
  servers,
  retryMs,
  tries,
  authorities = false,
  checkingDisabled = false,
}: AskServersOptions): AskServers {
  /** Changed by every answer: who gave it is asked first, who was asked and did not give it last. */
  let order = servers;

  return async <T extends RecordType>(name: string, type: T, timeoutMs: number) => {
    const over = new AbortController();
    const turns = createTurns(order, tries);
    let open = 0;
    let silences = 0;
    let edns = true;
    let failure: AskFailure | undefined;
    let silence: NodeJS.Timeout | undefined;
    const end = setTimeout(() => over.abort(), Math.max(0, timeoutMs)).unref();

    /** An answer that can be used; undefined: `failure` says why not. */
    async function ask({ server, transport }: Turn): Promise<ServerAnswer<RecordData[T]> | undefined> {
      const failed = (code: FailureCode, reason: string, extendedErrors: readonly ExtendedError[] = []) => {
        turns.failed(server);
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
          order = [server, ...order.filter((one) => one !== server && !turns.asked(one))];
          order = [...order, ...servers.filter((one) => !order.includes(one))];
          return { ...answer, server: formatDnsServer(server) };
        }
        const { name: rcode, code = "other_rcode" } = rcodes[answer.rcode] ?? {
          name: `rcode ${answer.rcode}`,
        };
        if (answer.referral) failed("not_resolved", "a referral");
        else failed(code, rcode, readExtendedErrors(message));
        // RFC 6891 section 7: that is how servers from before EDNS answer it.
        if (answer.rcode === FORMERR || answer.rcode === NOTIMP) edns = false;
      } catch (error) {
        // At the end all that are open fail: it says less than what one of them failed by before.
        if (over.signal.aborted && failure) return undefined;
        // What else is thrown comes from reading the message.
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
        const turn = over.signal.aborted ? undefined : turns.next();
        if (turn) {
          open++;
          silence = setTimeout(repeat, retryMs * 2 ** Math.max(0, silences - 1)).unref();
          const found = await ask(turn);
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

interface Turn {
  readonly server: DnsServer;
  readonly transport: Transport;
}

/** Whom one question goes to, try by try. */
function createTurns(order: readonly DnsServer[], tries: number) {
  const known = new Map<DnsServer, { udpTries: number; tcp: boolean }>();
  let count = 0;
  return {
    /** Undefined: all were asked often enough. */
    next(): Turn | undefined {
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

    /** TCP repeats by itself what gets lost; a server that does answer has said already what is wrong. */
    failed(server: DnsServer): void {
      const state = known.get(server);
      if (state) state.tcp = false;
    },
  };
}
