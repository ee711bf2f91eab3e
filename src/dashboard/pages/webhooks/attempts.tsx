import { Button, CopyButton } from "@mantine/core";
import type { Delivery, DeliveryAttempt } from "../../api/deliveries.ts";
import { spanText, Time } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { curlOf } from "./curl.ts";
import { attemptText, isAccepted } from "./delivery-state.tsx";

/** The attempts of a delivery, newest first, each with its request and its answer. */
export function Attempts({ delivery }: { readonly delivery: Delivery }) {
  const { tries, attempts, body } = delivery;
  // The count starts again with a replay: earlier attempts have no number.
  const numberOf = (index: number) => attempts - (tries.length - 1 - index);
  const shown = tries.map((attempt, index) => ({ attempt, number: numberOf(index) })).toReversed();
  return (
    <section className="card" aria-labelledby="attempts">
      <header>
        <h2 id="attempts">{t.deliveries.attempts}</h2>
        {attempts > tries.length && (
          <span className="faint">{t.deliveries.fewKept(tries.length, attempts)}</span>
        )}
      </header>
      {shown.length === 0 ? (
        <p className="body muted">{t.deliveries.noAttempts}</p>
      ) : (
        <ol className="line body">
          {shown.map(({ attempt, number }, index) => (
            <li key={attempt.at} className={isAccepted(attempt) ? "ok" : "bad"}>
              <Attempt attempt={attempt} number={number} body={body} isOpen={index === 0} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

interface AttemptProps {
  readonly attempt: DeliveryAttempt;
  /** 0 or less: of an earlier replay. */
  readonly number: number;
  readonly body: string;
  readonly isOpen: boolean;
}

function Attempt({ attempt, number, body, isOpen }: AttemptProps) {
  const { at, duration_ms, url, address, status, answer } = attempt;
  const { request_headers, response_headers, response_headers_cut } = attempt;
  const statusText = status === 0 ? t.deliveries.statuses.none : String(status);
  return (
    <>
      <span className="when">
        <Time at={at} withDay />
      </span>
      <b>
        {number > 0 ? `${t.deliveries.attempt(number)}: ` : ""}
        {statusText}
      </b>
      <span className="muted whole"> {t.deliveries.after(spanText(duration_ms))}</span>
      <div className="muted">{attemptText(attempt)}</div>
      <div className="faint">{t.deliveries.to(url, address)}</div>
      <details open={isOpen}>
        <summary className="faint">{t.common.details}</summary>
        <div className="stack small-gap">
          {request_headers.length === 0 ? (
            <p className="faint tight">{t.deliveries.noHeaders}</p>
          ) : (
            <>
              <Headers title={t.deliveries.request} headers={request_headers} />
              <CopyCurl text={curlOf(attempt, body)} />
            </>
          )}
          {response_headers.length > 0 && (
            <Headers title={t.deliveries.response} headers={response_headers} />
          )}
          {response_headers_cut && <p className="faint tight">{t.deliveries.responseCut}</p>}
          {status > 0 && (
            <div>
              <b>{t.deliveries.answer}</b>
              {answer ? (
                <section className="smtp wrapped" aria-label={t.deliveries.answer} tabIndex={0}>
                  {answer}
                </section>
              ) : (
                <p className="faint tight">{t.deliveries.noAnswer}</p>
              )}
            </div>
          )}
        </div>
      </details>
    </>
  );
}

interface HeadersProps {
  readonly title: string;
  readonly headers: DeliveryAttempt["request_headers"];
}

function Headers({ title, headers }: HeadersProps) {
  const isHiding = headers.some(({ is_secret }) => is_secret);
  return (
    <div>
      <b>{title}</b>
      <dl className="facts even">
        {headers.map(({ name, value, is_secret }, index) => (
          <div key={index} className="contents">
            <dt className="mono">{name}</dt>
            <dd className="mono">
              {is_secret ? <span className="chip small">{t.deliveries.hidden}</span> : value}
            </dd>
          </div>
        ))}
      </dl>
      {isHiding && <p className="faint tight">{t.deliveries.hiddenDetail}</p>}
    </div>
  );
}

function CopyCurl({ text }: { readonly text: string }) {
  return (
    <div>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button variant="default" size="xs" onClick={copy}>
            {copied ? t.common.copied : t.deliveries.curl}
          </Button>
        )}
      </CopyButton>
      <p className="faint tight">{t.deliveries.curlDetail}</p>
    </div>
  );
}
