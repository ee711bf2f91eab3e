import { useQuery } from "@tanstack/react-query";
import { useLiveState } from "../../api/live.ts";
import { type MessageFilter, matchCountQuery } from "../../api/messages.ts";
import { StateBadge } from "../../parts/state-badge.tsx";
import { t } from "../../texts/texts.ts";

/** Number of messages that match the filters, exact up to 10,000. */
export function MatchCount({ filter }: { readonly filter: MessageFilter }) {
  const { data, isError } = useQuery(matchCountQuery(filter));
  if (isError) return t.messages.countFailed;
  if (!data) return t.messages.counting;
  return data.has_more ? t.messages.moreThan(data.count) : t.messages.count(data.count);
}

const tones = { open: "ok", connecting: "idle", idle: "idle", lost: "warn" } as const;

/** Whether the list is updated live. */
export function LiveChip() {
  const { status } = useLiveState();
  return (
    <span role="status">
      <StateBadge tone={tones[status]}>{t.messages.live[status]}</StateBadge>
    </span>
  );
}
