import { type Tone, ToneIcon } from "./icons.tsx";

/** A state as icon and word. Its color has the same meaning. */
export function StateBadge({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return (
    <span className={`state ${tone}`}>
      <ToneIcon tone={tone} />
      {children}
    </span>
  );
}
