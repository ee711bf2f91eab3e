import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { type PreviewBody, textPreviewQuery } from "../../api/templates.ts";
import { StateView } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";
import { Conflict } from "./conflict.tsx";
import { DataCard } from "./data-card.tsx";
import { bodyOf } from "./draft-text.ts";
import { PreviewView } from "./preview-view.tsx";
import { pathsIn } from "./suggest-liquid.ts";
import { TextEditor } from "./text-editor.tsx";
import type { Draft } from "./use-draft.ts";
import type { TestData } from "./use-test-data.ts";
import { VariablesCard } from "./variables-card.tsx";

const TYPING_MS = 400;

interface EditProps {
  readonly draft: Draft;
  readonly data: TestData;
}

/** The text of a template, its variables and test data, and a preview that follows each edit. */
export function Edit({ draft, data }: EditProps) {
  const { text, theirs } = draft;
  const typed: PreviewBody = useMemo(() => ({ ...bodyOf(text), data: data.data }), [text, data.data]);
  const [body] = useDebouncedValue(typed, TYPING_MS);
  const preview = useQuery(textPreviewQuery(body));
  const faults = preview.data?.faults;
  const undeclared = preview.data?.undeclared_variables;
  const names = useMemo(
    () => [
      ...new Set([...text.variables.map(({ name }) => name), ...pathsIn(data.data), ...(undeclared ?? [])]),
    ],
    [text.variables, data.data, undeclared],
  );
  return (
    <>
      {theirs && <Conflict draft={draft} theirs={theirs} />}
      <div className="halves">
        <div className="stack">
          <TextEditor draft={draft} faults={faults} variables={names} />
          <VariablesCard
            rows={text.variables}
            faults={faults}
            undeclared={undeclared}
            unused={preview.data?.unused_variables}
            onChange={(variables) => draft.change({ variables })}
          />
          <DataCard draft={draft} data={data} />
        </div>
        <section className="card following" aria-labelledby="preview">
          <header>
            <h2 id="preview">{t.templates.preview}</h2>
            {(preview.isPlaceholderData || body !== typed) && (
              <span className="faint">{t.templates.previewStale}</span>
            )}
          </header>
          <div className="body stack">
            <StateView query={preview}>{(shown) => <PreviewView preview={shown} />}</StateView>
          </div>
        </section>
      </div>
    </>
  );
}
