import { Button } from "@mantine/core";
import type { PolicyHold } from "../../api/policies.ts";
import { actorName } from "../../parts/actor-name.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";

interface HoldsProps {
  readonly holds: readonly PolicyHold[];
  /** Missing if the user may not release a hold. */
  readonly onRelease?: (hold: PolicyHold) => void;
}

export const destinationText = ({ destination }: Pick<PolicyHold, "destination">): string =>
  destination || t.policies.allDestinations;

/** Holds that cover messages of a policy, with their reasons and owners. */
export function Holds({ holds, onRelease }: HoldsProps) {
  return (
    <section className="card compact" aria-label={t.policies.holds}>
      <header>
        <h2>{t.policies.holds}</h2>
      </header>
      {holds.length === 0 ? (
        <div className="notice">
          <strong>{t.policies.noHolds}</strong>
          <p className="muted">{t.policies.noHoldsDetail}</p>
        </div>
      ) : (
        <Table
          label={t.policies.holds}
          columns={columns(onRelease)}
          rows={holds}
          rowKey={({ owner, policy, destination: to, held_at }) => [owner, policy, to, held_at].join(" ")}
        />
      )}
    </section>
  );
}

function columns(onRelease: HoldsProps["onRelease"]): readonly Column<PolicyHold>[] {
  return [
    { heading: t.policies.destination, cell: destinationText, className: "main" },
    { heading: t.policies.reason, cell: ({ reason }) => reason, className: "wrap" },
    {
      heading: t.policies.heldBy,
      cell: ({ held_by }) => actorName(held_by),
      className: "wrap muted",
    },
    {
      heading: t.policies.heldAt,
      cell: ({ held_at }) => <Time at={held_at} withDay />,
      className: "right muted",
    },
    {
      heading: t.common.actions,
      cell: (hold) => {
        if (hold.owner !== "account") return <span className="muted reason">{t.policies.ofOperator}</span>;
        if (!onRelease) return null;
        return (
          <Button
            variant="default"
            size="xs"
            aria-label={t.policies.releaseFor(destinationText(hold))}
            onClick={() => onRelease(hold)}
          >
            {t.policies.release}
          </Button>
        );
      },
      className: "right",
    },
  ];
}
