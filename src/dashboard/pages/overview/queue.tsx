import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queueQuery } from "../../api/counters.ts";
import { StateView } from "../../parts/state-view.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";

interface Destination {
  readonly domain: string;
  readonly waiting: number;
  readonly oldest_at: string;
}

const columns: readonly Column<Destination>[] = [
  {
    heading: t.overview.destination,
    cell: ({ domain }) => (
      <Link to="/messages" search={{ recipient: `@${domain}`, state: "queued,deferred" }} className="link">
        {domain}
      </Link>
    ),
  },
  {
    heading: t.overview.waiting,
    cell: ({ waiting }) => numberText(waiting),
    className: "right num",
  },
  { heading: t.overview.oldest, cell: ({ oldest_at: at }) => <Time at={at} />, className: "right wide-only" },
];

/** Waiting messages by destination. */
export function Queue() {
  const query = useQuery(queueQuery);
  return (
    <section className="card" aria-labelledby="queue">
      <header>
        <h2 id="queue">{t.overview.queue}</h2>
      </header>
      <StateView
        query={query}
        empty={{
          when: ({ waiting, scheduled }) => waiting === 0 && scheduled === 0,
          view: <p className="notice muted">{t.overview.nothingWaits}</p>,
        }}
      >
        {({ waiting, scheduled, destinations, other_waiting: others, is_partial: isPartial }) => (
          <>
            <p className="body muted">{t.overview.waitingNow(waiting, scheduled)}</p>
            {destinations.length > 0 && (
              <Table
                label={t.overview.queue}
                columns={columns}
                rows={destinations}
                rowKey={({ domain }) => domain}
              />
            )}
            {others > 0 && <p className="body faint">{t.overview.otherWaiting(others)}</p>}
            {isPartial && <p className="body faint">{t.overview.partialQueue}</p>}
          </>
        )}
      </StateView>
    </section>
  );
}
