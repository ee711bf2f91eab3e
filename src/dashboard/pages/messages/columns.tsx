import { Link } from "@tanstack/react-router";
import type { Message } from "../../api/messages.ts";
import { spanText, Time, timeText } from "../../parts/time.tsx";
import type { VirtualColumn } from "../../parts/virtual-table.tsx";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";
import { MessageState } from "./message-state.tsx";
import { sizeText } from "./size-text.ts";

/** All columns of the list, in their order. */
export const allColumns: readonly VirtualColumn<Message>[] = [
  {
    id: "state",
    heading: t.messages.state,
    width: "116px",
    cell: ({ state }) => <MessageState state={state} />,
    narrow: "bottom",
  },
  {
    id: "recipient",
    heading: t.messages.recipient,
    width: "minmax(170px, 1.4fr)",
    cell: ({ id, recipient }) => (
      <Link
        to="/messages/$messageId"
        params={{ messageId: id }}
        className="main"
        title={recipient}
        preload={false}
      >
        {recipient}
      </Link>
    ),
    className: "cut",
    narrow: "top",
  },
  {
    id: "sender",
    heading: t.messages.sender,
    width: "minmax(140px, 0.9fr)",
    cell: ({ from }) => from,
    className: "cut muted",
  },
  {
    id: "subject",
    heading: t.messages.subject,
    width: "minmax(140px, 1.3fr)",
    cell: ({ subject }) => subject || t.messages.noSubject,
    className: "cut muted",
    narrow: "bottom-end",
  },
  {
    id: "tag",
    heading: t.messages.tag,
    width: "minmax(92px, 0.5fr)",
    cell: ({ tags }) =>
      tags.slice(0, 2).map((tag) => (
        <span key={tag} className="chip small">
          {tag}
        </span>
      )),
    className: "cut",
  },
  {
    id: "detail",
    heading: t.messages.detail,
    width: "minmax(104px, 0.5fr)",
    cell: (message) => {
      const text = detailOf(message);
      return <span title={text}>{text}</span>;
    },
    className: "cut num muted",
  },
  {
    id: "policy",
    heading: t.messages.policy,
    width: "110px",
    cell: ({ routing_policy }) => routing_policy,
    className: "cut muted",
  },
  {
    id: "source",
    heading: t.messages.source,
    width: "92px",
    cell: ({ source }) => t.messages.sources[source] ?? source,
    className: "cut muted",
  },
  {
    id: "opened",
    heading: t.messages.opened,
    width: "80px",
    cell: ({ opens }) => countText(opens),
    className: "right num muted",
  },
  {
    id: "clicked",
    heading: t.messages.clicked,
    width: "80px",
    cell: ({ clicks }) => countText(clicks),
    className: "right num muted",
  },
  {
    id: "size",
    heading: t.messages.size,
    width: "84px",
    cell: ({ size_bytes }) => sizeText(size_bytes),
    className: "right num muted",
  },
  {
    id: "accepted",
    heading: t.messages.accepted,
    width: "76px",
    cell: ({ created_at }) => <Time at={created_at} />,
    className: "right muted",
    narrow: "top-end",
  },
];

/** Columns that are always shown. */
export const fixedColumns: readonly string[] = ["state", "recipient", "accepted"];
export const defaultColumns: readonly string[] = [...fixedColumns, "subject", "tag", "detail"];

/** Time of the next attempt, the reason of the last failure, or the duration of the delivery. */
function detailOf(message: Message): string {
  const { state, next_attempt_at, send_at, attempts, last_reply, category } = message;
  const now = new Date();
  // Without seconds.
  const text = (at: string) => timeText(at, now, true).slice(0, -3);
  if (state === "scheduled" && send_at) return text(send_at);
  if (next_attempt_at) return t.messages.again(text(next_attempt_at));
  if (category && last_reply && last_reply.code > 0)
    return `${last_reply.code} ${last_reply.enhanced_status_code || last_reply.text}`.trim();
  if (category) return category.replaceAll("_", " ");
  if (state === "delivered") return spanText(deliveryMs(message));
  return attempts > 1 ? t.messages.attempts(attempts) : "";
}

/** Duration since the time when the message was due. */
function deliveryMs({ created_at, send_at = created_at, updated_at }: Message): number {
  return Math.max(0, Date.parse(updated_at) - Math.max(Date.parse(created_at), Date.parse(send_at)));
}

/** Empty if no event is known. */
const countText = (engagement: Message["opens"]) =>
  engagement && engagement.count > 0 ? numberText(engagement.count) : "";
