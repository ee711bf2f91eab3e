import { catalogueEntryOf } from "../blacklists/check-blacklists.ts";
import { type CatalogueEntry, type CheckCategory, type CheckId, catalogue } from "../catalogue.ts";
import type { ReportList } from "./report-inputs.ts";

export interface CheckTitle {
  readonly title: string;
  readonly reference: string;
  readonly category: CheckCategory;
}

/** What ought to be so, by the check that looks for it. */
export type TitleOf = (id: CheckId) => CheckTitle;

/** Of the catalogue and of these lists; a list that is not among them any more goes by its id. */
export function createTitleOf(lists: readonly ReportList[]): TitleOf {
  const entries = new Map<string, CatalogueEntry>([
    ...Object.entries(catalogue),
    ...lists.map(({ list }) => [`bl.${list.id}`, catalogueEntryOf(list)] as const),
  ]);
  return (id) => {
    const { title, reference, category } = entries.get(id) ?? {
      title: `${id.replace(/^bl\./, "")} has no entry`,
      reference: "RFC 5782",
      category: "reputation",
    };
    return { title, reference, category };
  };
}
