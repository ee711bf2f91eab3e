import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  GetReportInboxRequest,
  GetReportInboxResponseSchema,
  TakenReportSchema,
  UploadReportRequest,
  UploadReportResponseSchema,
} from "../../../gen/hermod/watch/v1/watch_service_pb.ts";
import { MAX_BYTES } from "../../intel/aggregate-reports/unpack.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { Dependencies } from "../dependencies.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createTakeReports, type TakenReport } from "./take-reports.ts";

type Needs = Pick<Dependencies, "store" | "intel" | "clock" | "log" | "onReport">;

const MAX_SHOWN = 50;

/** @throws Fault account.unknown, watched_domain.unknown, request.too_large, service.busy, rate.limited */
export function createUploadReport(needs: Needs) {
  const takeReports = createTakeReports(needs);
  return async (
    request: UploadReportRequest,
  ): Promise<MessageInitShape<typeof UploadReportResponseSchema>> => {
    const account = await resolveAccount(needs.store, request);
    const { content: bytes } = request;
    if (bytes.length > MAX_BYTES)
      throw fault("request.too_large", { public: say("file_octets_most", { max: MAX_BYTES }) });
    const domain = await account.watches.find(request.id);
    const outcomes =
      domain && (await takeReports({ domain, bytes, form: "file", via: "upload", sender: "" }));
    if (!outcomes) throw fault("watched_domain.unknown");
    return { reports: outcomes.map(toTakenReport) };
  };
}

/** @throws Fault account.unknown, watched_domain.unknown */
export function createGetReportInbox({ store, intel }: Needs) {
  return async (
    request: GetReportInboxRequest,
  ): Promise<MessageInitShape<typeof GetReportInboxResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const domain = await account.watches.find(request.id);
    if (!domain) throw fault("watched_domain.unknown");
    const [inbox, latest] = await Promise.all([
      account.aggregateReports.inbox(domain._id),
      account.aggregateReports.latest(domain._id, MAX_SHOWN),
    ]);
    const addresses = intel.reportAddresses?.encode(domain._id);
    const counts = inbox?.counts ?? { dmarc: 0, tls: 0, repeated: 0, refused: 0 };
    return {
      ...counts,
      ...(addresses && { dmarcReportAddress: addresses.dmarc, tlsReportAddress: addresses.tls }),
      ...(inbox && { lastAt: timestampFromDate(inbox.lastAt) }),
      reports: latest.map(({ at, via, kind, ...head }) => ({
        kind,
        outcome: "counted",
        ...toHead(head),
        via,
        at: timestampFromDate(at),
      })),
      refusals: (inbox?.refused ?? []).map(({ at, via, sender, reason }) => ({
        via,
        sender,
        reason,
        at: timestampFromDate(at),
      })),
    };
  };
}

function toTakenReport({
  kind,
  outcome,
  reason,
  head,
}: TakenReport): MessageInitShape<typeof TakenReportSchema> {
  return { kind, outcome, reason, via: "upload", ...(head && toHead(head)) };
}

function toHead({
  orgName,
  reportId,
  begin,
  end,
  policyDomains,
  count,
  leftOut,
}: Omit<NonNullable<TakenReport["head"]>, "key">): MessageInitShape<typeof TakenReportSchema> {
  return {
    orgName,
    reportId,
    policyDomains: [...policyDomains],
    count: BigInt(count),
    leftOut,
    begin: timestampFromDate(begin),
    end: timestampFromDate(end),
  };
}
