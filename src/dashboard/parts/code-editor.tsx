import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { html, htmlCompletionSource } from "@codemirror/lang-html";
import { json, jsonParseLinter } from "@codemirror/lang-json";
import { bracketMatching } from "@codemirror/language";
import { type Diagnostic, linter, lintGutter, setDiagnostics } from "@codemirror/lint";
import { Annotation, EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useId, useLayoutEffect, useRef } from "react";
import { t } from "../texts/texts.ts";
import { codeColors, codeTheme, tagMarks } from "./code-theme.ts";
import { pageNonce } from "./page-nonce.ts";

/** An error at a place of the text. */
export interface CodeFault {
  /** Counted from 1; 0: the error has no single place. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Suggestions that replace the last `length` characters before the cursor. */
export interface Suggestions {
  readonly length: number;
  readonly words: readonly { readonly label: string; readonly kind: string }[];
}

export interface CodeEditorProps {
  readonly label: string;
  readonly value: string;
  readonly language: "html" | "text" | "json";
  readonly faults?: readonly CodeFault[];
  readonly isReadOnly?: boolean;
  /** @param before text before the cursor, up to 1,000 characters */
  readonly suggest?: (before: string) => Suggestions | undefined;
  readonly onChange: (value: string) => void;
}

/** Characters before the cursor in which a suggestion is searched. */
const BEFORE = 1_000;
const NONE: readonly CodeFault[] = [];
/** Marks a replacement of the text by the page, which is no edit of the user. */
const fromPage = Annotation.define<boolean>();

/** An editor for code. Errors have a mark in their line, and are listed below. Tab leaves the editor. */
export function CodeEditor(props: CodeEditorProps) {
  const { label, value, language, faults = NONE, isReadOnly = false } = props;
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef<EditorView>(undefined);
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    if (!place.current) return;
    const editor = new EditorView({
      parent: place.current,
      doc: latest.current.value,
      extensions: [
        EditorView.cspNonce.of(pageNonce()),
        EditorView.contentAttributes.of({ "aria-label": label, "aria-describedby": id, tabindex: "0" }),
        EditorState.readOnly.of(isReadOnly),
        EditorView.lineWrapping,
        lineNumbers(),
        history(),
        bracketMatching(),
        closeBrackets(),
        keymap.of([...closeBracketsKeymap, ...historyKeymap, ...defaultKeymap]),
        lintGutter(),
        codeTheme,
        codeColors,
        ...extensionsOf(language, (before) => latest.current.suggest?.(before)),
        EditorView.updateListener.of(({ docChanged, transactions, state }) => {
          const isEdit = docChanged && transactions.some((one) => !one.annotation(fromPage));
          if (isEdit) latest.current.onChange(state.doc.toString());
        }),
      ],
    });
    shown.current = editor;
    return () => {
      shown.current = undefined;
      editor.destroy();
    };
  }, [label, language, isReadOnly, id]);

  // Runs before the next key: a later effect would overwrite the text that the user has typed since.
  useLayoutEffect(() => {
    const editor = shown.current;
    const wanted = value.replaceAll(/\r\n?/g, "\n");
    if (!editor || editor.state.doc.toString() === wanted) return;
    editor.dispatch({
      changes: { from: 0, to: editor.state.doc.length, insert: wanted },
      annotations: fromPage.of(true),
    });
  }, [value]);

  useEffect(() => {
    const editor = shown.current;
    if (!editor || language === "json") return;
    editor.dispatch(
      setDiagnostics(
        editor.state,
        faults.map((fault) => diagnosticOf(editor.state, fault)),
      ),
    );
  }, [faults, language]);

  function goTo(fault: CodeFault): void {
    const editor = shown.current;
    if (!editor) return;
    const { from } = diagnosticOf(editor.state, fault);
    editor.dispatch({ selection: { anchor: from }, scrollIntoView: true });
    editor.focus();
  }

  return (
    <div className="code">
      <div ref={place} />
      <ul className="code-faults" id={id} aria-label={t.code.faultsOf(label)} hidden={faults.length === 0}>
        {faults.map((fault) => (
          <li key={`${fault.line} ${fault.column} ${fault.message}`}>
            {fault.line > 0 && (
              <button type="button" className="bare link" onClick={() => goTo(fault)}>
                {t.code.at(fault.line, fault.column)}
              </button>
            )}{" "}
            {fault.message}
          </li>
        ))}
      </ul>
    </div>
  );
}

function extensionsOf(
  language: CodeEditorProps["language"],
  suggest: (before: string) => Suggestions | undefined,
): readonly Extension[] {
  if (language === "json") return [json(), linter(jsonParseLinter())];
  const complete = (context: CompletionContext): CompletionResult | null => {
    const { state, pos } = context;
    const found = suggest(state.sliceDoc(Math.max(0, pos - BEFORE), pos));
    // Both kinds at once would hide the few variables behind all tags of HTML.
    if (!found) return language === "html" ? htmlCompletionSource(context) : null;
    if (found.words.length === 0) return null;
    const options = found.words.map((word) => ({ label: word.label, type: word.kind }));
    return { from: pos - found.length, options };
  };
  return [
    ...(language === "html" ? [html({ autoCloseTags: false })] : []),
    tagMarks,
    autocompletion({ icons: false, override: [complete] }),
  ];
}

function diagnosticOf({ doc }: EditorState, { line, column, message }: CodeFault): Diagnostic {
  if (line === 0) return { from: 0, to: 0, severity: "error", message };
  const { from, to } = doc.line(Math.min(line, doc.lines));
  return { from: Math.min(from + Math.max(0, column - 1), to), to, severity: "error", message };
}
