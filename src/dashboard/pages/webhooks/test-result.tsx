import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { deliveryQuery } from "../../api/deliveries.ts";
import { Answer } from "../../parts/answer.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { spanText, timeText } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { attemptText, endText, isAccepted } from "./delivery-state.tsx";

interface TestResultProps {
  readonly deliveryId: string;
  /** Sentences before the result, once it is known. */
  readonly accepted?: string;
  readonly refused?: string;
  /** Shown once the endpoint has not accepted the event. */
  readonly children?: ReactNode;
}

/** A test event, followed until the endpoint has answered. */
export function TestResult({ deliveryId, accepted, refused, children }: TestResultProps) {
  const query = useQuery(deliveryQuery(deliveryId));
  return (
    <div role="status">
      <StateView query={query}>
        {(delivery) => {
          const { tries, due_at, end_reason } = delivery;
          const attempt = tries.at(-1);
          // A delivery also ends without an attempt: the endpoint was disabled before.
          if (!attempt && end_reason === "")
            return (
              <Answer tone="info">
                <p>{t.webhooks.testSent}</p>
              </Answer>
            );
          const isGood = attempt !== undefined && isAccepted(attempt);
          return (
            <Answer tone={isGood ? "ok" : "bad"}>
              {isGood ? accepted && <p>{accepted}</p> : refused && <p>{refused}</p>}
              <p>
                {isGood
                  ? t.webhooks.testAccepted(attempt.status, spanText(attempt.duration_ms))
                  : t.webhooks.testFailed(attempt ? attemptText(attempt) : endText(delivery))}
              </p>
              {!isGood && attempt?.answer && <pre className="smtp wrapped">{attempt.answer}</pre>}
              {!isGood && due_at && (
                <p className="muted">{t.webhooks.testAgain(timeText(due_at, new Date(), true))}</p>
              )}
              <p className="row">
                <Link to="/webhooks/deliveries/$deliveryId" params={{ deliveryId }} className="link">
                  {t.webhooks.openDelivery}
                </Link>
                {!isGood && children}
              </p>
            </Answer>
          );
        }}
      </StateView>
    </div>
  );
}
