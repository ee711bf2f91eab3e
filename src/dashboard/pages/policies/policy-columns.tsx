import { Link } from "@tanstack/react-router";
import type { Policy, PolicyHold } from "../../api/policies.ts";
import { StateBadge } from "../../parts/state-badge.tsx";
import type { Column } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { transportsText } from "./transport-text.ts";

/** @param holds of the account; undefined: they are not known, and no policy is shown as held */
export function policyColumns(holds: readonly PolicyHold[] | undefined): readonly Column<Policy>[] {
  return [
    {
      heading: t.policies.name,
      cell: (policy) => (
        <span className="row">
          <Link to="/policies/$name" params={{ name: policy.name }} className="main">
            {policy.name}
          </Link>
          {policy.default && <StateBadge tone="info">{t.policies.isDefault}</StateBadge>}
          <Held holds={(holds ?? []).filter((hold) => hold.policy === policy.name)} />
        </span>
      ),
      className: "main",
    },
    {
      heading: t.policies.transports,
      cell: ({ transports }) => transportsText(transports),
      className: "grow muted",
    },
    {
      heading: t.policies.rules,
      cell: ({ rules }) => (rules.length === 0 ? t.policies.noRules : t.policies.ruleCount(rules.length)),
      className: "muted wide-only",
    },
    {
      heading: t.policies.storedBy,
      cell: ({ stored_by }) => t.policies.owners[stored_by] ?? stored_by,
      className: "muted wide-only",
    },
    {
      heading: t.policies.updated,
      cell: ({ updated_at }) => <Time at={updated_at} withDay />,
      className: "right muted",
    },
  ];
}

function Held({ holds }: { readonly holds: readonly PolicyHold[] }) {
  if (holds.length === 0) return null;
  const isWhole = holds.some(({ destination }) => destination === "");
  return (
    <StateBadge tone="warn">
      {isWhole ? t.policies.held : t.policies.heldFor(holds.map(({ destination }) => destination).join(", "))}
    </StateBadge>
  );
}
