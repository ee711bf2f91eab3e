import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { watchOffersQuery } from "../../api/watches.ts";
import { Answer } from "../../parts/answer.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { WatchOffers } from "./watch-offers.tsx";

interface OffersProps {
  readonly workspace: string | undefined;
  /** Client that the list shows. */
  readonly client: string | undefined;
}

const NAMED = 3;

/** Says which sending domains of the account the workspace does not watch, and offers to watch them. */
export function Offers({ workspace, client }: OffersProps) {
  const { data } = useQuery(watchOffersQuery(workspace));
  const mayChange = useMay()("intel.write");
  const [isOpen, setOpen] = useState(false);
  if (!data || data.rows.length === 0) return null;
  const { rows, isMore } = data;
  const names = rows.map(({ name_unicode }) => name_unicode);
  const others = names.length - NAMED;
  return (
    <section aria-label={t.watches.offers}>
      <Answer tone="info">
        <p>
          <b>{t.watches.offered(rows.length, isMore)}</b>
        </p>
        <p className="muted">
          {names.slice(0, NAMED).join(", ")}
          {others > 0 && ` ${t.dmarc.moreDomains(others)}`}
        </p>
        {mayChange && (
          <Button size="xs" variant="default" mt={8} onClick={() => setOpen(true)}>
            {t.watches.watchThem}
          </Button>
        )}
      </Answer>
      {isOpen && (
        <WatchOffers offers={rows} workspace={workspace} client={client} onClose={() => setOpen(false)} />
      )}
    </section>
  );
}
