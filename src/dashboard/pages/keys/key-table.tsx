import { Link } from "@tanstack/react-router";
import type { Key } from "../../api/keys.ts";
import { StateBadge } from "../../parts/state-badge.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { nameOf, toneOf } from "./name-of.ts";

const columns: readonly Column<Key>[] = [
  {
    heading: t.keys.state,
    cell: (key) => <StateBadge tone={toneOf(key)}>{t.keys.states[key.state] ?? key.state}</StateBadge>,
  },
  {
    heading: t.keys.name,
    cell: (key) => (
      <Link to="/keys/$keyId" params={{ keyId: key.id }} className="main">
        {nameOf(key)}
      </Link>
    ),
    className: "grow main",
  },
  { heading: t.keys.kind, cell: ({ kind }) => t.keys.kinds[kind] ?? kind, className: "muted wide-only" },
  {
    heading: t.keys.scope,
    cell: ({ kind, scope_mode }) => (kind === "smtp" ? t.keys.modes.send_only : t.keys.modes[scope_mode]),
    className: "muted wide-only",
  },
  { heading: t.keys.prefix, cell: ({ prefix }) => prefix, className: "mono wide-only" },
  {
    heading: t.keys.lastUsed,
    cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} withDay /> : t.keys.never),
    className: "right muted",
  },
];

export function KeyTable({ keys }: { readonly keys: readonly Key[] }) {
  return <Table label={t.keys.title} columns={columns} rows={keys} rowKey={({ id }) => id} />;
}
