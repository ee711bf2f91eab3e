import { Button, FileInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { beginImport, previewImport, type WatchImport } from "../../api/watches.ts";
import { FormFault } from "../../parts/form-fault.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { saveFile } from "../../parts/save-file.ts";
import { Pending } from "../../parts/state-view.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { WorkspacePick } from "../intel-scope/workspace-pick.tsx";
import { EXAMPLE } from "./example.ts";
import { Preview } from "./preview.tsx";
import { Progress } from "./progress.tsx";

const route = getRouteApi("/inside/intel/import");

/** Imports domains and their clients from a CSV file: its rows are shown with their expected results, then a job begins. */
export function WatchImportPage() {
  const { job } = route.useSearch();
  const may = useMay();
  return (
    <>
      <PageHead title={t.watchImport.title} detail={t.watchImport.detail} />
      {job !== undefined && <Progress jobId={job} />}
      {job === undefined && may("intel.write") && <NewImport />}
      {job === undefined && !may("intel.write") && (
        <div className="notice">
          <strong>{t.problem.forbidden}</strong>
        </div>
      )}
    </>
  );
}

function NewImport() {
  const { workspace_id } = route.useSearch();
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [shown, setShown] = useState<WatchImport>();
  const preview = useMutation({
    mutationFn: async (asked: WatchImport) => {
      const found = await previewImport(asked);
      setShown(asked);
      return found;
    },
  });
  const begin = useMutation({
    mutationFn: ({ asked, confirmation }: { asked: WatchImport; confirmation: string }) =>
      beginImport(asked, confirmation),
    onSuccess: (job) => {
      void queryClient.invalidateQueries({ queryKey: ["jobs"] });
      return navigate({ search: { job } });
    },
  });

  function read(from: File | null, workspace = workspace_id): void {
    setFile(from);
    begin.reset();
    preview.reset();
    // Two files differ only in their texts.
    if (from) void from.text().then((csv) => preview.mutate({ csv, workspace_id: workspace }));
  }

  return (
    <>
      <section className="card" aria-label={t.watchImport.file}>
        <div className="body stack">
          <div className="row bottom-aligned">
            <FileInput
              label={t.watchImport.file}
              description={t.watchImport.fileDetail}
              placeholder={t.watchImport.chooseFile}
              accept=".csv,text/csv,text/plain"
              clearable
              clearButtonProps={{ "aria-label": t.common.clear(t.watchImport.file) }}
              value={file}
              onChange={(chosen) => read(chosen)}
              className="file-field"
            />
            <WorkspacePick
              value={workspace_id}
              onPick={(picked) => {
                void navigate({ search: picked ? { workspace_id: picked } : {}, replace: true });
                read(file, picked);
              }}
            />
            <Button variant="subtle" onClick={() => saveFile("domains.csv", "text/csv", EXAMPLE)}>
              {t.watchImport.example}
            </Button>
          </div>
          <FormFault error={preview.error} />
        </div>
      </section>
      {preview.isPending && <Pending />}
      {preview.data && shown && (
        <Preview
          preview={preview.data}
          isPending={begin.isPending}
          error={begin.error}
          onBegin={(confirmation) => begin.mutate({ asked: shown, confirmation })}
          onAgain={() => read(file)}
        />
      )}
      {!file && <Columns />}
    </>
  );
}

/** The columns that a file can have. */
function Columns() {
  return (
    <section className="card" aria-label={t.watchImport.columns}>
      <header>
        <h2>{t.watchImport.columns}</h2>
      </header>
      <div className="body">
        <dl className="facts">
          {Object.entries(t.watchImport.fields).map(([name, words]) => (
            <div key={name} className="contents">
              <dt className="mono">{name}</dt>
              <dd>{words}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}
