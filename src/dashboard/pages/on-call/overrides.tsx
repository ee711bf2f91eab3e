import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Override, overridesQuery, type Schedule } from "../../api/oncalls.ts";
import type { Tone } from "../../parts/icons.tsx";
import { ListCard } from "../../parts/list-card.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { personName } from "./people.ts";
import { RemoveOverride } from "./remove-override.tsx";
import { zoneTexts } from "./zone-texts.ts";

const tones: Readonly<Record<string, Tone>> = { active: "ok", pending: "info" };

/** The overrides of a schedule, newest first. */
export function Overrides({ schedule }: { readonly schedule: Schedule }) {
  const { name, layers } = schedule.settings;
  const query = useInfiniteQuery(overridesQuery(name));
  const mayChange = useMay()("alerts.write");
  const [removed, setRemoved] = useState<Override>();
  const zone = layers[0]?.time_zone ?? "UTC";
  const actions: Column<Override> = {
    heading: t.common.actions,
    cell: (override) =>
      override.state !== "ended" && (
        <Button
          variant="default"
          size="xs"
          aria-label={t.common.removePart(personName(override.person))}
          onClick={() => setRemoved(override)}
        >
          {t.common.remove}
        </Button>
      ),
    className: "right",
  };
  return (
    <>
      <p className="muted tight">{t.onCall.overridesDetail}</p>
      <ListCard query={query} empty={{ title: t.onCall.noOverrides, detail: t.onCall.noOverridesDetail }}>
        {(rows) => (
          <Table
            label={t.onCall.tabs.overrides}
            columns={[...columns(zone), ...(mayChange ? [actions] : [])]}
            rows={rows}
            rowKey={({ id }) => id}
          />
        )}
      </ListCard>
      <p className="faint tight">{t.onCall.inZone(zone)}</p>
      {removed && (
        <RemoveOverride
          name={name}
          overrideId={removed.id}
          hasBegun={removed.state === "active"}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </>
  );
}

const columns = (zone: string): readonly Column<Override>[] => [
  {
    heading: t.onCall.person,
    cell: ({ person, comment }) => (
      <>
        <b>{personName(person)}</b>
        {comment && <div className="muted">{comment}</div>}
      </>
    ),
    className: "main",
  },
  {
    heading: t.onCall.time,
    cell: ({ from, until }) => zoneTexts(zone).range(from, until),
    className: "lines",
  },
  {
    heading: t.onCall.state,
    cell: ({ state }) => (
      <StateBadge tone={tones[state] ?? "idle"}>{t.onCall.overrideStates[state] ?? state}</StateBadge>
    ),
  },
  { heading: t.onCall.createdBy, cell: ({ created_by: by }) => by, className: "muted wide-only" },
];
