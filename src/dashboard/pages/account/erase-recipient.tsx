import { Button, Checkbox, Group, Stack, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { beginErasure, type ErasurePreview, previewErasure } from "../../api/erasures.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { FormButtons } from "../../parts/form-buttons.tsx";
import { FormFault, fieldFaults } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";

type Count = keyof typeof t.erasure.counts;

/** Counts the data about a recipient, and erases it after a confirmation. The page of the erasure shows its progress. */
export function EraseRecipient({ onClose }: { readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [recipient, setRecipient] = useState("");
  const [isKept, setKept] = useState(false);
  const count = useMutation({ mutationFn: previewErasure });
  const begin = useMutation({
    mutationFn: beginErasure,
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: ["erasures", "list"] });
      await navigate({ to: "/account/erasures/$erasureId", params: { erasureId: id } });
    },
  });
  const counted = count.data;
  const error = count.error ?? begin.error;

  function submit(event: FormEvent) {
    event.preventDefault();
    // Enter in the field counts; only the button erases.
    if (!counted) count.mutate(recipient.trim());
  }

  return (
    <Dialog onClose={onClose} title={t.erasure.erase}>
      <form onSubmit={submit}>
        <Stack>
          <p className="muted tight">{t.erasure.eraseDetail}</p>
          <TextInput
            type="email"
            label={t.erasure.recipient}
            autoComplete="off"
            required
            data-autofocus
            value={recipient}
            error={error ? fieldFaults(error).recipient : undefined}
            onChange={(event) => {
              // The counts are of the former address.
              count.reset();
              begin.reset();
              setRecipient(event.currentTarget.value);
            }}
          />
          {counted && <Counted counted={counted} isKept={isKept} onKeep={setKept} />}
          <FormFault error={error} />
          {counted ? (
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {t.common.cancel}
              </Button>
              <Button
                color="red"
                loading={begin.isPending}
                onClick={() => begin.mutate({ recipient: recipient.trim(), keep_suppressed: isKept })}
              >
                {t.erasure.eraseNow}
              </Button>
            </Group>
          ) : (
            <FormButtons action={t.erasure.count} isPending={count.isPending} onClose={onClose} />
          )}
        </Stack>
      </form>
    </Dialog>
  );
}

interface CountedProps {
  readonly counted: ErasurePreview;
  readonly isKept: boolean;
  readonly onKeep: (isKept: boolean) => void;
}

function Counted({ counted, isKept, onKeep }: CountedProps) {
  const names = (Object.keys(t.erasure.counts) as Count[]).filter((name) => counted[name] > 0);
  return (
    <>
      <div role="status">
        <p className="tight">{names.length === 0 ? t.erasure.nothing : t.erasure.found}</p>
        <dl className="facts wide gap-above">
          {names.map((name) => (
            <div key={name} className="contents">
              <dt>{t.erasure.counts[name]}</dt>
              <dd className="num right">{numberText(counted[name])}</dd>
            </div>
          ))}
        </dl>
        {!counted.complete && <p className="tight gap-above">{t.erasure.incomplete}</p>}
      </div>
      <Checkbox
        label={t.erasure.keep}
        description={t.erasure.keepDetail}
        checked={isKept}
        onChange={(event) => onKeep(event.currentTarget.checked)}
      />
    </>
  );
}
