import type { BeginSurvey } from "../../src/dns/survey.ts";
import { createCheckDomain } from "../../src/domains/check-domain.ts";
import { createReadDomain } from "../../src/domains/read-domain.ts";
import type { SendingSetup } from "../../src/domains/wanted-records.ts";
import type { Clock } from "../../src/shared/clock.ts";
import type { Store } from "../../src/store/store.ts";

export interface DomainPartsOptions {
  /** Survey for checks of sending domains; missing: no DNS. */
  readonly beginSurvey?: BeginSurvey;
  readonly sendingSetup?: SendingSetup;
}

/** A survey of an unreachable network. */
const noDns: BeginSurvey = () => {
  const answer = { kind: "failed", code: "unreachable", reason: "there is no network" } as const;
  return {
    nameServers: async () => undefined,
    observe: async () => ({ witnesses: [], failure: answer, aliases: [], resolver: answer }),
    lookUp: async () => answer,
  };
};

interface Environment {
  readonly store: Store;
  readonly clock: Clock;
  readonly onChange: () => void;
}

/** Composes the parts that the core needs for sending domains. */
export function composeDomainParts(
  environment: Environment,
  { beginSurvey = noDns, sendingSetup = { spfTerms: [], bounceDomain: undefined } }: DomainPartsOptions = {},
) {
  const read = createReadDomain(beginSurvey, sendingSetup, async () => undefined);
  const retentionMs = 86_400_000;
  return {
    sendingSetup,
    checkDomain: createCheckDomain({ ...environment, read, setup: sendingSetup, retentionMs }),
  };
}
