import { TextInput } from "@mantine/core";
import { useMemo, useState } from "react";
import type { TemplateFault } from "../../api/templates.ts";
import { LazyCodeEditor } from "../../parts/lazy-code-editor.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { type TextPart, textParts } from "./draft-text.ts";
import { suggestLiquid } from "./suggest-liquid.ts";
import type { Draft } from "./use-draft.ts";

const NO_FAULTS: readonly TemplateFault[] = [];

interface TextEditorProps {
  readonly draft: Draft;
  /** Faults of the text, as far as the server knows them; undefined: none yet. */
  readonly faults: readonly TemplateFault[] | undefined;
  /** Variables to suggest. */
  readonly variables: readonly string[];
}

/** Sender, subject, HTML and text of a template. */
export function TextEditor({ draft, faults = NO_FAULTS, variables }: TextEditorProps) {
  const { text, change } = draft;
  const may = useMay();
  const isFixed = !may("templates.write");
  const [shown, setShown] = useState<TextPart>(text.html === "" && text.text !== "" ? "text" : "html");
  const faultsOf = useMemo((): Readonly<Record<TextPart, readonly TemplateFault[]>> => {
    const at = (part: TextPart) => faults.filter(({ pointer }) => pointer === `/${part}`);
    return { subject: at("subject"), html: at("html"), text: at("text") };
  }, [faults]);
  const fromFault = faults.find(({ pointer }) => pointer === "/from");
  return (
    <section className="card" aria-labelledby="text">
      <header>
        <h2 id="text">{t.templates.text}</h2>
      </header>
      <div className="body stack">
        <TextInput
          label={t.templates.from}
          description={t.templates.fromDetail}
          value={text.from}
          error={fromFault?.message}
          readOnly={isFixed}
          onChange={(event) => change({ from: event.currentTarget.value })}
        />
        <fieldset className="tabs" aria-label={t.templates.text}>
          {textParts.map((part) => (
            <button key={part} type="button" aria-pressed={part === shown} onClick={() => setShown(part)}>
              {labelOf(part, faultsOf[part].length)}
            </button>
          ))}
        </fieldset>
        {textParts.map((part) => (
          <div key={part} hidden={part !== shown}>
            <LazyCodeEditor
              label={t.templates.parts[part]}
              language={part === "html" ? "html" : "text"}
              value={text[part]}
              faults={faultsOf[part]}
              suggest={(before) => suggestLiquid(before, variables)}
              isReadOnly={isFixed}
              onChange={(value) => {
                const changes: Partial<Record<TextPart, string>> = { [part]: value };
                change(changes);
              }}
            />
          </div>
        ))}
        <p className="faint tight">{t.templates.help}</p>
      </div>
    </section>
  );
}

function labelOf(part: TextPart, faults: number): string {
  const name = t.templates.parts[part];
  return faults === 0 ? name : t.templates.withFaults(name, faults);
}
