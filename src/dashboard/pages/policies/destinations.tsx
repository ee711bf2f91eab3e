import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { PolicyQueue } from "../../api/policies.ts";
import { StateBadge } from "../../parts/state-badge.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";

type Destination = PolicyQueue["destinations"][number];

interface DestinationsProps {
  readonly name: string;
  readonly queue: PolicyQueue;
  /** Missing if the user may not hold the queue. */
  readonly onHold?: (destination: string) => void;
}

/** Waiting messages by destination. */
export function Destinations({ name, queue, onHold }: DestinationsProps) {
  const { destinations, other_waiting: others, is_partial: isPartial } = queue;
  if (destinations.length === 0 && !isPartial) return null;
  return (
    <section className="card compact" aria-label={t.policies.queue}>
      <header>
        <h2>{t.policies.queue}</h2>
      </header>
      {destinations.length > 0 && (
        <Table
          label={t.policies.queue}
          columns={columns(name, onHold)}
          rows={destinations}
          rowKey={({ domain }) => domain}
        />
      )}
      {others > 0 && <p className="body faint">{t.policies.otherWaiting(others)}</p>}
      {isPartial && <p className="body faint">{t.policies.partial}</p>}
    </section>
  );
}

function columns(policy: string, onHold: DestinationsProps["onHold"]): readonly Column<Destination>[] {
  return [
    {
      heading: t.policies.destination,
      cell: ({ domain }) => (
        <Link
          to="/messages"
          search={{ recipient: `@${domain}`, routing_policy: policy, state: "queued,deferred" }}
          className="link"
        >
          {domain}
        </Link>
      ),
      className: "main",
    },
    {
      heading: t.policies.count,
      cell: ({ waiting }) => numberText(waiting),
      className: "right num",
    },
    {
      heading: t.policies.oldest,
      cell: ({ oldest_at }) => <Time at={oldest_at} withDay />,
      className: "right muted wide-only",
    },
    {
      heading: t.common.actions,
      cell: ({ domain, held }) => {
        if (held) return <StateBadge tone="warn">{t.policies.held}</StateBadge>;
        if (!onHold) return null;
        return (
          <Button
            variant="default"
            size="xs"
            aria-label={t.policies.holdFor(domain)}
            onClick={() => onHold(domain)}
          >
            {t.policies.holdOne}
          </Button>
        );
      },
      className: "right",
    },
  ];
}
