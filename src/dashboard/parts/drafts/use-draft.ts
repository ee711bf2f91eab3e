import { useState } from "react";
import { isSame } from "./draft-content.ts";
import { type DraftFault, faultsAfter } from "./draft-faults.ts";
import type { JsonFault, ReadJson } from "./json-shape.ts";

/** How the settings of a resource become a form, and become JSON. */
export interface DraftFormat<Content extends object> {
  /** Missing: the settings have no view as JSON. */
  readonly read?: (text: string) => ReadJson<Content>;
  /** The same settings without fields that set nothing. */
  readonly tidy: (content: Content) => Content;
}

interface Edited<Content extends object> {
  /** Settings that the form shows: those of the last text that could be read. */
  readonly content: Content;
  readonly text: string;
  readonly fault: JsonFault | undefined;
  readonly faults: readonly DraftFault[];
  /** The stored state on which the draft is based, and its revision. */
  readonly base: Content;
  readonly revision: string;
}

/** The unsaved settings of a resource, as form and as JSON. Each change of one of them changes the other. */
export interface Draft<Content extends object> extends Edited<Content> {
  readonly isDirty: boolean;
  /** Whether another change was stored since the draft was begun. */
  readonly isStale: boolean;
  /** Changes the settings by the form. */
  readonly change: (content: Content) => void;
  /** Changes the text. */
  readonly type: (text: string) => void;
  readonly setFaults: (faults: readonly DraftFault[]) => void;
  /** Bases the draft on the stored state of now. */
  readonly rebase: () => void;
  /** Ends the draft after it was stored. Changes since the request stay. */
  readonly settle: (sent: Content, next: Pick<Edited<Content>, "base" | "revision">) => void;
  /** Shows the stored state again. */
  readonly discard: () => void;
}

const textOf = (content: object) => JSON.stringify(content, null, 2);

const hasChange = <Content extends object>({ content, fault, base }: Edited<Content>) =>
  fault !== undefined || !isSame(content, base);

/** The draft exists only in the state of the page: it can have a new password. */
export function useDraft<Content extends object>(
  stored: Content,
  revision: string,
  { read, tidy }: DraftFormat<Content>,
): Draft<Content> {
  const [edited, setEdited] = useState<Edited<Content>>();
  const initial: Edited<Content> = {
    content: stored,
    text: textOf(stored),
    fault: undefined,
    faults: [],
    base: stored,
    revision,
  };
  // Without a change, the page follows the stored state.
  const current = (own: Edited<Content> = initial) =>
    hasChange(own) || own.revision === revision ? own : initial;
  const draft = current(edited);
  const isDirty = hasChange(draft);
  const update = (change: (former: Edited<Content>) => Edited<Content>) =>
    setEdited((former) => change(current(former)));

  return {
    ...draft,
    isDirty,
    isStale: isDirty && draft.revision !== revision,
    change: (content) =>
      update((former) => {
        const next = tidy(content);
        const faults = faultsAfter(former.faults, former.content, next);
        return { ...former, content: next, text: textOf(next), fault: undefined, faults };
      }),
    type: (text) =>
      update((former) => {
        if (!read) return former;
        const next = read(text);
        if ("fault" in next) return { ...former, text, fault: next.fault };
        const faults = faultsAfter(former.faults, former.content, next.content);
        return { ...former, text, content: next.content, fault: undefined, faults };
      }),
    setFaults: (faults) => update((former) => ({ ...former, faults })),
    rebase: () => update((former) => ({ ...former, base: stored, revision })),
    settle: (sent, next) =>
      setEdited((former) =>
        former && (former.fault !== undefined || !isSame(former.content, sent))
          ? { ...former, ...next, faults: [] }
          : undefined,
      ),
    discard: () => setEdited(undefined),
  };
}
