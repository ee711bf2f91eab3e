import type { ScenarioGroup } from "./scenario.ts";
import { expressions } from "./scenarios/expressions.ts";
import { indexes } from "./scenarios/indexes.ts";
import { queries } from "./scenarios/queries.ts";
import { transactions } from "./scenarios/transactions.ts";
import { updates } from "./scenarios/updates.ts";
import { writes } from "./scenarios/writes.ts";

/** Everything that is compared, by the name of the file of expected results. */
export const GROUPS: Readonly<Record<string, ScenarioGroup>> = {
  expressions,
  indexes,
  queries,
  transactions,
  updates,
  writes,
};
