import { z } from "zod";
import type { FetchHttps } from "../../dns/fetch-https.ts";
import type { Clock } from "../../shared/clock.ts";

/** Which server answers for the names below a suffix. */
export interface RdapServers {
  /**
   * @param registrable in A-labels
   * @returns the base URL; undefined: no server is registered for it
   * @throws Error when the list of servers is not known
   */
  serverOf(registrable: string): Promise<URL | undefined>;
}

export interface RdapServersOptions {
  readonly fetch: FetchHttps;
  readonly clock: Pick<Clock, "monotonicMs">;
  /** Where the list is. */
  readonly bootstrapUrl: string;
  readonly timeoutMs: number;
}

/** The list changes a few times a week. */
const KEEP_MS = 86_400_000;
/** After a failure the list of before is good enough, and IANA is not asked for each domain. */
const RETRY_MS = 300_000;
/** It has about 60 KB. */
const MAX_BYTES = 1024 * 1024;

/** RFC 9224 section 4. */
const bootstrap = z.object({ services: z.array(z.tuple([z.array(z.string()), z.array(z.string())])) });

/** By suffix. */
type Servers = ReadonlyMap<string, URL>;

interface List {
  /** Those of the list before where a new one could not be had. */
  readonly servers: Promise<Servers>;
  /** Until then it is asked for no more; without end as long as it is under way. */
  untilMs: number;
}

/** The servers by IANA's list (RFC 9224), which is fetched once a day, when it is needed. */
export function createRdapServers(options: RdapServersOptions): RdapServers {
  const { fetch, clock, bootstrapUrl, timeoutMs } = options;
  /** Changed by `load` alone. */
  let latest: List | undefined;

  async function fetchList(): Promise<Servers> {
    const signal = AbortSignal.timeout(timeoutMs);
    const wanted = { accept: "application/json", maxBytes: MAX_BYTES, signal };
    const { status, body, isWhole } = await fetch(new URL(bootstrapUrl), wanted);
    if (status !== 200) throw new Error(`the list of RDAP servers is not there (HTTP ${status})`);
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
  if (!data) throw new Error("the list of RDAP servers is none");
  const servers = new Map<string, URL>();
  for (const [suffixes, urls] of data.services) {
    // Those without TLS are not asked: anybody on the way could answer.
    const base = urls.find((url) => URL.canParse(url) && new URL(url).protocol === "https:");
    if (base === undefined) continue;
    const url = new URL(base.endsWith("/") ? base : `${base}/`);
    for (const suffix of suffixes) servers.set(suffix.toLowerCase(), url);
  }
  return servers;
}
