import { useInfiniteQuery } from "@tanstack/react-query";
import { type HeartbeatPing, heartbeatPingsQuery } from "../../api/heartbeats.ts";
import { rowsOf } from "../../api/pages.ts";
import type { Tone } from "../../parts/icons.tsx";
import { LoadMore } from "../../parts/load-more.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { type Column, Table } from "../../parts/table.tsx";
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
    <section className="card" aria-labelledby="pings">
      <header>
        <h2 id="pings">{t.heartbeats.history}</h2>
        <span className="faint">{t.heartbeats.historyDetail}</span>
      </header>
      <StateView
        query={query}
        empty={{
          when: (data) => rowsOf(data).length === 0,
          view: <p className="body muted">{t.heartbeats.noHistory}</p>,
        }}
      >
        {(data) => (
          <Table
            label={t.heartbeats.history}
            columns={columns}
            rows={rowsOf(data)}
            rowKey={({ number }) => String(number)}
          />
        )}
      </StateView>
      {query.hasNextPage && (
        <div className="body">
          <LoadMore query={query} />
        </div>
      )}
    </section>
  );
}
