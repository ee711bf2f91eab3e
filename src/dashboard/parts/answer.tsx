import type { ReactNode } from "react";
import { type Tone, ToneIcon } from "./icons.tsx";

interface AnswerProps {
  readonly tone: Tone;
  /** `alert`: it appears after something that the user did. */
  readonly role?: "alert";
  readonly children: ReactNode;
}

/** What a page says first: an icon, and a sentence or two beside it. */
export function Answer({ tone, role, children }: AnswerProps) {
  return (
    <div className={`answer ${tone}`} role={role}>
      <ToneIcon tone={tone} />
      <div>{children}</div>
    </div>
  );
}
