import { Link } from "@tanstack/react-router";
import type { Suppression } from "../../api/suppressions.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { RemoveSuppression } from "./remove-suppression.tsx";

const columns: readonly Column<Suppression>[] = [
  { heading: t.suppressions.address, cell: ({ address }) => <b>{address}</b>, className: "main" },
  { heading: t.suppressions.reason, cell: ({ reason }) => t.suppressions.reasons[reason] ?? reason },
  {
    heading: t.suppressions.note,
    cell: ({ detail, message_id }) =>
      message_id ? (
        <Link to="/messages/$messageId" params={{ messageId: message_id }} className="link">
          {detail || t.requests.show}
        </Link>
      ) : (
        detail
      ),
    className: "grow muted wide-only",
  },
  {
    heading: t.suppressions.scope,
    cell: ({ policy }) => policy || t.suppressions.allMail,
    className: "muted wide-only",
  },
  {
    heading: t.suppressions.since,
    cell: ({ created_at }) => <Time at={created_at} />,
    className: "right muted wide-only",
  },
  {
    heading: t.common.actions,
    cell: (entry) => <RemoveSuppression entry={entry} />,
    className: "right",
  },
];

export function SuppressionTable({ rows }: { readonly rows: readonly Suppression[] }) {
  return <Table label={t.suppressions.title} columns={columns} rows={rows} rowKey={({ id }) => id} />;
}
