import { catalogueEntryOf } from "../blacklists/check-blacklists.ts";
import { type CatalogueEntry, type CheckCategory, type CheckId, catalogue } from "../catalogue.ts";
import type { ReportList } from "./report-inputs.ts";

export interface CheckTitle {
  readonly title: string;
  readonly reference: string;
  readonly category: CheckCategory;
}

/** Title of a check, which describes the expected state. */
export type TitleOf = (id: CheckId) => CheckTitle;

/** Titles of the catalogue and of these lists. A list that no longer exists is named by its id. */
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
