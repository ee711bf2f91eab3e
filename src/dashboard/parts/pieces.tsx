import type { Piece } from "./compare-values.ts";

interface PiecesProps {
  readonly pieces: readonly Piece[];
  /** `lacking`: the other value lacks the marked pieces and needs them; `extra`: it has no place for them. */
  readonly tone: "lacking" | "extra";
}

/** One side of two compared values, with its differences marked. */
export function Pieces({ pieces, tone }: PiecesProps) {
  return pieces.map(({ text, isMarked }, index) =>
    isMarked ? (
      <mark key={index} className={tone}>
        {text}
      </mark>
    ) : (
      <span key={index}>{text}</span>
    ),
  );
}
