import { z } from "zod";
import type { FetchHttps } from "../../dns/fetch-https.ts";
import type { Clock } from "../../shared/clock.ts";

/** Finds the RDAP server for the names below a suffix. */
export interface RdapServers {
  /**
   * @param registrable in A-labels
   * @returns the base URL; undefined: no server is registered for the suffix
   * @throws Error if the list of servers is not available
   */
  serverOf(registrable: string): Promise<URL | undefined>;
}

export interface RdapServersOptions {
  readonly fetch: FetchHttps;
  readonly clock: Pick<Clock, "monotonicMs">;
  /** URL of the list. */
  readonly bootstrapUrl: string;
  readonly timeoutMs: number;
}

/** The list changes a few times a week. */
const KEEP_MS = 86_400_000;
/** After a failure the previous list is used, so that IANA is not queried for each domain. */
const RETRY_MS = 300_000;
/** The list has about 60 KB. */
const MAX_BYTES = 1024 * 1024;

/** RFC 9224 section 4. */
const bootstrap = z.object({ services: z.array(z.tuple([z.array(z.string()), z.array(z.string())])) });

/** Servers by suffix. */
type Servers = ReadonlyMap<string, URL>;

interface List {
  /** The previous servers if a new list was not available. */
  readonly servers: Promise<Servers>;
  /** Time until which the list is not fetched again; infinite during a fetch. */
  untilMs: number;
}

/** The servers from IANA's list (RFC 9224). It is fetched once a day, on demand. */
export function createRdapServers(options: RdapServersOptions): RdapServers {
  const { fetch, clock, bootstrapUrl, timeoutMs } = options;
  /** Only `load` changes it. */
  let latest: List | undefined;

  async function fetchList(): Promise<Servers> {
    const signal = AbortSignal.timeout(timeoutMs);
    const wanted = { accept: "application/json", maxBytes: MAX_BYTES, signal };
    const { status, body, isWhole } = await fetch(new URL(bootstrapUrl), wanted);
    if (status !== 200) throw new Error(`the list of RDAP servers is not available (HTTP ${status})`);
    if (!isWhole) throw new Error("the list of RDAP servers is too long");
    return readList(body.toString());
  }

  function load(): Promise<Servers> {
    if (latest && clock.monotonicMs() < latest.untilMs) return latest.servers;
    const former = latest?.servers;
    let keepMs = KEEP_MS;
    const servers = fetchList().catch((error: unknown) => {
      keepMs = RETRY_MS;
      if (former) return former;
      throw error;
    });
    const begun: List = { servers, untilMs: Number.POSITIVE_INFINITY };
    const settle = () => {
      begun.untilMs = clock.monotonicMs() + keepMs;
    };
    servers.then(settle, settle);
    latest = begun;
    return servers;
  }

  return {
    serverOf: async (registrable) => {
      const servers = await load();
      const labels = registrable.split(".");
      // The longest suffix decides.
      for (let from = 0; from < labels.length; from++) {
        const server = servers.get(labels.slice(from).join("."));
        if (server) return server;
      }
      return undefined;
    },
  };
}

function readList(text: string): Servers {
  const { data } = bootstrap.safeParse(JSON.parse(text));
  if (!data) throw new Error("the list of RDAP servers is invalid");
  const servers = new Map<string, URL>();
  for (const [suffixes, urls] of data.services) {
    // Servers without TLS are not queried: anyone on the path could answer.
    const base = urls.find((url) => URL.canParse(url) && new URL(url).protocol === "https:");
    if (base === undefined) continue;
    const url = new URL(base.endsWith("/") ? base : `${base}/`);
    for (const suffix of suffixes) servers.set(suffix.toLowerCase(), url);
  }
  return servers;
}
