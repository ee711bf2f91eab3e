import { createCursors } from "../core/intel/cursors.ts";
import type { IntelParts } from "../core/intel/intel-parts.ts";
import { createResolver } from "../dns/resolver.ts";
import { blacklists } from "../intel/blacklists/blacklists.ts";
import { createLookRound } from "../intel/blacklists/look-round.ts";
import { openLists } from "../intel/blacklists/open-lists.ts";
import { readListSettings } from "../intel/blacklists/read-list-settings.ts";
import { createLookAtDomain } from "../intel/look-at-domain.ts";
import { createCheckDueWatches } from "../intel/monitor/check-due.ts";
import { createCheckWatch } from "../intel/monitor/check-watch.ts";
import { createRunBlacklists } from "../intel/monitor/run-blacklists.ts";
import { StartupError } from "../shared/startup-error.ts";
import type { Store } from "../store/store.ts";
import type { Process } from "./process.ts";

/** Deliverability Intel: what answers need, and what goes on in the background. */
export interface ComposedIntel {
  readonly intel: IntelParts;
  /** Looks at the domains that are due. */
  readonly checkDueWatches: () => Promise<void>;
  /** Asks blacklists about the subjects that are due. */
  readonly runBlacklists: () => Promise<void>;
}

/** How long points of scores, and changes, are kept: a report spans a year. */
const KEPT_MS = 400 * 86_400_000;

/** @throws StartupError when a setting names a list that there is not */
export async function composeIntel(process: Process, store: Store): Promise<ComposedIntel> {
  const { config, clock, log, signal } = process;
  const { dnsServers: servers, allowPrivate } = config.delivery;
  const lists = openLists(blacklists, listSettings(config.intel.blacklists));
  const freshResolver = () => createResolver({ servers, clock });
  const resolver = freshResolver();
  const lookAtDomain = createLookAtDomain({ resolver, freshResolver, clock });
  const across = { store: store.acrossAccounts, clock, log, signal };
  const checkWatch = createCheckWatch({
    ...{ store: store.acrossAccounts, blacklistStates: store.blacklistStates },
    ...{ lookAtDomain, lists, clock, keptMs: KEPT_MS },
  });
  const lookRound = createLookRound({ resolver, clock });
  return {
    intel: {
      ...{ lists, allowsPrivate: allowPrivate, checkWatch },
      cursors: createCursors(await store.secrets.getOrCreate("cursor")),
      resolver: () => ({ kind: servers?.length ? "configured" : "system" }),
    },
    checkDueWatches: createCheckDueWatches({ ...across, checkWatch }),
    runBlacklists: createRunBlacklists({ ...across, lists, lookRound }),
  };
}

/** @throws StartupError */
function listSettings(items: readonly string[]) {
  const read = readListSettings(items) ?? {};
  const ids = blacklists.map(({ id }) => id);
  const unknown = Object.keys(read).filter((id) => !ids.includes(id));
  if (unknown.length === 0) return read;
  throw new StartupError(`HERMOD_BLACKLISTS names ${unknown.join(", ")}: the lists are ${ids.join(", ")}.`);
}
