import { Button, Group, Stack } from "@mantine/core";
import { type UseQueryResult, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { t } from "../texts/texts.ts";
import { Dialog } from "./dialog.tsx";
import { FormFault } from "./form-fault.tsx";
import { StateView } from "./state-view.tsx";
import { useMutation } from "./use-mutation.ts";

/** Number of items that a bulk action selects, with some of them. */
interface Counted {
  readonly actionable: number;
  readonly sample: readonly { readonly id: string }[];
  readonly confirmation: string;
}

interface BeginBulkProps<Count extends Counted> {
  readonly title: string;
  /** Effect or values of the action; undefined: the title says all. */
  readonly detail?: string | undefined;
  readonly count: UseQueryResult<Count>;
  /** Starts the job. The answer has its id, unless nothing was left to do. */
  readonly begin: (confirmation: string) => Promise<object>;
  readonly countText: (count: Count) => ReactNode;
  readonly itemText: (item: Count["sample"][number]) => ReactNode;
  /** Which items a filter selects; undefined: they are selected by id. */
  readonly frozen: string | undefined;
  readonly beginText: (count: number) => string;
  readonly color?: string;
  readonly onClose: () => void;
}

/** Counts the items of a bulk action, asks for confirmation, and starts the job. */
export function BeginBulk<Count extends Counted>(props: BeginBulkProps<Count>) {
  const { title, detail, count, begin, countText, itemText, frozen, beginText } = props;
  const { color = "accent", onClose } = props;
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const start = useMutation({
    mutationFn: begin,
    onSuccess: async (job) => {
      void queryClient.invalidateQueries({ queryKey: ["jobs"] });
      if ("id" in job) await navigate({ to: "/jobs/$jobId", params: { jobId: String(job.id) } });
    },
  });
  const { data } = count;
  return (
    <Dialog onClose={onClose} title={title}>
      <Stack>
        <StateView query={count}>
          {(counted) => (
            <>
              <p className="tight">{countText(counted)}</p>
              {detail !== undefined && <p className="muted tight">{detail}</p>}
              {counted.sample.length > 0 && (
                <div>
                  <span className="faint">{t.jobs.confirm.such}</span>
                  <ul className="plain">
                    {counted.sample.map((item) => (
                      <li key={item.id} className="cut">
                        {itemText(item)}
                      </li>
                    ))}
                  </ul>
                </div>
              )}
              {frozen !== undefined && <p className="faint tight">{frozen}</p>}
            </>
          )}
        </StateView>
        <FormFault error={start.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t.common.close}
          </Button>
          {data && data.actionable > 0 && (
            <Button color={color} loading={start.isPending} onClick={() => start.mutate(data.confirmation)}>
              {beginText(data.actionable)}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}
