import { Button, Group, Stack } from "@mantine/core";
import { Problem } from "../api/problem.ts";
import { t } from "../texts/texts.ts";
import { Dialog } from "./dialog.tsx";
import { FormFault } from "./form-fault.tsx";
import { useMutation } from "./use-mutation.ts";

interface RemoveUsedProps<Answer> {
  readonly title: string;
  readonly detail: string;
  /** Names of the action and of its second try; missing: those of a removal. */
  readonly words?: { readonly action: string; readonly anyway: string };
  readonly remove: (isForced: boolean) => Promise<Answer>;
  readonly onRemoved: (answer: Answer) => unknown;
  readonly onClose: () => void;
}

const removalWords = { action: t.domains.remove, anyway: t.domains.removeAnyway };

/** Asks before a removal. If other resources use the resource, it names them and asks again. */
export function RemoveUsed<Answer>({
  title,
  detail,
  words = removalWords,
  remove,
  onRemoved,
  onClose,
}: RemoveUsedProps<Answer>) {
  const removal = useMutation({ mutationFn: remove, onSuccess: onRemoved });
  const use = removal.error instanceof Problem ? removal.error.document : undefined;
  const users = use?.code === "resource.in_use" ? (use.used_by ?? []) : [];
  return (
    <Dialog onClose={onClose} title={title}>
      <Stack>
        <p>{detail}</p>
        {users.length > 0 ? (
          <div role="alert">
            <p>{t.domains.usedBy(use?.used_by_count ?? users.length)}</p>
            <ul>
              {users.map(({ kind, id, name }) => (
                <li key={`${kind} ${id}`}>
                  {name || id} <span className="faint">{kind.replaceAll("_", " ")}</span>
                </li>
              ))}
            </ul>
          </div>
        ) : (
          <FormFault error={removal.error} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t.common.cancel}
          </Button>
          <Button color="red" loading={removal.isPending} onClick={() => removal.mutate(users.length > 0)}>
            {users.length > 0 ? words.anyway : words.action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
