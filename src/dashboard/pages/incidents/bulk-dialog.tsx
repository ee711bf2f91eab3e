import { Button, Group, Stack } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import {
  type BulkIncidentAction,
  beginBulkIncidents,
  type IncidentSelection,
  incidentCountQuery,
} from "../../api/incidents.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { FormFault } from "../../parts/form-fault.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

interface BulkDialogProps {
  readonly action: BulkIncidentAction;
  readonly selection: IncidentSelection;
  readonly onClose: () => void;
}

/** Counts the incidents of a bulk action, asks for confirmation, and starts the job. */
export function BulkDialog({ action, selection, onClose }: BulkDialogProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const count = useQuery(incidentCountQuery(action, selection));
  const begin = useMutation({
    mutationFn: (confirmation: string) => beginBulkIncidents(action, selection, confirmation),
    onSuccess: async (job) => {
      void queryClient.invalidateQueries({ queryKey: ["jobs"] });
      if ("id" in job) await navigate({ to: "/jobs/$jobId", params: { jobId: job.id } });
    },
  });
  const words = t.incidents.actions[action];
  const { data } = count;
  return (
    <Dialog onClose={onClose} title={words}>
      <Stack>
        <StateView query={count}>
          {(counted) => (
            <>
              <p className="tight">
                <b>{t.incidents.meant(counted.count, counted.has_more)}</b>{" "}
                {t.incidents.possible(words, counted.actionable)}
              </p>
              {counted.sample.length > 0 && (
                <div>
                  <span className="faint">{t.jobs.confirm.such}</span>
                  <ul className="plain">
                    {counted.sample.map(({ id, title }) => (
                      <li key={id} className="cut">
                        {title}
                      </li>
                    ))}
                  </ul>
                </div>
              )}
              {"filter" in selection && <p className="faint tight">{t.incidents.frozen}</p>}
            </>
          )}
        </StateView>
        <FormFault error={begin.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t.common.close}
          </Button>
          {data && data.actionable > 0 && (
            <Button loading={begin.isPending} onClick={() => begin.mutate(data.confirmation)}>
              {t.incidents.begin(words, data.actionable)}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}
