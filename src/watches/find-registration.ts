import { type LookUpRdap, registrableName } from "../intel/expiry/look-up-rdap.ts";
import type { Clock } from "../shared/clock.ts";
import type { Store } from "../store/store.ts";

export interface FindRegistrationOptions {
  readonly registrations: Store["registrations"];
  readonly lookUpRdap: LookUpRdap;
  readonly clock: Pick<Clock, "now">;
}

const DAY_MS = 86_400_000;
/** Registries limit frequent clients, and a registration is renewed once a year. */
const PERIOD_MS = 7 * DAY_MS;
/** Interval of retries after a failed query. */
const RETRY_MS = DAY_MS;

/** Finds the registration of a domain. The registry is queried once a week for all domains below one registrable name. */
export function createFindRegistration(options: FindRegistrationOptions): LookUpRdap {
  const { registrations, lookUpRdap, clock } = options;
  return async (domain) => {
    const name = registrableName(domain) ?? domain;
    const now = clock.now().getTime();
    const known = await registrations.find(name, new Date(now - PERIOD_MS));
    if (known && known.kind !== "failed") return known;
    if (known && (await registrations.find(name, new Date(now - RETRY_MS)))) return known;
    const rdap = await lookUpRdap(domain);
    await registrations.keep(name, rdap, new Date(now), new Date(now + 2 * PERIOD_MS));
    return rdap;
  };
}
