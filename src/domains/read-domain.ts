import type { BeginSurvey, Survey } from "../dns/survey.ts";
import { phrase } from "../shared/phrase.ts";
import { evaluateDkim } from "./evaluate-dkim.ts";
import { evaluateDmarc } from "./evaluate-dmarc.ts";
import { evaluateReturnPath } from "./evaluate-return-path.ts";
import { evaluateSpf } from "./evaluate-spf.ts";
import { evaluateTracking } from "./evaluate-tracking.ts";
import { evaluateTxt } from "./evaluate-txt.ts";
import type { Finding } from "./evidence.ts";
import type { ProbeTrackingHost } from "./probe-tracking-host.ts";
import type { SendingSetup, WantedRecord } from "./wanted-records.ts";
import type { Weighed } from "./weigh.ts";

/** Result of one check of a domain. */
export interface DomainRecords {
  readonly findings: readonly Finding[];
  /** Name servers of its zone; undefined: unknown. */
  readonly nameServers: readonly string[] | undefined;
}

/** Never rejects: a failed lookup is unknown. */
export type ReadDomain = (domain: string, wanted: readonly WantedRecord[]) => Promise<DomainRecords>;

/** Checks all records of a domain at once. */
export function createReadDomain(
  beginSurvey: BeginSurvey,
  setup: SendingSetup,
  probe: ProbeTrackingHost,
): ReadDomain {
  return async (domain, wanted) => {
    const survey = beginSurvey(domain);
    const findings = await Promise.all(
      wanted.map(async (record): Promise<Finding> => {
        const weighed = await evaluate(survey, record, domain, { ...setup, probe });
        const { problem, note } = weighed;
        return {
          ...weighed,
          key: record.key,
          problem: problem.text,
          problemParts: problem.parts,
          note: note.text,
          noteParts: note.parts,
        };
      }),
    );
    return { findings, nameServers: await survey.nameServers() };
  };
}

function evaluate(
  survey: Survey,
  record: WantedRecord,
  domain: string,
  { spfTerms, bounceDomain, probe }: SendingSetup & { readonly probe: ProbeTrackingHost },
): Promise<Weighed & { readonly suggestion?: string | undefined }> {
  switch (record.purpose) {
    case "ownership": {
      const isRight = (value: string) => value.trim() === record.value;
      return evaluateTxt(survey, record, { isRight, alone: false, domain });
    }
    case "dkim":
      return evaluateDkim(survey, record, domain);
    case "return_path":
      return evaluateReturnPath(survey, record, domain);
    case "tracking":
      return evaluateTracking(survey, record, { domain, probe });
    case "spf": {
      if (bounceDomain === undefined)
        return evaluateSpf(survey, domain, { terms: spfTerms, whyNone: phrase("spf.no_terms") });
      const whyNone = phrase("spf.not_needed", { domain: bounceDomain });
      return evaluateSpf(survey, domain, { terms: [], whyNone });
    }
    case "dmarc":
      return evaluateDmarc(survey, domain, record.value);
  }
}
