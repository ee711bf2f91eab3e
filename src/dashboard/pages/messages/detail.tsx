import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type Message, type MessageEvent, messageQuery } from "../../api/messages.ts";
import { Answer } from "../../parts/answer.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";
import { Contents } from "./contents.tsx";
import { Facts } from "./facts.tsx";
import { MessageActions } from "./message-actions.tsx";
import { toneOf } from "./message-state.tsx";
import { type MessageTab, messageTabs } from "./tabs.ts";
import { Timeline } from "./timeline.tsx";
import { whereIsIt } from "./where-is-it.ts";

const route = getRouteApi("/inside/messages/$messageId");

/** One message: where it is, what happened to it, and what it says. */
export function MessagePage() {
  const { messageId } = route.useParams();
  const query = useQuery(messageQuery(messageId));
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
  const { tab = "timeline" } = route.useSearch();
  const { answer, reason } = whereIsIt(message, timeline, new Date());
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
        <MessageActions message={message} />
      </div>
      <Answer tone={toneOf(message.state)}>
        <p>
          <b>{answer}</b>
        </p>
        {reason && <p className="muted">{reason}</p>}
      </Answer>
      <Tabs current={tab} />
      <div className="two">
        <div className="card">
          <div className="body">
            {tab === "timeline" ? <Timeline events={timeline} /> : <Contents id={message.id} part={tab} />}
          </div>
        </div>
        <Facts message={message} />
      </div>
    </>
  );
}

function Tabs({ current }: { readonly current: MessageTab }) {
  return (
    <nav className="tabs" aria-label={t.common.details}>
      {messageTabs.map((tab) => (
        <Link
          key={tab}
          from="/messages/$messageId"
          search={tab === "timeline" ? {} : { tab }}
          aria-current={tab === current ? "page" : undefined}
          activeProps={{}}
        >
          {t.message[tab]}
        </Link>
      ))}
    </nav>
  );
}
