import type { ReportSection } from "../../../contracts/common/report-section-names.ts";
import type { DailyRollup } from "../../rollups/daily-rollup.ts";
import type { Blacklist } from "../blacklists/blacklist.ts";
import type { BlacklistEvent, Standing } from "../blacklists/listing.ts";
import type { CheckId } from "../catalogue.ts";
import type { CheckResult } from "../check-result.ts";
import type { DomainStatus } from "../domain-status.ts";
import type { SendingFacts } from "../provider-rules/judge-rules.ts";
import type { DomainResults } from "../score/outcomes.ts";
import type { Severity } from "../severity.ts";

/** All that a report is made from: plain values, as they were stored. The order of lists does not matter. */
export interface ReportInputs {
  /** `rpt_…` */
  readonly id: string;
  /** Ages and what holds at blacklists are as of this time. */
  readonly generatedAt: Date;
  readonly scope: {
    readonly type: "workspace" | "client" | "domain";
    readonly id: string;
    readonly name: string;
  };
  readonly period: ReportPeriod;
  /** An IANA name that `Intl` knows. */
  readonly timezone: string;
  /** A BCP 47 tag that `Intl` knows. */
  readonly locale: string;
  readonly branding?: {
    readonly name?: string;
    /** `#rrggbb` */
    readonly color?: string;
  };
  /** Missing: all of them. */
  readonly sections?: readonly ReportSection[];
  readonly domains: readonly ReportDomain[];
  readonly lists: readonly ReportList[];
  readonly standings: readonly ReportStanding[];
  /** Of the subjects of the scope's domains; those outside of the period are passed over. */
  readonly listingEvents: readonly BlacklistEvent[];
  /** Of the period. */
  readonly sending: readonly SendingFigures[];
  /** Of the scope's domains; days outside of the period are passed over. */
  readonly dmarc: readonly DailyRollup[];
  readonly method: {
    /** Whom DNS was asked, as a noun: `the resolver at 192.0.2.53, which validates DNSSEC`. */
    readonly resolver: string;
    readonly listsVersion: string;
  };
}

export interface ReportPeriod {
  readonly from: Date;
  /** Does not belong to it. */
  readonly to: Date;
}

export interface ReportDomain extends DomainResults {
  readonly id: string;
  /** In A-labels. */
  readonly name: string;
  readonly client?: { readonly id: string; readonly name: string };
  readonly isPaused: boolean;
  /** Missing: never. */
  readonly checkedAt?: Date;
  /** Of each check one at most. A report has no evidence, which is most of a result. */
  readonly results: readonly Omit<CheckResult, "evidence">[];
  /** Of what was measured within the period, and the last point before it. */
  readonly history: readonly HistoryPoint[];
  readonly findings: readonly FindingInterval[];
  readonly statusChanges: readonly StatusChange[];
  /** Of sending domains. */
  readonly sendingFacts?: SendingFacts;
}

export interface HistoryPoint {
  readonly at: Date;
  /** Null: nothing was measured. */
  readonly score: number | null;
  readonly coverage: number;
  readonly scoreModel: string;
}

/** A finding from when it was seen until it was gone. */
export interface FindingInterval {
  readonly checkId: CheckId;
  readonly severity: Severity;
  readonly openedAt: Date;
  /** Missing: it is open. */
  readonly resolvedAt?: Date;
  readonly mutedUntil?: Date;
}

export interface StatusChange {
  readonly at: Date;
  readonly from: DomainStatus;
  readonly to: DomainStatus;
}

export interface ReportList {
  readonly list: Blacklist;
  /** Why it is not asked, in a sentence's end; missing: it is. */
  readonly notConfigured?: string;
}

/** How a subject stands at a list; missing standing: it was not looked up yet. */
export interface ReportStanding {
  readonly listId: string;
  readonly subject: string;
  /** The scope's domains that it matters to, by id. */
  readonly domainIds: readonly string[];
  readonly standing?: Standing;
}

/** What became of own mail, by sending domain and by who has the mailboxes. */
export interface SendingFigures {
  readonly domainId: string;
  /** As `gmail`; `other` for all that are not known by name. */
  readonly provider: string;
  /** Messages, one for each recipient. */
  readonly sent: number;
  readonly delivered: number;
  readonly bounced: number;
  readonly complained: number;
  /** Out of how many delivered messages a complaint would have been told. */
  readonly complaintsOf: number;
}
