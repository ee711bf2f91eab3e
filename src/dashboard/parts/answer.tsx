import type { ReactNode } from "react";
import { type Tone, ToneIcon } from "./icons.tsx";

interface AnswerProps {
  readonly tone: Tone;
  /** `alert`: shown after an action of the user. */
  readonly role?: "alert";
  readonly children: ReactNode;
}

/** The main message of a page: an icon with one or two sentences. */
export function Answer({ tone, role, children }: AnswerProps) {
  return (
    <div className={`answer ${tone}`} role={role}>
      <ToneIcon tone={tone} />
      <div>{children}</div>
    </div>
  );
}
