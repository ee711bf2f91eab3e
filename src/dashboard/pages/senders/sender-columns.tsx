import type { KeysOfSenders, Sender } from "../../api/senders.ts";
import { StateBadge } from "../../parts/state-badge.tsx";
import type { Column } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { SenderActions } from "./sender-actions.tsx";

/** @param keys of the account; undefined if they are not loaded, or if the role does not allow them */
export function senderColumns(keys: KeysOfSenders | undefined): readonly Column<Sender>[] {
  const ofKeys: Column<Sender> = {
    heading: t.senders.keys,
    cell: ({ value }) => keys && keysOf(value, keys),
    className: "grow muted wide-only",
  };
  return [
    { heading: t.senders.state, cell: (sender) => <SenderState sender={sender} /> },
    { heading: t.senders.sender, cell: ({ value }) => <b>{value}</b>, className: "main" },
    {
      heading: t.senders.by,
      cell: ({ verified_by }) => t.senders.bys[verified_by] ?? verified_by,
      className: "muted wide-only",
    },
    {
      heading: t.senders.since,
      cell: ({ verified_at }) => verified_at && <Time at={verified_at} />,
      className: "muted wide-only",
    },
    ...(keys ? [ofKeys] : []),
    { heading: t.senders.actions, cell: (sender) => <SenderActions sender={sender} />, className: "right" },
  ];
}

function SenderState({ sender: { verified_at, link_expires_at } }: { readonly sender: Sender }) {
  if (verified_at) return <StateBadge tone="ok">{t.senders.states.verified ?? ""}</StateBadge>;
  const isOpen = link_expires_at !== undefined && new Date(link_expires_at) > new Date();
  return isOpen ? (
    <StateBadge tone="info">{t.senders.states.pending ?? ""}</StateBadge>
  ) : (
    <StateBadge tone="warn">{t.senders.expired}</StateBadge>
  );
}

/** Keys that may use a sender: keys without a list of senders, and keys with a list that includes it. */
function keysOf(sender: string, { keys, isWhole }: KeysOfSenders): string {
  const domain = sender.slice(sender.lastIndexOf("@") + 1);
  const allowed = keys.filter(
    ({ senders }) => senders.length === 0 || senders.includes(sender) || senders.includes(domain),
  );
  if (isWhole && allowed.length === 0) return t.senders.noKeys;
  if (isWhole && allowed.length === keys.length) return t.senders.allKeys;
  const names = allowed.map(({ name, prefix }) => name || prefix);
  return [...names, ...(isWhole ? [] : [t.senders.otherKeys])].join(", ");
}
