import { parse } from "tldts";
import { createFetchHttps, type FetchHttpsOptions } from "../../dns/fetch-https.ts";
import { followRedirects } from "../../dns/follow-redirects.ts";
import { safeDetail } from "../../message/replies/outcome.ts";
import type { Clock } from "../../shared/clock.ts";
import { createSlots } from "../../shared/slots.ts";
import type { Evidence } from "../check-result.ts";
import type { RdapResult } from "./rdap-result.ts";
import { createRdapServers } from "./rdap-servers.ts";
import { readRdap } from "./read-rdap.ts";

export interface LookUpRdapOptions extends FetchHttpsOptions {
  readonly clock: Clock;
  /** URL of IANA's list of RDAP servers; set by tests. */
  readonly bootstrapUrl?: string;
  /** Aborts after a time, as `AbortSignal.timeout` does; set by tests, which end a lookup when they want. */
  readonly abortAfter?: (ms: number) => AbortSignal;
}

/**
 * Queries the registry about the registered name of a domain in A-labels. Never rejects. It caches no answers: the
 * caller caches them by `registrableName`, because many domains share one, and registries limit frequent clients.
 */
export type LookUpRdap = (domain: string) => Promise<RdapResult>;

const BOOTSTRAP_URL = "https://data.iana.org/rdap/dns.json";
/** Time limit of one lookup, including redirects. */
const TIMEOUT_MS = 20_000;
const MAX_BYTES = 256 * 1024;
const MAX_REDIRECTS = 2;
const ACCEPT = "application/rdap+json, application/json;q=0.9";
/** Maximum number of concurrent queries to all registries. */
const MAX_CONCURRENT = 4;

/** The registered name of the domain; undefined: there is none, for example for a public suffix. */
export function registrableName(domain: string): string | undefined {
  return parse(domain, { allowPrivateDomains: true }).domain ?? undefined;
}

export function createLookUpRdap(options: LookUpRdapOptions): LookUpRdap {
  const { clock, bootstrapUrl = BOOTSTRAP_URL, abortAfter = (ms) => AbortSignal.timeout(ms) } = options;
  const fetch = createFetchHttps(options);
  const servers = createRdapServers({ fetch, clock, bootstrapUrl, timeoutMs: TIMEOUT_MS });
  const inSlot = createSlots(MAX_CONCURRENT);

  async function ask(registrable: string, server: URL): Promise<RdapResult> {
    const timeout = abortAfter(TIMEOUT_MS);
    const evidenceOf = (found: Pick<Evidence, "rcode" | "data"> & Partial<Evidence>): Evidence[] => [
      { name: registrable, type: "RDAP", server: server.host, at: clock.now(), ...found },
    ];
    try {
      const url = new URL(`domain/${registrable}`, server);
      const asking = { accept: ACCEPT, maxBytes: MAX_BYTES, signal: timeout };
      const { status, body, isWhole, host } = await followRedirects(fetch, url, asking, MAX_REDIRECTS);
      if (status === 404) {
        const evidence = evidenceOf({ rcode: "NXDOMAIN", data: [], server: host });
        return { kind: "not_found", registrable, server: host, evidence };
      }
      if (status === 429) throw new Error("the server limits the query rate (HTTP 429)");
      if (status !== 200) throw new Error(`the server answered with HTTP ${status}`);
      if (!isWhole) throw new Error(`the answer has more than ${MAX_BYTES / 1024} KB`);
      const { expiresAt, endings } = readRdap(body.toString(), registrable);
      const data = [...(expiresAt ? [`expiration ${expiresAt.toISOString()}`] : []), ...endings];
      const evidence = evidenceOf({ rcode: "NOERROR", data, server: host });
      return { kind: "registered", registrable, expiresAt, endings, evidence };
    } catch (error) {
      const reason = timeout.aborted
        ? `no complete answer within ${TIMEOUT_MS / 1_000} seconds`
        : safeDetail(error instanceof Error ? error.message : String(error));
      return { kind: "failed", reason, evidence: evidenceOf({ rcode: "ERROR", data: [], reason }) };
    }
  }

  return (domain) =>
    inSlot(async () => {
      const { domain: registrable, isPrivate } = parse(domain, { allowPrivateDomains: true });
      if (registrable === null || isPrivate) {
        const reason = isPrivate
          ? "it is below a name that another party has registered"
          : "it is not a registrable name";
        return { kind: "no_server", reason, evidence: [] };
      }
      try {
        const server = await servers.serverOf(registrable);
        if (server) return await ask(registrable, server);
      } catch (error) {
        const reason = safeDetail(error instanceof Error ? error.message : String(error));
        return { kind: "failed", reason, evidence: [] };
      }
      const reason = `the registry of .${registrable.replace(/^.*?\./, "")} has no RDAP server`;
      return { kind: "no_server", reason, evidence: [] };
    });
}
