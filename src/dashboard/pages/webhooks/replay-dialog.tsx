import { Button, Group, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { beginReplays, countReplays, type Replays } from "../../api/deliveries.ts";
import type { Webhook } from "../../api/webhooks.ts";
import { Answer } from "../../parts/answer.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { FormFault, fieldFaults } from "../../parts/form-fault.tsx";
import { Pending } from "../../parts/state-view.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { ReplayFields } from "./replay-fields.tsx";
import { ReplayProgress } from "./replay-progress.tsx";
import { allFailed, type ReplayValues, replayBody } from "./replay-values.ts";

/** A count, with the values of the form and the body that it is for. */
interface Counted {
  readonly values: string;
  readonly body: Replays;
}

interface ReplayDialogProps {
  readonly webhook: Webhook;
  /** Values at the beginning; missing: all failed deliveries. */
  readonly values?: ReplayValues;
  readonly onClose: () => void;
}

/** Sends deliveries of an endpoint again: it counts them, then starts a job and shows its progress. */
export function ReplayDialog({ webhook, values = allFailed, onClose }: ReplayDialogProps) {
  const queryClient = useQueryClient();
  const form = useForm<ReplayValues>({ initialValues: values });
  const [counted, setCounted] = useState<Counted>();
  const [jobId, setJobId] = useState<string>();
  const { mutate: count, ...counting } = useMutation({
    mutationFn: ({ body }: Counted) => countReplays(webhook.id, body),
    onSuccess: (_, asked) => setCounted(asked),
    onError: (error) => form.setErrors(fieldFaults(error)),
  });
  const begin = useMutation({
    mutationFn: (body: Replays) => beginReplays(webhook.id, body),
    onSuccess: (id) => {
      setJobId(id);
      return queryClient.invalidateQueries({ queryKey: ["jobs"] });
    },
  });
  const [first] = useState(values);
  useEffect(() => count(askedOf(first)), [count, first]);
  const isCurrent = counted?.values === JSON.stringify(form.values);
  const found = isCurrent && !counting.isPending ? counting.data : undefined;

  function submit(event: FormEvent): void {
    event.preventDefault();
    form.clearErrors();
    if (found && counted) begin.mutate(counted.body);
    else count(askedOf(form.values));
  }

  if (jobId !== undefined)
    return (
      <Dialog onClose={onClose} title={t.webhooks.replay.title} size="lg">
        <ReplayProgress jobId={jobId} webhookId={webhook.id} onClose={onClose} />
      </Dialog>
    );
  const isEmpty = found !== undefined && found.count === 0 && !found.has_more;
  return (
    <Dialog onClose={onClose} title={t.webhooks.replay.title} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <p className="muted tight">{t.webhooks.replay.detail}</p>
          <p className="muted tight">{t.webhooks.replay.missed}</p>
          <ReplayFields form={form} />
          {counting.isPending && <Pending />}
          <p className="tight" role="status">
            {found && (
              <b>
                {isEmpty ? t.webhooks.replay.none : t.webhooks.replay.counted(found.count, found.has_more)}
              </b>
            )}
          </p>
          {webhook.disabled && (
            <Answer tone="warn">
              <p>{t.webhooks.replay.disabled}</p>
            </Answer>
          )}
          <FormFault error={counting.error ?? begin.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t.common.cancel}
            </Button>
            <Button
              type="submit"
              loading={counting.isPending || begin.isPending}
              disabled={found !== undefined && (isEmpty || webhook.disabled !== undefined)}
            >
              {found && !isEmpty
                ? t.webhooks.replay.begin(found.count, found.has_more)
                : t.webhooks.replay.count}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** The body ends now, so that a replay contains the counted deliveries only. */
const askedOf = (values: ReplayValues): Counted => ({
  values: JSON.stringify(values),
  body: replayBody(values, new Date()),
});
