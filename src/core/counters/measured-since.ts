import type { Clock } from "../../shared/clock.ts";
import { countersMigration } from "../../store/migrations/9-counters.ts";
import type { Store } from "../../store/store.ts";

interface MeasuredSinceNeeds {
  readonly store: { readonly schema: Pick<Store["schema"], "listMigrations"> };
  readonly clock: Pick<Clock, "now">;
}

/**
 * Finds the time since which everything is measured that earlier releases did not count; undefined: it was already
 * measured at `from`. The migration stores it once, so that it is read from the store only until it is known.
 * @throws Fault store.unavailable
 */
export function createMeasuredSince({ store, clock }: MeasuredSinceNeeds) {
  let known: Date | undefined;

  async function read(): Promise<Date> {
    const noted = (await store.schema.listMigrations()).find(
      ({ version }) => version === countersMigration.version,
    );
    // A database that was created with this release has no note.
    known = noted ? noted.finishedAt : new Date(0);
    return known ?? clock.now();
  }

  return async (from: Date): Promise<Date | undefined> => {
    const since = known ?? (await read());
    return since > from ? since : undefined;
  };
}
