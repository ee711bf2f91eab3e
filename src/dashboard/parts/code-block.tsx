import { CopyAction } from "./copy-action.tsx";

/** Text of several lines that is copied as a whole, with its button. */
export function CodeBlock({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div>
      {/* Scrollable by keyboard. */}
      <section className="smtp" aria-label={label} tabIndex={0}>
        {text}
      </section>
      <CopyAction value={text} label={label} size="xs" mt="xs" />
    </div>
  );
}
