import { Button, Group, Progress, Stack } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { jobQuery } from "../../api/jobs.ts";
import {
  askedOf,
  beginRemoval,
  countRemoval,
  type RemovalCount,
  type SuppressionFilter,
} from "../../api/suppressions.ts";
import { Answer } from "../../parts/answer.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { FormFault } from "../../parts/form-fault.tsx";
import { Pending, StateView } from "../../parts/state-view.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { countText, sumText } from "./count-text.ts";

interface RemoveMatchingProps {
  readonly filter: SuppressionFilter;
  readonly onClose: () => void;
}

/** Removes all entries that match the filters: shows their number, then starts a job and shows its progress. */
export function RemoveMatching({ filter, onClose }: RemoveMatchingProps) {
  // The count and its confirmation use the same times.
  const [asked] = useState(() => askedOf(filter));
  const [jobId, setJobId] = useState<string>();
  const { mutate, ...count } = useMutation({ mutationFn: countRemoval });
  const begin = useMutation({
    mutationFn: (confirmation: string) => beginRemoval(asked, confirmation),
    onSuccess: setJobId,
  });
  useEffect(() => mutate(asked), [mutate, asked]);

  return (
    <Dialog onClose={onClose} title={t.suppressions.removeAllTitle}>
      {jobId ? (
        <Removal jobId={jobId} onClose={onClose} />
      ) : (
        <Stack>
          {count.isPending && <Pending />}
          <FormFault error={count.error ?? begin.error} />
          {count.data && (
            <Counted
              counted={count.data}
              isPending={begin.isPending}
              onClose={onClose}
              onConfirm={(confirmation) => begin.mutate(confirmation)}
            />
          )}
        </Stack>
      )}
    </Dialog>
  );
}

interface CountedProps {
  readonly counted: RemovalCount;
  readonly isPending: boolean;
  readonly onConfirm: (confirmation: string) => void;
  readonly onClose: () => void;
}

function Counted({ counted: { reasons, confirmation }, isPending, onConfirm, onClose }: CountedProps) {
  const there = reasons.filter(({ count }) => count > 0);
  const harms = there.some(({ reason }) => reason === "complaint" || reason === "unsubscribe");
  return (
    <>
      <p className="tight">{t.suppressions.removeAllDetail}</p>
      <dl className="facts">
        {there.map(({ reason, ...counted }) => (
          <div key={reason} className="contents">
            <dt>{t.suppressions.reasons[reason] ?? reason}</dt>
            <dd className="num">{countText(counted)}</dd>
          </div>
        ))}
      </dl>
      {harms && (
        <Answer tone="bad">
          <p>{t.suppressions.removeAllHarm}</p>
        </Answer>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t.common.cancel}
        </Button>
        <Button
          color="red"
          disabled={there.length === 0}
          loading={isPending}
          onClick={() => onConfirm(confirmation)}
        >
          {t.suppressions.removeAllNow(sumText(reasons))}
        </Button>
      </Group>
    </>
  );
}

function Removal({ jobId, onClose }: { readonly jobId: string; readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  const query = useQuery(jobQuery(jobId));
  const hasEnded = query.data?.finished_at !== undefined;
  useEffect(() => {
    if (hasEnded) void queryClient.invalidateQueries({ queryKey: ["suppressions"] });
  }, [hasEnded, queryClient]);
  return (
    <StateView query={query}>
      {({ state, done, skipped, total = 0 }) => (
        <Stack>
          {!hasEnded && (
            <>
              <Progress
                value={total === 0 ? 0 : ((done + skipped) / total) * 100}
                aria-label={t.suppressions.progress}
              />
              <p className="tight">{t.suppressions.removing(done, total)}</p>
            </>
          )}
          {hasEnded && (
            <p className="tight" role="status">
              {state === "succeeded" ? t.suppressions.removed(done, skipped) : t.suppressions.notRemoved}
            </p>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t.common.close}
            </Button>
          </Group>
        </Stack>
      )}
    </StateView>
  );
}
