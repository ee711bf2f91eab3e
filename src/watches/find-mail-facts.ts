import { getDomain } from "tldts";
import type { MailFacts } from "../intel/dmarc/evaluate-alignment.ts";
import { createDaySums } from "../rollups/sum-days.ts";
import { utcDay } from "../shared/utc-day.ts";
import type { WatchedDomainDocument } from "../store/intel-documents.ts";
import type { Store } from "../store/store.ts";

/** Data of the account about mail of a watched domain. */
export interface WatchedMail extends MailFacts {
  /** DKIM selectors that Hermod signs with. Empty if the account does not send from the domain with Hermod. */
  readonly selectors: readonly string[];
}

export type FindMailFacts = (
  domain: Pick<WatchedDomainDocument, "_id" | "accountId" | "name">,
  now: Date,
) => Promise<WatchedMail>;

const DAY_MS = 86_400_000;
const DAYS = 30;
const MAX_SOURCES = 1_000;

/**
 * Reads the data of the last 30 days.
 * @param bounceDomain domain of return paths; undefined if there is none
 * @throws Fault store.unavailable
 */
export function createFindMailFacts(
  { forAccount }: Pick<Store, "forAccount">,
  bounceDomain: string | undefined,
): FindMailFacts {
  const bounceOrganisation = bounceDomain === undefined ? undefined : organisationOf(bounceDomain);
  return async ({ _id, accountId, name }, now) => {
    const account = forAccount(accountId);
    const first = utcDay(now.getTime() - DAYS * DAY_MS);
    const last = utcDay(now);
    const sums = createDaySums(MAX_SOURCES);
    const [sent, hosted, keys] = await Promise.all([
      account.sendingDays.read(name, first),
      account.domains.find(name),
      account.domainKeys.listFacts([name]),
      account.aggregateReports.eachDmarc(_id, { first, last }, sums.add),
    ]);
    // The keys with the latest start time are in use.
    const begun = keys.filter(({ signsFrom }) => signsFrom <= now);
    const since = Math.max(...begun.map(({ signsFrom }) => signsFrom.getTime()));
    const signing = begun.filter(({ signsFrom }) => signsFrom.getTime() === since);
    const isPublished = hosted?.status === "verified" || hosted?.status === "degraded";
    const messages = sent
      .flatMap(({ counts }) => Object.values(counts))
      .reduce((sum, { delivered = 0 }) => sum + delivered, 0);
    return {
      sources: sums.sums(),
      own: {
        messages,
        alignedBy:
          isPublished && signing.length > 0
            ? "signature"
            : organisationOf(name) === bounceOrganisation
              ? "return_path"
              : "nothing",
      },
      selectors: hosted ? [...new Set(signing.map(({ selector }) => selector))] : [],
    };
  };
}

function organisationOf(name: string): string {
  return getDomain(name, { allowPrivateDomains: true }) ?? name;
}
