import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ReportAggregatesRequest,
  ReportAggregatesResponseSchema,
} from "../../../gen/hermod/bounce/v1/bounce_service_pb.ts";
import { safeDetail } from "../../message/replies/outcome.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { WatchedDomainDocument } from "../../store/intel-documents.ts";
import type { Dependencies } from "../dependencies.ts";
import { createTakeReports } from "../intel/take-reports.ts";

type Needs = Pick<Dependencies, "store" | "intel" | "clock" | "log" | "onReport">;

/**
 * Watched domain of a report address; undefined: the address belongs to no domain, or the domain is no longer
 * watched.
 */
export type FindReported = (address: string) => Promise<WatchedDomainDocument | undefined>;

/** The signature in the address identifies the domain, and so its account. */
export function createFindReported({ store, intel }: Pick<Needs, "store" | "intel">): FindReported {
  const { watches } = store.acrossAccounts;
  return async (address) => {
    const domainId = intel.reportAddresses?.decode(address);
    return domainId === undefined ? undefined : ((await watches.find(domainId)) ?? undefined);
  };
}

/**
 * Processes aggregate reports that arrive by mail. Unreadable reports are accepted, too, and recorded for the owner
 * of the domain, because reporters do not read the answer.
 */
export function createReportAggregates(needs: Needs, findReported: FindReported) {
  const takeReports = createTakeReports(needs);
  return async ({
    address,
    source,
    mailFrom,
  }: ReportAggregatesRequest): Promise<MessageInitShape<typeof ReportAggregatesResponseSchema>> => {
    const domain = await findReported(address);
    const sender = safeDetail(mailFrom);
    const outcomes =
      domain && (await takeReports({ domain, bytes: source, form: "mail", via: "mail", sender }));
    if (!outcomes) throw fault("return_path.unknown", { public: say("domain_watched_no_more") });
    const count = (outcome: string) => outcomes.filter((one) => one.outcome === outcome).length;
    return { counted: count("counted"), repeated: count("repeated"), refused: count("refused") };
  };
}
