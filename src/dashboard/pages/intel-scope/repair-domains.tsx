import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FindingDomain, findingDomainsQuery, type InsightScope } from "../../api/insights.ts";
import { rowsOf } from "../../api/pages.ts";
import { ApiText } from "../../parts/api-text.tsx";
import { CopyField } from "../../parts/copy-field.tsx";
import { LoadMore } from "../../parts/load-more.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";
import { Severity } from "../incidents/incident-state.tsx";

interface RepairDomainsProps {
  readonly checkId: string;
  readonly scope: InsightScope;
}

/** The domains of a scope with a finding, each with its repair. */
export function RepairDomains({ checkId, scope }: RepairDomainsProps) {
  const query = useInfiniteQuery(findingDomainsQuery(checkId, scope));
  return (
    <>
      <StateView
        query={query}
        empty={{
          when: (data) => rowsOf(data).length === 0,
          view: <p className="body muted tight">{t.repairs.repaired}</p>,
        }}
      >
        {(data) => (
          <ul className="entries">
            {rowsOf(data).map((details) => (
              <Repair
                key={details.domain_id}
                details={details}
                check={checkId}
                hasClient={scope.client_id === undefined && scope.domain_id === undefined}
              />
            ))}
          </ul>
        )}
      </StateView>
      <LoadMore query={query} />
    </>
  );
}

interface RepairProps {
  readonly details: FindingDomain;
  /** Id of the check. */
  readonly check: string;
  /** Whether the domains belong to several clients. */
  readonly hasClient: boolean;
}

function Repair({ details, check, hasClient }: RepairProps) {
  const {
    domain_id: domainId,
    domain_unicode: domain,
    client_id: clientId,
    client_name: client,
    fix,
  } = details;
  const { severity, gain, observed } = details;
  return (
    <li>
      <div className="what">
        <div className="row">
          <Link to="/intel/domains/$domainId" params={{ domainId }} search={{ check }} className="link">
            <b>{domain}</b>
          </Link>
          {hasClient && (
            <Link to="/intel/clients/$clientId" params={{ clientId }} className="link">
              {client}
            </Link>
          )}
          <Severity severity={severity} />
          <span className="muted num">
            {gain > 0 ? t.repairs.gainOf(numberText(gain)) : t.repairs.noGain}
          </span>
        </div>
        <span className="muted">
          <ApiText parts={details.observed_parts}>{observed}</ApiText>
        </span>
        {fix && <ApiText parts={fix.text_parts}>{fix.text}</ApiText>}
        {fix?.record && (
          <div className="record">
            <CopyField label={t.domains.recordName(fix.record.type)} value={fix.record.name} />
            <CopyField label={t.domains.recordValue} value={fix.record.value} />
          </div>
        )}
      </div>
    </li>
  );
}
