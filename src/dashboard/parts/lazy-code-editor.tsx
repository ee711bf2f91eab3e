import { Textarea } from "@mantine/core";
import { lazy, Suspense } from "react";
import { t } from "../texts/texts.ts";
import type { CodeEditorProps } from "./code-editor.tsx";
import { PartBoundary } from "./part-boundary.tsx";
import { Pending } from "./state-view.tsx";

const CodeEditor = lazy(async () => ({ default: (await import("./code-editor.tsx")).CodeEditor }));

/** The code editor, loaded on first use. If it cannot be loaded, a plain field replaces it. */
export function LazyCodeEditor(props: CodeEditorProps) {
  const { label, value, faults = [], isReadOnly = false, onChange } = props;
  const plain = (
    <Textarea
      label={label}
      description={t.code.unavailable}
      autosize
      minRows={6}
      maxRows={24}
      value={value}
      readOnly={isReadOnly}
      error={faults.map(({ message }) => message).join(" ") || undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
  return (
    <PartBoundary fallback={plain}>
      <Suspense fallback={<Pending />}>
        <CodeEditor {...props} />
      </Suspense>
    </PartBoundary>
  );
}
