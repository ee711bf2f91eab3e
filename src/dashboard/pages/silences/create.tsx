import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { incidentQuery } from "../../api/incidents.ts";
import { silenceQuery } from "../../api/silences.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";
import { contentOf } from "./content.ts";
import { blankSilence, silenceLike, silenceOfIncident } from "./new-content.ts";
import { NewSilence } from "./new-silence.tsx";

const route = getRouteApi("/inside/silences/-/new");

/** A new silence: blank, like an earlier one, or for the alerts of an incident. */
export function NewSilencePage() {
  const { from, incident } = route.useSearch();
  const [blank] = useState(blankSilence);
  return (
    <>
      <PageHead
        title={t.silences.create}
        detail={t.silences.createDetail}
        above={
          <Link to="/silences" className="link">
            {t.silences.title}
          </Link>
        }
      />
      {from !== undefined && <Copy key={from} from={from} />}
      {from === undefined && incident !== undefined && <OfIncident key={incident} incidentId={incident} />}
      {from === undefined && incident === undefined && <NewSilence content={blank} />}
    </>
  );
}

function Copy({ from }: { readonly from: string }) {
  const query = useQuery(silenceQuery(from));
  return (
    <StateView query={query}>
      {(silence) => <NewSilence content={silenceLike(contentOf(silence))} />}
    </StateView>
  );
}

function OfIncident({ incidentId }: { readonly incidentId: string }) {
  const query = useQuery(incidentQuery(incidentId));
  return (
    <StateView query={query}>{(details) => <NewSilence content={silenceOfIncident(details)} />}</StateView>
  );
}
