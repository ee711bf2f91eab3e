import { Button } from "@mantine/core";
import { useState } from "react";
import type { Domain } from "../../api/domains.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { RotateKeys } from "./rotate-keys.tsx";

const columns: readonly Column<Domain["keys"][number]>[] = [
  { heading: t.domains.selector, cell: ({ selector }) => selector, className: "mono main" },
  { heading: t.domains.algorithm, cell: ({ algorithm }) => algorithm, className: "muted wide-only" },
  { heading: t.domains.keyState, cell: ({ state }) => t.domains.keyStates[state] ?? state },
  {
    heading: t.domains.signsFrom,
    cell: ({ signs_from }) => <Time at={signs_from} withDay />,
    className: "right muted",
  },
];

/** DKIM keys of a domain, newest first, with the progress of their rotation. */
export function DkimKeys({ domain }: { readonly domain: Domain }) {
  const { keys } = domain;
  const may = useMay();
  const [isRotating, setRotating] = useState(false);
  return (
    <section className="card" aria-labelledby="dkim">
      <header>
        <h2 id="dkim">{t.domains.keys}</h2>
        {may("domains.write") && (
          <Button variant="default" size="xs" onClick={() => setRotating(true)}>
            {t.domains.rotate}
          </Button>
        )}
      </header>
      <Rotation domain={domain} />
      <Table label={t.domains.keys} columns={columns} rows={keys} rowKey={({ selector }) => selector} />
      {isRotating && <RotateKeys name={domain.name} onClose={() => setRotating(false)} />}
    </section>
  );
}

/** The steps of a rotation that is in progress, or with old keys that are still needed. */
function Rotation({ domain: { keys, records } }: { readonly domain: Domain }) {
  const steps = t.domains.rotationSteps;
  const upcoming = keys.filter(({ state }) => state === "upcoming");
  const isRetired = keys.some(({ state }) => state === "retired");
  const [next] = upcoming;
  if (!next && !isRetired) return null;
  const missing = upcoming.filter(
    ({ selector }) => records.find(({ key }) => key === `dkim:${selector}`)?.outcome !== "right",
  ).length;
  return (
    <div className="body">
      <h3>{t.domains.rotation}</h3>
      <ol className="line gap-above">
        <li className="ok">{steps.created}</li>
        {next && <li className={missing === 0 ? "ok" : "warn"}>{steps.publish(missing)}</li>}
        {next && (
          <li>
            {steps.signs} <Time at={next.signs_from} withDay />.{missing > 0 && <> {steps.late}</>}
          </li>
        )}
        <li>{steps.retired}</li>
      </ol>
    </div>
  );
}
