import type { Clock } from "../shared/clock.ts";
import { type Fault, fault } from "../shared/fault.ts";
import type { HostPort } from "../shared/host-port.ts";
import type { CallerTls } from "./channels.ts";
import { type CoreEndpoint, createCoreEndpoints } from "./endpoints.ts";
import { type CoreLink, openCoreLink } from "./link.ts";

export interface CoreLinksOptions {
  /** Addresses of the cores. A name may stand for several. */
  readonly addresses: readonly HostPort[];
  /** Returns all IP addresses of a name. */
  readonly lookup: (name: string) => Promise<readonly string[]>;
  readonly tls: CallerTls;
  readonly clock: Clock;
  /** Called for every change of the state of a link. */
  readonly onChange?: (() => void) | undefined;
}

export interface CoreLinks {
  /**
   * Picks a link that is up: the least busy one, and in turn among equals. Waits only while it will soon be known
   * whether there is one.
   * @param untilMs on the monotonic clock
   * @throws Fault core.unavailable
   */
  pick(untilMs: number): CoreLink | Promise<CoreLink>;
  close(): void;
}

const RETRY_AFTER_SECONDS = 1;

/** Opens a link to each core. */
export function openCoreLinks({ addresses, lookup, tls, clock, onChange }: CoreLinksOptions): CoreLinks {
  const links = new Map<string, CoreLink>();
  let waiters: (() => void)[] = [];
  let resolved = false;
  let lookupFailure: unknown;
  let next = 0;
  let closed = false;
  const endpoints = createCoreEndpoints({
    addresses,
    lookup,
    onChange: follow,
    onFailure: (_name, error) => {
      lookupFailure = error;
    },
  });

  function changed(): void {
    const waiting = waiters;
    waiters = [];
    for (const notify of waiting) notify();
    onChange?.();
  }

  function follow(present: ReadonlyMap<string, CoreEndpoint>): void {
    for (const [address, link] of links) {
      if (present.has(address)) continue;
      links.delete(address);
      link.close();
    }
    for (const [address, endpoint] of present) {
      if (!links.has(address)) links.set(address, openCoreLink({ endpoint, tls, clock, onChange: changed }));
    }
    resolved = true;
    changed();
  }

  function best(): CoreLink | undefined {
    let chosen: CoreLink | undefined;
    const all = [...links.values()];
    const first = next++;
    for (let at = 0; at < all.length; at++) {
      const link = all[(first + at) % all.length] as CoreLink;
      if (link.state === "up" && (!chosen || isBetter(link, chosen))) chosen = link;
    }
    return chosen;
  }

  async function come(untilMs: number): Promise<CoreLink> {
    for (;;) {
      const link = best();
      if (link) return link;
      const mayCome = !resolved || [...links.values()].some(({ state }) => state === "probing");
      if (closed || !mayCome || clock.monotonicMs() >= untilMs) throw unavailable();
      await nextChange(untilMs - clock.monotonicMs());
    }
  }

  function nextChange(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      waiters.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  function unavailable(): Fault {
    const reasons = [...links.values()].flatMap(({ reason }) => reason ?? []);
    const [cause = lookupFailure] = reasons;
    const internal = reasons.map(({ message }) => message).join("; ") || String(cause ?? "no core answers");
    return fault("core.unavailable", { internal, cause, retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  endpoints.start();
  return {
    pick: (untilMs) => best() ?? come(untilMs),
    close: () => {
      closed = true;
      endpoints.stop();
      for (const link of links.values()) link.close();
      links.clear();
      changed();
    },
  };
}

/** A link that answers is better than one that does not. Otherwise the less busy one is better. */
function isBetter(link: CoreLink, than: CoreLink): boolean {
  return link.isQuiet === than.isQuiet ? link.underWay < than.underWay : than.isQuiet;
}
