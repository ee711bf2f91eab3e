import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type SharedRecords, sharedRecordsQuery } from "../../api/domains.ts";
import { Problem } from "../../api/problem.ts";
import { Answer } from "../../parts/answer.tsx";
import { saveFile } from "../../parts/save-file.ts";
import { StateView } from "../../parts/state-view.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { DomainStatus, domainTone } from "./domain-status.tsx";
import { reasonsOf } from "./reasons-of.ts";
import { Records } from "./records.tsx";

/** The records of one domain, for a person who has received a link from a member. */
export function SharedRecordsPage() {
  const query = useQuery(sharedRecordsQuery);
  const isInvalid = query.error instanceof Problem && query.error.status === 404;
  return (
    <main className="page shared" id="content">
      <div className="brand">
        <span className="mark" aria-hidden="true">
          H
        </span>
        {t.session.brand}
      </div>
      {isInvalid ? (
        <div className="notice" role="alert">
          <h1>{t.shared.invalid}</h1>
          <p className="muted">{t.shared.invalidDetail}</p>
        </div>
      ) : (
        <StateView query={query}>
          {(shown) => (
            <Shown shown={shown} isLoading={query.isFetching} onReload={() => void query.refetch()} />
          )}
        </StateView>
      )}
    </main>
  );
}

interface ShownProps {
  readonly shown: SharedRecords;
  readonly isLoading: boolean;
  readonly onReload: () => void;
}

function Shown({ shown, isLoading, onReload }: ShownProps) {
  const { domain, status, records, checked_at, next_check_at, expires_at, zone_file } = shown;
  const reasons = reasonsOf(shown);
  return (
    <>
      <div className="head">
        <div>
          <h1>{t.shared.title(domain)}</h1>
          <p className="row">
            <DomainStatus status={status} />
            <span>
              {t.shared.expires} <Time at={expires_at} withDay />.
            </span>
          </p>
        </div>
        <div className="row no-print">
          <Button variant="default" onClick={() => saveFile(`${domain}.zone`, "text/plain", zone_file)}>
            {t.domains.zoneFile}
          </Button>
          <Button variant="default" onClick={() => window.print()}>
            {t.shared.print}
          </Button>
          <Button loading={isLoading} onClick={onReload}>
            {t.shared.reload}
          </Button>
        </div>
      </div>
      <Answer tone={domainTone(status)}>
        <p>{reasons.length === 0 ? t.shared.done : t.shared.detail}</p>
        <div role="status" className="muted">
          {reasons.map((reason) => (
            <p key={reason}>{reason}</p>
          ))}
          <p>
            {checked_at ? (
              <>
                {t.domains.checked} <Time at={checked_at} withDay />
              </>
            ) : (
              t.domains.neverChecked
            )}
            . {t.domains.nextCheck} <Time at={next_check_at} withDay />.
          </p>
        </div>
      </Answer>
      <Records domain={domain} provider={shown.dns_provider} records={records} />
    </>
  );
}
