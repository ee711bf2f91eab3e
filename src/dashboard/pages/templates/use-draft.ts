import { useEffect, useMemo, useRef, useState } from "react";
import type { Template } from "../../api/templates.ts";
import { type DraftText, isSame, textOf } from "./draft-text.ts";

/** The edited text of a template, and the stored template on which it is based. */
export interface Draft {
  readonly base: Template;
  readonly text: DraftText;
  readonly isDirty: boolean;
  /** The template with the text that another client has stored; undefined: the text is based on the latest one. */
  readonly theirs: Template | undefined;
  change(changes: Partial<DraftText>): void;
  /** Replaces the edited text by that of a stored template. */
  adopt(stored: Template): void;
  /** Continues on a stored template after `sent` was saved. Text typed since then stays. */
  settle(stored: Template, sent: DraftText): void;
  /** Continues on a stored template with the edited text. */
  rebase(stored: Template): void;
}

/** @param newest the template as it was last loaded */
export function useDraft(newest: Template): Draft {
  const [base, setBase] = useState(newest);
  const [text, setText] = useState(() => textOf(newest.content));
  const [theirs, setTheirs] = useState<Template>();
  const isDirty = useMemo(() => !isSame(text, textOf(base.content)), [text, base]);
  const latest = useRef({ base, text, isDirty });
  latest.current = { base, text, isDirty };

  function rebase(stored: Template): void {
    setBase(stored);
    setTheirs(undefined);
  }

  // Another client may have changed the template since it was loaded.
  useEffect(() => {
    const own = latest.current;
    if (newest.revision === own.base.revision) return;
    const stored = textOf(newest.content);
    // The edited text is stored if only the response of a save was lost.
    const isOtherText = !isSame(stored, textOf(own.base.content)) && !isSame(stored, own.text);
    if (own.isDirty && isOtherText) {
      setTheirs(newest);
      return;
    }
    setBase(newest);
    setTheirs(undefined);
    if (!own.isDirty) setText(stored);
  }, [newest]);

  return {
    base,
    text,
    isDirty,
    theirs,
    change: (changes) => setText((former) => ({ ...former, ...changes })),
    adopt: (stored) => {
      rebase(stored);
      setText(textOf(stored.content));
    },
    settle: (stored, sent) => {
      rebase(stored);
      setText((current) => (isSame(current, sent) ? textOf(stored.content) : current));
    },
    rebase,
  };
}
