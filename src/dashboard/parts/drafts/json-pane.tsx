import { Textarea } from "@mantine/core";
import { useRef } from "react";
import { t } from "../../texts/texts.ts";
import { lineOf, placeOf } from "./json-places.ts";
import type { JsonFault } from "./json-shape.ts";
import type { Draft } from "./use-draft.ts";

const ROWS = 28;

interface JsonPaneProps {
  readonly draft: Pick<Draft<object>, "text" | "fault" | "faults" | "type">;
  /** Description of the text. */
  readonly detail: string;
  readonly isReadOnly: boolean;
}

/** Settings as JSON, with the errors of the server by their JSON pointers. */
export function JsonPane({ draft, detail, isReadOnly }: JsonPaneProps) {
  const { text, fault, faults, type } = draft;
  const area = useRef<HTMLTextAreaElement>(null);

  /** Moves the cursor to the part at a pointer. */
  function show(pointer: string): void {
    const shown = area.current;
    if (!shown) return;
    const place = placeOf(text, pointer);
    shown.focus();
    shown.setSelectionRange(place, place);
    const lines = text.split("\n").length;
    shown.scrollTop = (shown.scrollHeight * Math.max(0, lineOf(text, place) - 5)) / lines;
  }

  return (
    <section className="card json" aria-label={t.drafts.json}>
      <header>
        <h2>{t.drafts.json}</h2>
      </header>
      <div className="body stack">
        <Textarea
          ref={area}
          aria-label={t.drafts.json}
          description={detail}
          rows={ROWS}
          resize="vertical"
          classNames={{ input: "mono" }}
          spellCheck={false}
          autoComplete="off"
          readOnly={isReadOnly}
          error={fault && faultText(fault)}
          value={text}
          onChange={({ currentTarget: { value } }) => type(value)}
        />
        {faults.length > 0 && (
          <ul className="plain" aria-label={t.drafts.jsonFaults}>
            {faults.map(({ pointer, text: words }) => (
              <li key={`${pointer} ${words}`} className="fault">
                <button type="button" className="bare pointer mono" onClick={() => show(pointer)}>
                  {pointer || "/"}, {t.drafts.line(lineOf(text, placeOf(text, pointer)))}
                </button>{" "}
                {words}
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

const faultText = (fault: JsonFault) =>
  fault.kind === "syntax" ? t.drafts.jsonSyntax(fault.message) : t.drafts.jsonShape(fault.pointer);
