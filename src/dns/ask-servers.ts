import { randomInt } from "node:crypto";
import { type DnsServer, formatDnsServer } from "../shared/dns-server-address.ts";
import { askServer, type Transport } from "./ask-server.ts";
import { type DnsAnswer, decodeAnswer, encodeQuery, FORMERR, NOERROR, NOTIMP, NXDOMAIN } from "./message.ts";
import type { RecordData, RecordType } from "./records.ts";

export interface AskServersOptions {
  readonly servers: readonly DnsServer[];
  /** Silence after which the next try begins; from the third try on the time since the first doubles. */
  readonly retryMs: number;
  /** Tries of one question, over all servers. */
  readonly tries: number;
  /** They have zones of their own, and resolve nothing: that they refer to others is an answer. */
  readonly authorities?: boolean;
}

/** The first usable answer to a question, or why there was none within the time. Never rejects. */
export type AskServers = <T extends RecordType>(
  name: string,
  type: T,
  timeoutMs: number,
) => Promise<DnsAnswer<RecordData[T]> | { readonly failure: string }>;

/** RFC 9520 section 3.1: no server is asked the same thing more often over one transport. */
const MAX_UDP_TRIES = 3;

const RCODE_NAMES: Readonly<Record<number, string>> = {
  1: "FORMERR",
  2: "SERVFAIL",
  4: "NOTIMP",
  5: "REFUSED",
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
}: AskServersOptions): AskServers {
  /** Changed by every answer: who gave it is asked first, who was asked and did not give it last. */
  let order = servers;

  return async <T extends RecordType>(name: string, type: T, timeoutMs: number) => {
    const over = new AbortController();
    const turns = createTurns(order, tries);
    let open = 0;
    let silences = 0;
    let edns = true;
    let failure: string | undefined;
    let silence: NodeJS.Timeout | undefined;
    const end = setTimeout(() => over.abort(), Math.max(0, timeoutMs)).unref();

    /** An answer that can be used; undefined: `failure` says why not. */
    async function ask({ server, transport }: Turn): Promise<DnsAnswer<RecordData[T]> | undefined> {
      const failed = (reason: string) => {
        turns.failed(server);
        failure = `${name} ${type}: ${reason} from ${formatDnsServer(server)}`;
      };
      try {
        const query = encodeQuery(randomInt(0x1_0000), name, type, { edns, recursive: !authorities });
        const answer = decodeAnswer(await askServer(server, query, transport, over.signal), type);
        const isUsable = answer.rcode === NOERROR && (authorities || !answer.referral);
        if (isUsable || answer.rcode === NXDOMAIN) {
          order = [server, ...order.filter((one) => one !== server && !turns.asked(one))];
          order = [...order, ...servers.filter((one) => !order.includes(one))];
          return answer;
        }
        failed(answer.referral ? "a referral" : (RCODE_NAMES[answer.rcode] ?? `rcode ${answer.rcode}`));
        // RFC 6891 section 7: that is how servers from before EDNS answer it.
        if (answer.rcode === FORMERR || answer.rcode === NOTIMP) edns = false;
      } catch (error) {
        // At the end all that are open fail: it says less than what one of them failed by before.
        if (!over.signal.aborted || !failure) failed(error instanceof Error ? error.message : String(error));
      }
      return undefined;
    }

    const answer = await new Promise<DnsAnswer<RecordData[T]> | undefined>((resolve) => {
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
    return answer ?? { failure: failure ?? `${name} ${type}: there is no DNS server to ask` };
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
