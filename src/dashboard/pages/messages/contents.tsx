import { useQuery } from "@tanstack/react-query";
import { home } from "../../api/client.ts";
import { messageContentsQuery } from "../../api/messages.ts";
import { StateView } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";
import type { MessageTab } from "./tabs.ts";

interface ContentsProps {
  readonly id: string;
  readonly part: Exclude<MessageTab, "timeline">;
}

/** One part of what a message says. */
export function Contents({ id, part }: ContentsProps) {
  const query = useQuery(messageContentsQuery(id));
  return (
    <StateView query={query}>
      {({ text, html, headers }) => {
        if (part === "headers")
          return (
            <dl className="facts">
              {headers.map(({ name, value }, index) => (
                <div key={index} style={{ display: "contents" }}>
                  <dt>{name}</dt>
                  <dd className="mono">{value}</dd>
                </div>
              ))}
            </dl>
          );
        if (part === "preview" && html)
          return (
            <iframe
              title={t.message.htmlFrame}
              src={`${home}/api/messages/${encodeURIComponent(id)}/html`}
              sandbox=""
              style={{ width: "100%", height: "70vh", border: 0, background: "#fff", borderRadius: 6 }}
            />
          );
        return <pre className="smtp">{text || t.message.noText}</pre>;
      }}
    </StateView>
  );
}
