import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { changeRetention, type Retention, type RetentionTimes } from "../../api/accounts.ts";
import { Answer } from "../../parts/answer.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { fieldFaults } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { bodyOf, fieldsOf, ownTimes, shortened, unitOf } from "./retention-times.ts";

interface ChangeRetentionProps {
  readonly retention: Retention;
  readonly onClose: () => void;
}

/** Changes all retention times of the account. It warns of each time that becomes shorter. */
export function ChangeRetention({ retention, onClose }: ChangeRetentionProps) {
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: fieldsOf(retention) });
  const change = useMutation({
    mutationFn: (times: RetentionTimes) => changeRetention(times),
    onSuccess: (changed) => {
      queryClient.setQueryData(["retention"], changed);
      onClose();
    },
    onError: (error) => {
      form.setErrors(fieldFaults(error));
      // After a change by another member, the next try is based on the current times.
      void queryClient.invalidateQueries({ queryKey: ["retention"] });
    },
  });
  const shorter = shortened(retention, form.values);
  const names = shorter.map((name) => t.retention.names[name]).join(", ");
  return (
    <FormDialog
      title={t.retention.changeTitle}
      detail={t.retention.changeDetail}
      action={t.retention.save}
      isPending={change.isPending}
      error={change.error}
      onSubmit={form.onSubmit((fields) =>
        change.mutate({ ...bodyOf(fields), if_revision: retention.revision }),
      )}
      onClose={onClose}
    >
      {ownTimes.map((name, index) => (
        <TextInput
          key={name}
          type="number"
          min={1}
          max={retention[name].most}
          label={
            unitOf(name) === "hours"
              ? t.retention.fieldHours(t.retention.names[name])
              : t.retention.fieldDays(t.retention.names[name])
          }
          description={t.retention.bounds(retention[name].most)}
          {...(index === 0 && { "data-autofocus": true })}
          {...form.getInputProps(name)}
        />
      ))}
      {shorter.length > 0 && (
        <Answer tone="bad" role="alert">
          <p>{t.retention.shortened(names)}</p>
        </Answer>
      )}
    </FormDialog>
  );
}
