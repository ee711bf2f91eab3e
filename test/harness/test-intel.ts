import { randomBytes } from "node:crypto";
import { createCursors } from "../../src/core/intel/cursors.ts";
import { type IntelParts, PROMPT_REPORTS, type PromptReports } from "../../src/core/intel/intel-parts.ts";
import { createReportReader } from "../../src/intel/aggregate-reports/report-reader.ts";
import { blacklists } from "../../src/intel/blacklists/blacklists.ts";
import { openLists } from "../../src/intel/blacklists/open-lists.ts";
import type { CheckResult } from "../../src/intel/check-result.ts";
import { createReportRenderer } from "../../src/intel/reports/render-report.ts";
import { createReportAddresses } from "../../src/message/dsn/report-address.ts";
import type { Clock } from "../../src/shared/clock.ts";
import type { Store } from "../../src/store/store.ts";
import { createCheckWatch } from "../../src/watches/check-watch.ts";
import { createFindMailFacts } from "../../src/watches/find-mail-facts.ts";

const DAY_MS = 86_400_000;

/** Shared by all tests of a worker, because its thread takes half a second to load. */
const reports = createReportRenderer();

/** Results of domain checks, changed by tests. */
export interface Sights {
  /** Results by domain; a missing domain has none. */
  readonly results: Map<string, readonly CheckResult[]>;
}

export interface TestIntelOptions {
  /** Missing: checks find nothing. */
  readonly sights?: Sights;
  /** False: private names and addresses are refused, as by default. */
  readonly allowsPrivate?: boolean;
  /** Missing: as in a core, but with a minute per report for a busy machine. */
  readonly promptReports?: PromptReports;
}

/** Deliverability Intel as in a core, with check results set by the test. */
export function testIntel(store: Store, clock: Clock, options: TestIntelOptions = {}): IntelParts {
  const { sights, allowsPrivate = true, promptReports = { ...PROMPT_REPORTS, waitMs: 60_000 } } = options;
  const lists = openLists(blacklists, {});
  const reportAddresses = createReportAddresses({ domain: "bounce.example.com", secret: "report addresses" });
  return {
    lists,
    cursors: createCursors(randomBytes(32)),
    allowsPrivate,
    resolver: () => ({ kind: "system" }),
    checkWatch: createCheckWatch({
      store: store.acrossAccounts,
      blacklistStates: store.blacklistStates,
      lists,
      clock,
      findMailFacts: createFindMailFacts(store, reportAddresses.domain),
      reportAddresses,
      runChecks: async ({ name }) => sights?.results.get(name) ?? [],
      keptMs: 400 * DAY_MS,
    }),
    reports,
    promptReports,
    reportAddresses,
    reportReader: createReportReader(),
  };
}
