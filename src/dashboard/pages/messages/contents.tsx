import { useQuery } from "@tanstack/react-query";
import { messageContentsQuery, messageHtmlAddress } from "../../api/message-contents.ts";
import { MailHeaders, MailHtml, MailText } from "../../parts/mail-parts.tsx";
import { StateView } from "../../parts/state-view.tsx";
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
        if (part === "headers") return <MailHeaders fields={headers} />;
        if (part === "preview" && html) return <MailHtml address={messageHtmlAddress(id)} />;
        return <MailText text={text} />;
      }}
    </StateView>
  );
}
