import type { MessageInitShape } from "@bufbuild/protobuf";
import { type CheckSchema, CheckService } from "../../../gen/hermod/check/v1/check_service_pb.ts";
import { catalogueEntryOf } from "../../intel/blacklists/check-blacklists.ts";
import { isOpen, type ListChoice } from "../../intel/blacklists/open-lists.ts";
import { type CatalogueEntry, catalogue } from "../../intel/catalogue.ts";
import { blacklistMeaning, checkMeanings } from "../../intel/check-meanings.ts";
import { SCORE_MODEL } from "../../intel/score/score.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { READS } from "../../rpc/audits.ts";
import { permitted } from "../../rpc/callers.ts";
import type { Dependencies } from "../dependencies.ts";

type Check = MessageInitShape<typeof CheckSchema>;

/** Catalogue of the checks of watched domains, equal for all accounts. */
export const checks: Area<Pick<Dependencies, "intel">> = defineArea(CheckService, {
  listChecks: [
    permitted("intel.read"),
    READS,
    ({ intel }) =>
      async () => ({
        scoreModel: SCORE_MODEL,
        checks: [...catalogueChecks(), ...intel.lists.map(blacklistCheck)],
      }),
  ],
});

function catalogueChecks(): Check[] {
  const entries = Object.entries(catalogue) as [keyof typeof catalogue, CatalogueEntry][];
  return entries.map(([id, { category, weight, title, reference, needs }]) => ({
    id,
    category,
    weight,
    title,
    reference,
    meaning: checkMeanings[id],
    ...(needs !== undefined && { needs }),
  }));
}

function blacklistCheck(choice: ListChoice): Check {
  const { list } = choice;
  const { category, weight, title, reference } = catalogueEntryOf(list);
  return {
    id: `bl.${list.id}`,
    category,
    weight,
    title,
    reference,
    meaning: blacklistMeaning(list.name),
    blacklist: list.id,
    enabled: isOpen(choice),
  };
}
