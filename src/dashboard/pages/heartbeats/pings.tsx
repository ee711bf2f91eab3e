import { useInfiniteQuery } from "@tanstack/react-query";
import { type HeartbeatPing, heartbeatPingsQuery } from "../../api/heartbeats.ts";
import type { Tone } from "../../parts/icons.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import type { Column } from "../../parts/table.tsx";
import { TableCard } from "../../parts/table-card.tsx";
import { spanText, Time } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";

const tones: Readonly<Record<string, Tone>> = { success: "ok", start: "info", fail: "bad" };

const columns: readonly Column<HeartbeatPing>[] = [
  {
    heading: t.heartbeats.result,
    cell: ({ kind, exit_status: status }) => {
      const words = t.heartbeats.kinds[kind] ?? kind;
      return (
        <StateBadge tone={tones[kind] ?? "idle"}>
          {status === null ? words : t.heartbeats.withStatus(words, status)}
        </StateBadge>
      );
    },
    className: "main",
  },
  {
    heading: t.heartbeats.duration,
    cell: ({ duration_ms: ms }) =>
      ms === null ? <span className="faint">{t.heartbeats.noDuration}</span> : spanText(ms),
    className: "num",
  },
  {
    heading: t.heartbeats.from,
    cell: ({ client_address: address, via }) => {
      const shown = address || t.heartbeats.unknownAddress;
      return via === "key" ? t.heartbeats.byKey(shown) : shown;
    },
    className: "muted wrap wide-only",
  },
  { heading: t.common.time, cell: ({ at }) => <Time at={at} withDay />, className: "right muted" },
];

/** The pings of a heartbeat, newest first. */
export function Pings({ heartbeatId }: { readonly heartbeatId: string }) {
  const query = useInfiniteQuery(heartbeatPingsQuery(heartbeatId));
  return (
    <TableCard
      id="pings"
      title={t.heartbeats.history}
      detail={t.heartbeats.historyDetail}
      query={query}
      empty={<p className="body muted">{t.heartbeats.noHistory}</p>}
      columns={columns}
      rowKey={({ number }) => String(number)}
    />
  );
}
