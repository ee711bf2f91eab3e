import { useQueryClient } from "@tanstack/react-query";
import { saveDraft, type Template, templateQuery } from "../../api/templates.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { bodyOf } from "./draft-text.ts";
import type { Draft } from "./use-draft.ts";

/** Stores the response of a change for the page. */
export function useStored(name: string) {
  const queryClient = useQueryClient();
  const { queryKey } = templateQuery(name);
  return {
    /** A template that was requested before the change would replace its result. */
    begin: () => queryClient.cancelQueries({ queryKey }),
    store: (stored: Template) => {
      queryClient.setQueryData(queryKey, stored);
      void queryClient.invalidateQueries({ queryKey: ["templates"] });
    },
    /** After a change by another client, the page shows both texts. */
    reload: () => void queryClient.invalidateQueries({ queryKey: ["templates"] }),
  };
}

interface ChangeOptions<Variables> {
  readonly draft: Draft;
  readonly change: (variables: Variables) => Promise<Template>;
  /** Takes the response into the editor. */
  readonly take: (stored: Template, variables: Variables) => void;
  readonly onDone?: (stored: Template) => void;
}

/** A change of the stored template. */
export function useTemplateChange<Variables = void>({
  draft,
  change,
  take,
  onDone,
}: ChangeOptions<Variables>) {
  const { begin, store, reload } = useStored(draft.base.name);
  return useMutation<Template, Variables>({
    mutationFn: async (variables) => {
      await begin();
      return change(variables);
    },
    onSuccess: (stored, variables) => {
      take(stored, variables);
      store(stored);
      onDone?.(stored);
    },
    onError: reload,
  });
}

/**
 * Saves the edited text, if it differs from the stored one.
 * @returns a function that returns the template with the edited text
 */
export function useSaveFirst(draft: Draft): () => Promise<Template> {
  const { begin, store } = useStored(draft.base.name);
  return async () => {
    const { base, text, isDirty } = draft;
    if (!isDirty) return base;
    await begin();
    const stored = await saveDraft(base.name, base.revision, bodyOf(text));
    draft.settle(stored, text);
    store(stored);
    return stored;
  };
}
