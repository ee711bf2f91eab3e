import { SuppressionService } from "../../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import { defineArea } from "../../rpc/area.ts";
import { changes, LOOKS, reads } from "../../rpc/audits.ts";
import { permitted } from "../../rpc/callers.ts";
import type { Dependencies } from "../dependencies.ts";
import { createAddSuppression, createAddSuppressions } from "./add-suppressions.ts";
import { createExportSuppressions } from "./export-suppressions.ts";
import { createImportSuppressions } from "./import-suppressions.ts";
import { createGetSuppression, createListSuppressions } from "./list-suppressions.ts";
import { createRemoveSuppression, createRemoveSuppressions } from "./remove-suppressions.ts";

/** Addresses that receive nothing of an account. */
export const suppressions = defineArea({
  service: SuppressionService,
  callers: {
    addSuppression: permitted("suppressions.write"),
    removeSuppression: permitted("suppressions.write"),
    listSuppressions: permitted("suppressions.read"),
    getSuppression: permitted("suppressions.read"),
    addSuppressions: permitted("suppressions.write"),
    removeSuppressions: permitted("suppressions.write"),
    importSuppressions: permitted("suppressions.write"),
    exportSuppressions: permitted("suppressions.read"),
  },
  audits: {
    addSuppression: changes("suppression.add", "address"),
    removeSuppression: changes("suppression.remove", "address"),
    listSuppressions: LOOKS,
    getSuppression: LOOKS,
    addSuppressions: changes("suppression.add_many"),
    removeSuppressions: changes("suppression.remove_many"),
    importSuppressions: changes("suppression.import"),
    exportSuppressions: reads("suppression.export"),
  },
  handlers: ({ store, clock }: Pick<Dependencies, "store" | "clock">) => ({
    addSuppression: createAddSuppression({ store, clock }),
    removeSuppression: createRemoveSuppression({ store, clock }),
    listSuppressions: createListSuppressions({ store, clock }),
    getSuppression: createGetSuppression({ store, clock }),
    addSuppressions: createAddSuppressions({ store, clock }),
    removeSuppressions: createRemoveSuppressions({ store, clock }),
    importSuppressions: createImportSuppressions({ store, clock }),
    exportSuppressions: createExportSuppressions({ store, clock }),
  }),
});
