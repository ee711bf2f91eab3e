import { Button, Group, Stack } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import {
  type BulkActionName,
  type BulkCount,
  type BulkSelection,
  beginBulk,
  bulkCountQuery,
} from "../../api/messages.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { FormFault } from "../../parts/form-fault.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

interface BulkDialogProps {
  readonly action: BulkActionName;
  readonly selection: BulkSelection;
  readonly onClose: () => void;
}

/** Counts the messages of a bulk action, asks for confirmation, and starts the job. */
export function BulkDialog({ action, selection, onClose }: BulkDialogProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const count = useQuery(bulkCountQuery(action, selection));
  const begin = useMutation({
    mutationFn: (confirmation: string) => beginBulk(action, selection, confirmation),
    onSuccess: async (job) => {
      void queryClient.invalidateQueries({ queryKey: ["jobs"] });
      if ("id" in job) await navigate({ to: "/jobs/$jobId", params: { jobId: job.id } });
    },
  });
  const words = t.jobs.actions[action] ?? action;
  const { data } = count;
  return (
    <Dialog onClose={onClose} title={words}>
      <Stack>
        <StateView query={count}>
          {(data) => (
            <>
              <p className="tight">
                <b>{t.jobs.confirm.meant(data.count, data.has_more)}</b> {possibleText(words, data)}
              </p>
              {data.sample.length > 0 && (
                <div>
                  <span className="faint">{t.jobs.confirm.such}</span>
                  <ul className="plain">
                    {data.sample.map(({ id, recipient, subject }) => (
                      <li key={id} className="cut">
                        {recipient} <span className="muted">{subject || t.messages.noSubject}</span>
                      </li>
                    ))}
                  </ul>
                </div>
              )}
              {"filter" in selection && <p className="faint tight">{t.jobs.confirm.frozen}</p>}
            </>
          )}
        </StateView>
        <FormFault error={begin.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t.common.close}
          </Button>
          {data && data.actionable > 0 && (
            <Button
              color={action === "cancel" ? "red" : "accent"}
              loading={begin.isPending}
              onClick={() => begin.mutate(data.confirmation)}
            >
              {t.jobs.confirm.begin(words, data.actionable)}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

function possibleText(action: string, { count, actionable, has_more }: BulkCount): string {
  if (actionable === 0) return t.jobs.confirm.none(action);
  const isAll = actionable === count && !has_more;
  return isAll ? t.jobs.confirm.all(action) : t.jobs.confirm.possible(action, actionable);
}
