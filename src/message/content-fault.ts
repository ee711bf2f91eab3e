/** Why a piece of content is refused: a stable code for programs and a sentence for people. */
export interface ContentFault<Code extends string = string> {
  readonly code: Code;
  readonly message: string;
}
