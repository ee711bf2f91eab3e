import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { rowsOf } from "../../api/pages.ts";
import type { LoggedRequest } from "../../api/requests.ts";
import { Answer } from "../../parts/answer.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { timeText } from "../../parts/time.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";

interface ArrivalsProps {
  readonly keyId: string | undefined;
  /** Requests with the key that report alerts, newest first. */
  readonly query: UseInfiniteQueryResult<InfiniteData<{ readonly data: readonly LoggedRequest[] }>>;
}

/** Waits for the first alert with a key. It shows the reason of a refusal. */
export function Arrivals({ keyId, query }: ArrivalsProps) {
  const may = useMay();
  return (
    <section className="card" aria-labelledby="arrivals">
      <header>
        <h2 id="arrivals">{t.alertSetup.arrivals}</h2>
      </header>
      <div className="body" role="status">
        {keyId === undefined || !may("requests.read") ? (
          <Answer tone="idle">
            <p>{keyId === undefined ? t.alertSetup.noKeyYet : t.alertSetup.mayNotSee}</p>
            <p className="row">
              <Link to="/alerts" className="link">
                {t.alertSetup.toAlerts}
              </Link>
            </p>
          </Answer>
        ) : (
          <StateView query={query}>{(data) => <Latest keyId={keyId} latest={rowsOf(data)[0]} />}</StateView>
        )}
      </div>
    </section>
  );
}

interface LatestProps {
  readonly keyId: string;
  readonly latest: LoggedRequest | undefined;
}

function Latest({ keyId, latest }: LatestProps) {
  if (latest === undefined)
    return (
      <Answer tone="info">
        <p>
          <b>{t.alertSetup.waiting}</b>
        </p>
        <p>{t.alertSetup.waitingDetail}</p>
      </Answer>
    );
  const { at, status, code } = latest;
  const isAccepted = status === 202;
  const time = timeText(at, new Date(), true);
  return (
    <Answer tone={isAccepted ? "ok" : "bad"}>
      <p>{isAccepted ? t.alertSetup.arrived(time) : t.alertSetup.refused(time, status)}</p>
      {!isAccepted && code !== "" && <p className="mono">{code}</p>}
      {!isAccepted && <p>{t.alertSetup.remedies[status] ?? t.alertSetup.otherRemedy}</p>}
      <p className="row">
        {isAccepted ? (
          <>
            <Link to="/alerts" className="link">
              {t.alertSetup.toAlerts}
            </Link>
            <Link to="/alert-rules" className="link">
              {t.rules.title}
            </Link>
          </>
        ) : (
          <Link to="/requests" search={{ key_id: keyId }} className="link">
            {t.alertSetup.toRequests}
          </Link>
        )}
      </p>
    </Answer>
  );
}
