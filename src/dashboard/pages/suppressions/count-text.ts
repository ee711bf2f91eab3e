import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";

interface Counted {
  readonly count: number;
  readonly has_more: boolean;
}

/** A number of entries, as `1,203`, or as `10,000+` if the server stops counting. */
export function countText({ count, has_more }: Counted): string {
  const text = numberText(count);
  return has_more ? t.suppressions.moreThan(text) : text;
}

/** Sum of several numbers. */
export const sumText = (counted: readonly Counted[]): string =>
  countText({
    count: counted.reduce((sum, { count }) => sum + count, 0),
    has_more: counted.some(({ has_more }) => has_more),
  });
