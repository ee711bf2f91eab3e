import type { ReportSection } from "../../../contracts/common/report-section-names.ts";
import type { DailyRollup } from "../../rollups/daily-rollup.ts";
import type { Blacklist } from "../blacklists/blacklist.ts";
import type { BlacklistEvent, Standing } from "../blacklists/listing.ts";
import type { CheckId } from "../catalogue.ts";
import type { CheckResult } from "../check-result.ts";
import type { DomainStatus } from "../domain-status.ts";
import type { SendingFacts } from "../provider-rules/evaluate-rules.ts";
import type { DomainResults } from "../score/outcomes.ts";
import type { Severity } from "../severity.ts";

/** Inputs of a report: plain values, as stored. The order of lists does not matter. */
export interface ReportInputs {
  /** `rpt_…` */
  readonly id: string;
  /** Reference time of ages and listings. */
  readonly generatedAt: Date;
  readonly scope: {
    readonly type: "workspace" | "client" | "domain";
    readonly id: string;
    readonly name: string;
  };
  readonly period: ReportPeriod;
  /** An IANA name that `Intl` supports. */
  readonly timezone: string;
  /** A BCP 47 tag that `Intl` supports. */
  readonly locale: string;
  readonly branding?: {
    readonly name?: string;
    /** `#rrggbb` */
    readonly color?: string;
  };
  /** Missing: all sections. */
  readonly sections?: readonly ReportSection[];
  readonly domains: readonly ReportDomain[];
  readonly lists: readonly ReportList[];
  readonly standings: readonly ReportStanding[];
  /** Events of the subjects of the scope's domains. Events outside of the period are ignored. */
  readonly listingEvents: readonly BlacklistEvent[];
  /** Figures of the period. */
  readonly sending: readonly SendingFigures[];
  /** Rollups of the scope's domains. Days outside of the period are ignored. */
  readonly dmarc: readonly DailyRollup[];
  readonly method: {
    /** The queried DNS server, as a noun phrase: `the resolver at 192.0.2.53, which validates DNSSEC`. */
    readonly resolver: string;
    readonly listsVersion: string;
  };
}

export interface ReportPeriod {
  readonly from: Date;
  /** Exclusive. */
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
  /** At most one result for each check. Reports omit the evidence, which is most of a result. */
  readonly results: readonly Omit<CheckResult, "evidence">[];
  /** Points within the period, and the last point before it. */
  readonly history: readonly HistoryPoint[];
  readonly findings: readonly FindingInterval[];
  readonly statusChanges: readonly StatusChange[];
  /** Facts of sending domains. */
  readonly sendingFacts?: SendingFacts;
}

export interface HistoryPoint {
  readonly at: Date;
  /** Null: no check has a result. */
  readonly score: number | null;
  readonly coverage: number;
  readonly scoreModel: string;
}

/** A finding, from its first to its last observation. */
export interface FindingInterval {
  readonly checkId: CheckId;
  readonly severity: Severity;
  readonly openedAt: Date;
  /** Missing: the finding is open. */
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
  /** Why the list is not queried, as a clause. Missing: it is queried. */
  readonly notConfigured?: string;
}

/** State of a subject at a list. Missing standing: no check has run yet. */
export interface ReportStanding {
  readonly listId: string;
  readonly subject: string;
  /** Ids of the scope's domains that use the subject. */
  readonly domainIds: readonly string[];
  readonly standing?: Standing;
}

/** Outcomes of own mail, by sending domain and mailbox provider. */
export interface SendingFigures {
  readonly domainId: string;
  /** Such as `gmail`; `other` for all unknown providers. */
  readonly provider: string;
  /** Messages, one for each recipient. */
  readonly sent: number;
  readonly delivered: number;
  readonly bounced: number;
  readonly complained: number;
  /** Number of delivered messages for which a provider reports complaints. */
  readonly complaintsOf: number;
}
