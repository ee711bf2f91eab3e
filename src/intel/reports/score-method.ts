import type { IntelReport } from "../../../contracts/common/intel-report-schemas.ts";
import type { CheckCategory } from "../catalogue.ts";
import { grades, MIN_COVERAGE, SCORE_MODEL, SHARES } from "../score/score.ts";
import { categoryNames } from "./category-names.ts";

/** The score model in sentences, for who wants to know what a number means. */
export function scoreMethod(): Pick<NonNullable<IntelReport["method"]>, "score_model" | "weights"> {
  const shares = (Object.entries(SHARES) as [CheckCategory, number][])
    .map(([category, share]) => `${categoryNames[category].toLowerCase()} ${share} %`)
    .join(", ");
  const limits = grades.map(([grade, least]) => `${grade} from ${least}`).join(", ");
  return {
    score_model: SCORE_MODEL,
    weights: [
      "A check weighs 10, 5, 2 or 0 points. It gives all of them where it passes, half of them where it warns, and none where it fails or a check that it needs has failed.",
      `The score is the mean of the categories, each its points out of the weight of its measured checks: ${shares}. A category of which nothing is measured is left out, and one of which less than half of the weight is measured counts less, in proportion.`,
      "A fault so grave that nothing else makes up for it caps the score; the domains say which caps apply.",
      `What cannot be measured counts as it was for 48 hours, then not at all, and lowers the coverage: the share of the weight that is measured. Below ${MIN_COVERAGE * 100} % there is no grade, and the score is provisional.`,
      `Grades: ${limits}.`,
    ],
  };
}
