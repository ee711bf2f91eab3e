import { SuppressionService } from "../../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { changes, LOOKS, reads } from "../../rpc/audits.ts";
import { permitted } from "../../rpc/callers.ts";
import type { Dependencies } from "../dependencies.ts";
import { createAddSuppression, createAddSuppressions } from "./add-suppressions.ts";
import { createExportSuppressions } from "./export-suppressions.ts";
import { createImportSuppressions } from "./import-suppressions.ts";
import { createGetSuppression, createListSuppressions } from "./list-suppressions.ts";
import { createRemoveSuppression, createRemoveSuppressions } from "./remove-suppressions.ts";

/** Addresses that receive nothing of an account. */
export const suppressions: Area<Pick<Dependencies, "store" | "clock">> = defineArea(SuppressionService, {
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
  listSuppressions: [permitted("suppressions.read"), LOOKS, createListSuppressions],
  getSuppression: [permitted("suppressions.read"), LOOKS, createGetSuppression],
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
