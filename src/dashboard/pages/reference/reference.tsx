import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { home } from "../../api/client.ts";
import { installationQuery } from "../../api/installation.ts";
import { keysQuery } from "../../api/keys.ts";
import { rowsOf } from "../../api/pages.ts";
import { documentUrl } from "../../api/reference.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { Pending, StateView } from "../../parts/state-view.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { ReferenceFrame } from "./reference-frame.tsx";

/** The operations of the public API, each with a form that sends it to this installation. */
export function ReferencePage() {
  const may = useMay();
  const installation = useQuery(installationQuery);
  const keys = useInfiniteQuery({ ...keysQuery(), enabled: may("keys.read") });
  const key = rowsOf(keys.data).find(
    ({ kind, revoked_at, superseded_at }) => kind === "account" && !revoked_at && !superseded_at,
  );
  return (
    <>
      <PageHead title={t.reference.title} detail={t.reference.detail}>
        <a className="link" href={documentUrl} target="_blank" rel="noreferrer">
          {t.reference.document}
        </a>
      </PageHead>
      <StateView query={installation}>
        {({ base_url }) =>
          keys.isLoading ? (
            <Pending />
          ) : (
            <ReferenceFrame server={normalized(base_url ?? home)} prefix={key?.prefix} />
          )
        }
      </StateView>
    </>
  );
}

/** A base URL as browsers write it, without a slash at its end. */
const normalized = (url: string): string => new URL(url).href.replace(/\/$/, "");
