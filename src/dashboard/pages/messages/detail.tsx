import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useLiveMessages } from "../../api/live.ts";
import { type Message, type MessageEvent, messageQuery } from "../../api/messages.ts";
import { Answer } from "../../parts/answer.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { useNow } from "../../parts/time.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useThrottled } from "../../parts/use-throttled.ts";
import { t } from "../../texts/texts.ts";
import { Contents, Source } from "./contents.tsx";
import { Facts } from "./facts.tsx";
import { MessageActions } from "./message-actions.tsx";
import { toneOf } from "./message-state.tsx";
import { RecipientSuppression } from "./suppression.tsx";
import { type MessageTab, messageTabs } from "./tabs.ts";
import { Timeline } from "./timeline.tsx";
import { Webhooks } from "./webhooks.tsx";
import { whereIsIt } from "./where-is-it.ts";

const route = getRouteApi("/inside/messages/$messageId");
const REFRESH_MS = 1_000;

/** One message: its state, its events and its contents. The page follows new events. */
export function MessagePage() {
  const { messageId } = route.useParams();
  const query = useQuery(messageQuery(messageId));
  const queryClient = useQueryClient();
  const reload = useThrottled(() => queryClient.invalidateQueries({ queryKey: ["messages"] }), REFRESH_MS);
  // The address can have the trace id of a submission.
  const id = query.data?.message.id;
  useLiveMessages({
    onChanges: ({ changes, skipped }) => {
      if (skipped > 0 || changes.some(({ message_id }) => message_id === id)) reload();
    },
    onGap: reload,
  });
  return (
    <StateView query={query}>
      {({ message, timeline }) => <MessageView message={message} timeline={timeline} />}
    </StateView>
  );
}

interface MessageViewProps {
  readonly message: Message;
  readonly timeline: readonly MessageEvent[];
}

function MessageView({ message, timeline }: MessageViewProps) {
  const { tab: asked = "timeline" } = route.useSearch();
  const may = useMay();
  const tabs = (Object.keys(messageTabs) as MessageTab[]).filter((one) => {
    const permission = messageTabs[one];
    return permission === undefined || may(permission);
  });
  const tab = tabs.includes(asked) ? asked : "timeline";
  const now = useNow(message.next_attempt_at !== undefined);
  const { answer, reason } = whereIsIt(message, timeline, now);
  return (
    <>
      <div className="head">
        <div>
          <div className="faint">
            <Link to="/messages" className="link">
              {t.messages.title}
            </Link>{" "}
            / <span className="mono">{message.id}</span>
          </div>
          <h1>{message.subject || t.messages.noSubject}</h1>
          <p>{t.message.to(message.recipient)}</p>
        </div>
        {may("messages.write") && <MessageActions message={message} />}
      </div>
      <Answer tone={toneOf(message.state)}>
        <p>
          <b>{answer}</b>
        </p>
        {reason && <p className="muted">{reason}</p>}
      </Answer>
      <RecipientSuppression message={message} timeline={timeline} />
      <nav className="tabs" aria-label={t.common.details}>
        {tabs.map((one) => (
          <Link
            key={one}
            from="/messages/$messageId"
            search={one === "timeline" ? {} : { tab: one }}
            aria-current={one === tab ? "page" : undefined}
            // The address without a tab is a prefix of the others.
            activeOptions={{ exact: true }}
            activeProps={{}}
            resetScroll={false}
          >
            {t.message[one]}
          </Link>
        ))}
      </nav>
      <div className="two">
        <div className="card">
          <div className="body">
            <Part tab={tab} message={message} timeline={timeline} />
          </div>
        </div>
        <Facts message={message} />
      </div>
    </>
  );
}

function Part({ tab, message, timeline }: MessageViewProps & { readonly tab: MessageTab }) {
  if (tab === "timeline") return <Timeline events={timeline} nextAttemptAt={message.next_attempt_at} />;
  if (tab === "webhooks") return <Webhooks id={message.id} />;
  if (tab === "source") return <Source id={message.id} />;
  return <Contents id={message.id} part={tab} />;
}
