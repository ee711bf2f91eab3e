import { DEFAULT_SET, putDataSet } from "../../api/templates.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { t } from "../../texts/texts.ts";
import type { Draft } from "./use-draft.ts";
import { useTemplateChange } from "./use-template-change.ts";
import type { TestData } from "./use-test-data.ts";

interface RemoveSetProps {
  readonly draft: Draft;
  readonly data: TestData;
  readonly onClose: () => void;
}

/** Removes the selected data set. */
export function RemoveSet({ draft, data, onClose }: RemoveSetProps) {
  const { base } = draft;
  const { selected } = data;
  const remove = useTemplateChange<string>({
    draft,
    change: (set) => putDataSet(base.name, base.revision, set, undefined),
    take: (stored, set) => {
      draft.rebase(stored);
      data.settle(set);
    },
    onDone: onClose,
  });
  return (
    <Confirm
      title={selected === DEFAULT_SET ? t.templates.clearDefaultTitle : t.templates.removeSetTitle(selected)}
      detail={t.templates.removeSetDetail}
      action={t.templates.removeSet}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(selected)}
      onClose={onClose}
    />
  );
}
