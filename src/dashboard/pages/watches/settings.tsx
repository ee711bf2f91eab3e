import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { replaceWatch, type Watch, type WatchSettings, watchQuery } from "../../api/watches.ts";
import { Answer } from "../../parts/answer.tsx";
import { faultsOf } from "../../parts/drafts/draft-faults.ts";
import { isStale, SaveForm } from "../../parts/drafts/save-form.tsx";
import type { Draft } from "../../parts/drafts/use-draft.ts";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { settingsOf } from "./content.ts";
import { SettingFields } from "./setting-fields.tsx";

interface SettingsProps {
  readonly watch: Watch;
  readonly draft: Draft<WatchSettings>;
}

/** The settings of a domain. The server refuses a change if another member has changed them since. */
export function Settings({ watch, draft }: SettingsProps) {
  const { id } = watch;
  const queryClient = useQueryClient();
  const mayChange = useMay()("intel.write");
  const save = useMutation({
    mutationFn: ({ revision, content }: { readonly revision: string; readonly content: WatchSettings }) =>
      replaceWatch(id, revision, content),
    onSuccess: async (stored, { content }) => {
      draft.settle(content, { base: settingsOf(stored), revision: stored.revision });
      queryClient.setQueryData(watchQuery(id).queryKey, stored);
      notifications.show({ message: t.watches.saved, role: "status" });
      await queryClient.invalidateQueries({ queryKey: ["intel"] });
    },
    onError: (error) => {
      draft.setFaults(faultsOf(error));
      if (isStale(error)) void queryClient.invalidateQueries({ queryKey: watchQuery(id).queryKey });
    },
  });
  return (
    <>
      {!mayChange && (
        <Answer tone="info">
          <p>{t.watches.mayNotChange}</p>
        </Answer>
      )}
      <SettingFields workspace={watch.workspace_id} draft={draft} isReadOnly={!mayChange} />
      {mayChange && (
        <SaveForm
          draft={draft}
          stored={settingsOf(watch)}
          storedAt={watch.updated_at}
          save={save}
          onSave={() => save.mutate({ revision: draft.revision, content: draft.content })}
          action={t.watches.save}
          detail={t.watches.saveDetail}
        />
      )}
    </>
  );
}
