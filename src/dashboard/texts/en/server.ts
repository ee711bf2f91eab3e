import type { SentenceCode } from "../../../../contracts/common/sentences/sentences.ts";

/**
 * Texts of other languages for texts that the API has in English, by the name that comes with them. Empty here: English pages
 * show those of the API, as all pages do for names that are missing.
 */
export const server: {
  /** By name, as `policies.write`. */
  readonly permissions: Readonly<Record<string, string>>;
  /** Built-in templates, by name. */
  readonly builtIns: Readonly<Record<string, { readonly title: string; readonly description: string }>>;
  /** Descriptions of webhook events, by type. */
  readonly eventTypes: Readonly<Record<string, string>>;
  /** Findings of the checks of captured mail, by code. */
  readonly findings: Readonly<Record<string, string>>;
  /** Summaries of the checks of captured mail, by kind and severity. */
  readonly checkSummaries: Readonly<Record<string, string>>;
  /** Kinds of targets in the audit log. */
  readonly targetKinds: Readonly<Record<string, string>>;
  /** Actions of the audit log, by name. */
  readonly auditActions: Readonly<Record<string, string>>;
  /** Titles of the checks of watched domains, by id. */
  readonly checkTitles: Readonly<Record<string, string>>;
  /** Meanings of the checks of watched domains, by id. */
  readonly checkMeanings: Readonly<Record<string, string>>;
  /** Reasons of the limits of scores, by id. */
  readonly scoreCaps: Readonly<Record<string, string>>;
} = {
  permissions: {},
  builtIns: {},
  eventTypes: {},
  findings: {},
  checkSummaries: {},
  targetKinds: {},
  auditActions: {},
  checkTitles: {},
  checkMeanings: {},
  scoreCaps: {},
};

/** Results and reasons of the API. The API has them in English. */
export const sentences: {
  /** Joins the words of a list. */
  readonly and: string;
  readonly ofCodes: Readonly<Partial<Record<SentenceCode, string>>>;
  /** Words for values of params. */
  readonly words: Readonly<Record<string, Readonly<Record<string, string>>>>;
} = { and: " and ", ofCodes: {}, words: {} };
