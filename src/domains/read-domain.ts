import type { BeginSurvey, Survey } from "../dns/survey.ts";
import type { Finding } from "./evidence.ts";
import { judgeDkim } from "./judge-dkim.ts";
import { judgeDmarc } from "./judge-dmarc.ts";
import { judgeReturnPath } from "./judge-return-path.ts";
import { judgeSpf } from "./judge-spf.ts";
import { judgeTracking } from "./judge-tracking.ts";
import { judgeTxt } from "./judge-txt.ts";
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
      wanted.map(
        async (record): Promise<Finding> => ({
          key: record.key,
          ...(await judge(survey, record, domain, { ...setup, probe })),
        }),
      ),
    );
    return { findings, nameServers: await survey.nameServers() };
  };
}

function judge(
  survey: Survey,
  record: WantedRecord,
  domain: string,
  { spfTerms, bounceDomain, probe }: SendingSetup & { readonly probe: ProbeTrackingHost },
): Promise<Weighed & { readonly suggestion?: string | undefined }> {
  switch (record.purpose) {
    case "ownership": {
      const isRight = (value: string) => value.trim() === record.value;
      return judgeTxt(survey, record, { isRight, alone: false, domain });
    }
    case "dkim":
      return judgeDkim(survey, record, domain);
    case "return_path":
      return judgeReturnPath(survey, record, domain);
    case "tracking":
      return judgeTracking(survey, record, { domain, probe });
    case "spf": {
      if (bounceDomain === undefined) return judgeSpf(survey, domain, { terms: spfTerms, whyNone: NO_TERMS });
      const whyNone = `No SPF record is needed: mail uses a return path at ${bounceDomain}, or at its alias, and the SPF record there applies.`;
      return judgeSpf(survey, domain, { terms: [], whyNone });
    }
    case "dmarc":
      return judgeDmarc(survey, domain, record.value);
  }
}

const NO_TERMS =
  "There is no SPF record, and this installation does not define its sending servers (HERMOD_SPF_TERMS).";
