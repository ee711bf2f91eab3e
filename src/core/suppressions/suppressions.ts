import { SuppressionService } from "../../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import { type Area, prepareArea } from "../../rpc/area.ts";
import { changes, READS, reads } from "../../rpc/audits.ts";
import { permitted } from "../../rpc/callers.ts";
import type { Dependencies } from "../dependencies.ts";
import { createAddSuppression, createAddSuppressions } from "./add-suppressions.ts";
import { createExportSuppressions } from "./export-suppressions.ts";
import { createImportSuppressions } from "./import-suppressions.ts";
import { createGetSuppression, createListSuppressions } from "./list-suppressions.ts";
import { createRemoveMatching } from "./remove-matching.ts";
import { createRemoveSuppression, createRemoveSuppressions } from "./remove-suppressions.ts";

type SuppressionNeeds = Pick<Dependencies, "store" | "clock">;

/** Addresses to which an account sends no mail. */
export const suppressions: Area<SuppressionNeeds> = prepareArea(SuppressionService, partsOf, {
  countSuppressions: [permitted("suppressions.read"), READS, (needs) => needs.countSuppressions],
  countSuppressionRemoval: [permitted("suppressions.write"), READS, (needs) => needs.countSuppressionRemoval],
  beginSuppressionRemoval: [
    permitted("suppressions.write"),
    changes("suppression.remove_matching"),
    (needs) => needs.beginSuppressionRemoval,
  ],
  addSuppression: [
    permitted("suppressions.write"),
    changes("suppression.add", "address"),
    createAddSuppression,
  ],
  removeSuppression: [
    permitted("suppressions.write"),
    changes("suppression.remove", "address"),
    createRemoveSuppression,
  ],
  listSuppressions: [permitted("suppressions.read"), READS, createListSuppressions],
  getSuppression: [permitted("suppressions.read"), READS, createGetSuppression],
  addSuppressions: [permitted("suppressions.write"), changes("suppression.add_many"), createAddSuppressions],
  removeSuppressions: [
    permitted("suppressions.write"),
    changes("suppression.remove_many"),
    createRemoveSuppressions,
  ],
  importSuppressions: [
    permitted("suppressions.write"),
    changes("suppression.import"),
    createImportSuppressions,
  ],
  exportSuppressions: [permitted("suppressions.read"), reads("suppression.export"), createExportSuppressions],
});

function partsOf(needs: SuppressionNeeds) {
  return { ...needs, ...createRemoveMatching(needs) };
}
