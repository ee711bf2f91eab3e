import { useState } from "react";
import type { PolicyContent } from "../../api/policies.ts";
import { isSame, tidy } from "./content.ts";
import { faultsAfter, type PolicyFault } from "./policy-faults.ts";
import { type JsonFault, readJson } from "./read-json.ts";

interface Edited {
  /** Settings that the form shows: those of the last text that could be read. */
  readonly content: PolicyContent;
  readonly text: string;
  readonly fault: JsonFault | undefined;
  readonly faults: readonly PolicyFault[];
  /** The stored state on which the draft is based, and its revision. */
  readonly base: PolicyContent;
  readonly revision: string;
}

/** The unsaved settings of a policy, as form and as JSON. Each change of one of them changes the other. */
export interface Draft extends Edited {
  readonly isDirty: boolean;
  /** Whether another change was stored since the draft was begun. */
  readonly isStale: boolean;
  /** Changes the settings by the form. */
  readonly change: (content: PolicyContent) => void;
  /** Changes the text. */
  readonly type: (text: string) => void;
  readonly setFaults: (faults: readonly PolicyFault[]) => void;
  /** Bases the draft on the stored state of now. */
  readonly rebase: () => void;
  /** Ends the draft after it was stored. Changes since the request stay. */
  readonly settle: (sent: PolicyContent, next: Pick<Edited, "base" | "revision">) => void;
  /** Shows the stored state again. */
  readonly discard: () => void;
}

const textOf = (content: PolicyContent) => JSON.stringify(content, null, 2);

const hasChange = ({ content, fault, base }: Edited) => fault !== undefined || !isSame(content, base);

/** The draft exists only in the state of the page: it can have a new password. */
export function useDraft(stored: PolicyContent, revision: string): Draft {
  const [edited, setEdited] = useState<Edited>();
  const initial: Edited = {
    content: stored,
    text: textOf(stored),
    fault: undefined,
    faults: [],
    base: stored,
    revision,
  };
  // Without a change, the page follows the stored state.
  const current = (own: Edited = initial) => (hasChange(own) || own.revision === revision ? own : initial);
  const draft = current(edited);
  const isDirty = hasChange(draft);
  const update = (change: (former: Edited) => Edited) => setEdited((former) => change(current(former)));

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
        const read = readJson(text);
        if ("fault" in read) return { ...former, text, fault: read.fault };
        const faults = faultsAfter(former.faults, former.content, read.content);
        return { ...former, text, content: read.content, fault: undefined, faults };
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
