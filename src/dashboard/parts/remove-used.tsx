import { Button, Group, Stack } from "@mantine/core";
import { Problem } from "../api/problem.ts";
import { t } from "../texts/texts.ts";
import { Dialog } from "./dialog.tsx";
import { FormFault } from "./form-fault.tsx";
import { useMutation } from "./use-mutation.ts";

interface RemoveUsedProps {
  readonly title: string;
  readonly detail: string;
  readonly remove: (isForced: boolean) => Promise<unknown>;
  readonly onRemoved: () => unknown;
  readonly onClose: () => void;
}

/** Asks before a removal. If other resources use the resource, it names them and asks again. */
export function RemoveUsed({ title, detail, remove, onRemoved, onClose }: RemoveUsedProps) {
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
            {users.length > 0 ? t.domains.removeAnyway : t.domains.remove}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
