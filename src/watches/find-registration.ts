import { type LookUpRdap, registrableName } from "../intel/expiry/look-up-rdap.ts";
import type { Clock } from "../shared/clock.ts";
import type { Store } from "../store/store.ts";

export interface FindRegistrationOptions {
  readonly registrations: Store["registrations"];
  readonly lookUpRdap: LookUpRdap;
  readonly clock: Pick<Clock, "now">;
}

const DAY_MS = 86_400_000;
/** Registries slow down who asks much, and a registration is renewed once a year. */
const PERIOD_MS = 7 * DAY_MS;
/** What a registry could not say is asked again within the period. */
const RETRY_MS = DAY_MS;

/** What the registry says of a domain, for all domains below one name once a week. */
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
