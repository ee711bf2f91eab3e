import type { IntelReport } from "../../../contracts/common/intel-report-schemas.ts";
import type { CheckCategory } from "../catalogue.ts";
import { grades, MIN_COVERAGE, SCORE_MODEL, SHARES } from "../score/score.ts";
import { categoryNames } from "./category-names.ts";

/** The score model in sentences, for readers who want to understand a number. */
export function scoreMethod(): Pick<NonNullable<IntelReport["method"]>, "score_model" | "weights"> {
  const shares = (Object.entries(SHARES) as [CheckCategory, number][])
    .map(([category, share]) => `${categoryNames[category].toLowerCase()} ${share} %`)
    .join(", ");
  const limits = grades.map(([grade, least]) => `${grade} from ${least}`).join(", ");
  return {
    score_model: SCORE_MODEL,
    weights: [
      "A check has a weight of 10, 5, 2 or 0 points. It gives all points if it passes and half of them if it warns. It gives none if it fails or if a check that it needs has failed.",
      `The score is the mean of the categories, weighted: ${shares}. Each category counts its points divided by the weight of its measured checks. A category without measured checks is left out. A category with less than half of its weight measured counts less, in proportion.`,
      "A severe problem caps the score. Each domain lists the caps that apply.",
      `A check that cannot be measured keeps its last result for 48 hours. After that it does not count and lowers the coverage, which is the share of the weight that is measured. Below ${MIN_COVERAGE * 100} % coverage there is no grade, and the score is provisional.`,
      `Grades: ${limits}.`,
    ],
  };
}
