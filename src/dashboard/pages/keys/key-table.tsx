import type { Key } from "../../api/keys.ts";
import type { Tone } from "../../parts/icons.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { KeyActions } from "./key-actions.tsx";
import type { Revealed } from "./secrets-of.ts";

interface KeyTableProps {
  readonly keys: readonly Key[];
  readonly onRotated: (created: Revealed) => void;
}

export function KeyTable({ keys, onRotated }: KeyTableProps) {
  const now = new Date();
  const columns: readonly Column<Key>[] = [
    {
      heading: t.keys.state,
      cell: (key) => {
        const { state, tone } = stateOf(key, now);
        return <StateBadge tone={tone}>{t.keys.states[state]}</StateBadge>;
      },
    },
    { heading: t.keys.name, cell: ({ name, prefix }) => <b>{name || prefix}</b> },
    { heading: t.keys.kind, cell: kindOf, className: "muted wide-only" },
    { heading: t.keys.prefix, cell: ({ prefix }) => prefix, className: "mono wide-only" },
    {
      heading: t.keys.lastUsed,
      cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} withDay /> : t.keys.never),
      className: "muted",
    },
    {
      heading: t.keys.actions,
      cell: (key) => (
        <KeyActions keyShown={key} isActive={stateOf(key, now).tone !== "bad"} onRotated={onRotated} />
      ),
      className: "right",
    },
  ];
  return <Table label={t.keys.title} columns={columns} rows={keys} rowKey={({ id }) => id} />;
}

type KeyState = keyof typeof t.keys.states;

/** The state of a key, the most serious first. */
function stateOf(
  { revoked_at, expires_at, superseded_at, unused }: Key,
  now: Date,
): { readonly state: KeyState; readonly tone: Tone } {
  if (revoked_at) return { state: "revoked", tone: "bad" };
  if (expires_at && new Date(expires_at) <= now) return { state: "expired", tone: "bad" };
  if (superseded_at) return { state: "replaced", tone: "warn" };
  if (unused) return { state: "unused", tone: "idle" };
  return { state: "active", tone: "ok" };
}

function kindOf({ kind }: Key): string {
  return t.keys.kinds[kind as keyof typeof t.keys.kinds] ?? kind;
}
