import { Link } from "@tanstack/react-router";
import type { Message } from "../../api/messages.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { Time, timeText } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { MessageState } from "./message-state.tsx";

const columns: readonly Column<Message>[] = [
  { heading: t.messages.state, cell: ({ state }) => <MessageState state={state} /> },
  {
    heading: t.messages.recipient,
    cell: ({ id, recipient }) => (
      <Link to="/messages/$messageId" params={{ messageId: id }} className="main">
        {recipient}
      </Link>
    ),
  },
  {
    heading: t.messages.subject,
    cell: ({ subject }) => subject || t.messages.noSubject,
    className: "grow muted wide-only",
  },
  {
    heading: t.messages.tag,
    cell: ({ tags }) =>
      tags.slice(0, 2).map((tag) => (
        <span key={tag} className="chip small">
          {tag}
        </span>
      )),
    className: "wide-only",
  },
  { heading: t.messages.detail, cell: detailOf, className: "num muted wide-only" },
  {
    heading: t.messages.accepted,
    cell: ({ created_at }) => <Time at={created_at} />,
    className: "right muted",
  },
];

export function MessageTable({ messages }: { readonly messages: readonly Message[] }) {
  return <Table label={t.messages.title} columns={columns} rows={messages} rowKey={({ id }) => id} />;
}

function detailOf({ state, next_attempt_at, send_at, attempts, category }: Message): string {
  const now = new Date();
  if (state === "scheduled" && send_at) return timeText(send_at, now, true);
  if (next_attempt_at) return t.messages.again(timeText(next_attempt_at, now, true));
  if (category) return category.replaceAll("_", " ");
  return attempts > 1 ? t.messages.attempts(attempts) : "";
}
