import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { labelQuery } from "../../api/labels.ts";
import { pickedClientQuery, workspacesQuery } from "../../api/workspaces.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";
import { LabelForm } from "./label-form.tsx";

const route = getRouteApi("/inside/intel/labels/$labelId");

/** The label of a workspace or client, which has its id. */
export function LabelPage() {
  const { labelId } = route.useParams();
  const query = useQuery(labelQuery(labelId));
  return (
    <>
      {labelId.startsWith("ws_") ? <OfWorkspace id={labelId} /> : <OfClient id={labelId} />}
      <StateView query={query}>{(label) => <LabelForm labelId={labelId} label={label} />}</StateView>
    </>
  );
}

function OfWorkspace({ id }: { readonly id: string }) {
  const { data } = useQuery(workspacesQuery);
  const name = data?.data.find((one) => one.id === id)?.name ?? id;
  return <Head name={name} detail={t.labels.workspaceDetail} />;
}

function OfClient({ id }: { readonly id: string }) {
  const { data } = useQuery(pickedClientQuery(id));
  return <Head name={data?.name ?? id} detail={t.labels.clientDetail} />;
}

function Head({ name, detail }: { readonly name: string; readonly detail: string }) {
  return (
    <PageHead
      title={t.labels.titleOf(name)}
      detail={detail}
      above={
        <Link to="/intel/labels" className="link">
          {t.labels.title}
        </Link>
      }
    />
  );
}
