import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { messageQuery } from "../../api/messages.ts";
import { pollEvery } from "../../api/polling.ts";
import { sandboxMessageQuery } from "../../api/sandbox.ts";
import { startQuery } from "../../api/start.ts";
import { Answer } from "../../parts/answer.tsx";
import { MailText } from "../../parts/mail-parts.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { toneOf } from "../messages/message-state.tsx";
import { whereIsIt } from "../messages/where-is-it.ts";

const POLL_MS = 300;
const unsettled = new Set(["queued", "scheduled"]);

/** A sent message, followed until it has reached the sandbox or its recipient, or has failed. */
export function SentMessage({ id }: { readonly id: string }) {
  const may = useMay();
  const queryClient = useQueryClient();
  const query = useQuery({
    ...messageQuery(id),
    enabled: may("messages.read"),
    refetchInterval: pollEvery((data) => (data && !unsettled.has(data.message.state) ? false : POLL_MS)),
  });
  const state = query.data?.message.state;
  const captured = useQuery({
    ...sandboxMessageQuery(id),
    enabled: state === "captured" && may("messages.read_bodies"),
  });
  useEffect(() => {
    // Counters, which the checklist reads, are one second behind.
    if (state === undefined || unsettled.has(state)) return;
    const later = setTimeout(() => void queryClient.invalidateQueries(startQuery), 2_000);
    return () => clearTimeout(later);
  }, [state, queryClient]);

  return (
    <div className="body stack sent" role="status">
      <StateView query={query}>
        {({ message, timeline }) => {
          const { answer, reason } = whereIsIt(message, timeline, new Date());
          return (
            <Answer tone={toneOf(message.state)}>
              <p>{answer}</p>
              {reason && message.state !== "captured" && <p className="muted">{reason}</p>}
              <p className="row">
                <Link to="/messages/$messageId" params={{ messageId: id }} className="link">
                  {t.start.openMessage}
                </Link>
                {message.state === "captured" && (
                  <Link to="/sandbox" search={{ message: id }} className="link">
                    {t.start.openSandbox}
                  </Link>
                )}
              </p>
            </Answer>
          );
        }}
      </StateView>
      {captured.data && (
        <figure className="mail">
          <figcaption>
            <b>{captured.data.message.subject}</b>
            <span className="muted">
              {t.sandbox.fromTo(captured.data.message.from, captured.data.message.envelope_to.join(", "))}
            </span>
          </figcaption>
          <MailText text={captured.data.text} />
        </figure>
      )}
    </div>
  );
}
