import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import {
  type Heartbeat,
  type HeartbeatContent,
  heartbeatQuery,
  replaceHeartbeat,
} from "../../api/heartbeats.ts";
import { faultsOf } from "../../parts/drafts/draft-faults.ts";
import { isStale, SaveForm } from "../../parts/drafts/save-form.tsx";
import type { Draft } from "../../parts/drafts/use-draft.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { contentOf, sentOf } from "./content.ts";

interface SaveRowProps {
  readonly heartbeat: Heartbeat;
  readonly draft: Draft<HeartbeatContent>;
}

/** Stores the draft. The server refuses it if another member has changed the settings since. */
export function SaveRow({ heartbeat, draft }: SaveRowProps) {
  const { id } = heartbeat;
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: ({ revision, content }: { readonly revision: string; readonly content: HeartbeatContent }) =>
      replaceHeartbeat(id, revision, sentOf(content)),
    onSuccess: async (stored, { content }) => {
      draft.settle(content, { base: contentOf(stored), revision: stored.revision });
      queryClient.setQueryData(heartbeatQuery(id).queryKey, stored);
      notifications.show({ message: t.heartbeats.saved, role: "status" });
      await queryClient.invalidateQueries({ queryKey: ["heartbeats"] });
    },
    onError: (error) => {
      draft.setFaults(faultsOf(error));
      if (isStale(error)) void queryClient.invalidateQueries({ queryKey: ["heartbeats", "one", id] });
    },
  });

  return (
    <SaveForm
      draft={draft}
      stored={contentOf(heartbeat)}
      storedAt={heartbeat.updated_at}
      save={save}
      onSave={() => save.mutate({ revision: draft.revision, content: draft.content })}
      action={t.heartbeats.save}
      detail={t.heartbeats.saveDetail}
    />
  );
}
