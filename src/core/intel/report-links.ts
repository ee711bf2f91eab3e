import type { MessageInitShape } from "@bufbuild/protobuf";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type {
  CreateReportLinkRequest,
  CreateReportLinkResponseSchema,
  ListReportLinksRequest,
  ListReportLinksResponseSchema,
  OpenReportLinkRequest,
  OpenReportLinkResponseSchema,
  RevokeReportLinkRequest,
  RevokeReportLinkResponseSchema,
} from "../../../gen/hermod/report/v1/report_service_pb.ts";
import { createReportLinkTokens } from "../../message/report-link-token.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { newId } from "../../shared/ids.ts";
import type { Store } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import { createFieldFaults } from "../field-faults.ts";
import { pageOf, pageSizeOf } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createSecretOpener } from "../secret-opener.ts";
import { headOf } from "./find-report.ts";
import type { ReportFiles } from "./report-files.ts";
import { stateOf, toReportLink } from "./report-to-proto.ts";
import { resolveWorkspace } from "./resolve-workspace.ts";

type Needs = Pick<Dependencies, "store" | "intel" | "installation" | "clock">;

const DAY_MS = 24 * 3_600_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 90;
const MAX_NOTE = 200;
/** A reader opens the report and its PDF, and reloads by hand. */
const OPENS_PER_MINUTE = 30;

const createTokenOpener = (store: Pick<Store, "secrets">) =>
  createSecretOpener(store, "report-link", createReportLinkTokens);

/** @throws Fault account.unknown, report.unknown, report.too_many_links, request.validation_failed */
export function createReportLink({ store, installation, clock }: Needs) {
  const openTokens = createTokenOpener(store);
  return async (
    request: CreateReportLinkRequest,
    { audit }: Pick<HandlerContext, "audit">,
  ): Promise<MessageInitShape<typeof CreateReportLinkResponseSchema>> => {
    const { days, note } = readLink(request);
    const account = await resolveAccount(store, request);
    const tokens = await openTokens();
    const now = clock.now();
    const link = await account.reportLinks.add(
      {
        _id: newId("rpl", now),
        reportId: request.id,
        endsAt: new Date(now.getTime() + days * DAY_MS),
        ...(note !== "" && { note }),
      },
      audit,
    );
    if (!link) throw fault("report.unknown");
    const token = tokens.encode({ accountId: account.id, linkId: link._id });
    const baseUrl = installation.baseUrl();
    const url = baseUrl === undefined ? "" : `${baseUrl}/report/${token}`;
    return { link: toReportLink(link, now), token, url };
  };
}

/** @throws Fault request.validation_failed */
function readLink({ expiresInDays: days = DEFAULT_DAYS, note: given }: CreateReportLinkRequest) {
  const faults = createFieldFaults();
  if (days < 1 || days > MAX_DAYS) {
    const message = say("field_from_1", { field: "expires_in_days", max: MAX_DAYS });
    faults.add("/expires_in_days", "field.invalid", message);
  }
  const note = given.trim();
  if ([...note].length > MAX_NOTE || /\p{Cc}/u.test(note)) {
    const message = say("up_characters_no_control_character", { max: MAX_NOTE });
    faults.add("/note", "field.invalid", message);
  }
  if (faults.found.length > 0) throw validationFault(faults.found);
  return { days, note };
}

/** @throws Fault account.unknown, workspace.unknown, report.unknown, request.validation_failed, cursor.invalid */
export function createListReportLinks(needs: Needs) {
  const { store, intel, clock } = needs;
  return async (
    request: ListReportLinksRequest,
    { audit }: Pick<HandlerContext, "audit">,
  ): Promise<MessageInitShape<typeof ListReportLinksResponseSchema>> => {
    const { reportId } = request;
    const { account, workspaceId } =
      reportId === ""
        ? await resolveWorkspace(needs, request, audit)
        : { account: await resolveAccount(store, request), workspaceId: "" };
    if (reportId !== "" && !(await account.reports.find(reportId))) throw fault("report.unknown");
    const question = { list: "report links", workspaceId, reportId };
    const limit = pageSizeOf(request.pageSize);
    const page = { after: intel.cursors.read(question, request.pageToken)?.id, limit: limit + 1 };
    const found =
      reportId === ""
        ? await account.reportLinks.listOfWorkspace(workspaceId, page)
        : await account.reportLinks.listOfReport(reportId, page);
    const { entries, nextPageToken } = pageOf(found, limit, ({ _id: id }) =>
      intel.cursors.write(question, { rank: "", id }),
    );
    return { links: entries.map((link) => toReportLink(link, clock.now())), nextPageToken };
  };
}

/** @throws Fault account.unknown, report_link.unknown */
export function createRevokeReportLink({ store, clock }: Needs) {
  return async (
    request: RevokeReportLinkRequest,
    { audit }: Pick<HandlerContext, "audit">,
  ): Promise<MessageInitShape<typeof RevokeReportLinkResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const link = await account.reportLinks.revoke(request.id, audit);
    if (!link) throw fault("report_link.unknown");
    return { link: toReportLink(link, clock.now()) };
  };
}

/**
 * Returns the report of a link. A token that Hermod has not created is refused before anything is read or counted.
 * @throws Fault report.link_invalid, rate.limited, report.over_limit, service.busy
 */
export function createOpenReportLink({ store, clock }: Needs, files: ReportFiles) {
  const openTokens = createTokenOpener(store);
  // Entries expire after a minute. Tokens that Hermod has not created add none.
  const opens = new RateLimiterMemory({ points: OPENS_PER_MINUTE, duration: 60 });

  return async ({
    token,
    format: asked,
    counts,
  }: OpenReportLinkRequest): Promise<MessageInitShape<typeof OpenReportLinkResponseSchema>> => {
    const key = (await openTokens()).decode(token);
    if (!key) throw fault("report.link_invalid");
    await countOpen(opens, key.linkId);
    const account = store.forAccount(key.accountId);
    const link = await account.reportLinks.find(key.linkId);
    if (!link || stateOf(link, clock.now()) !== "active") throw fault("report.link_invalid");
    const report = await account.reports.find(link.reportId);
    if (!report) throw fault("report.link_invalid");
    const format = asked === "pdf" ? "pdf" : "html";
    const paper = report.form === "pdf-letter" ? "letter" : "a4";
    const content = await files.find(account, report, { format, paper });
    const { fileName } = headOf({ ...report, form: format });
    if (!content) return { fileName, pending: true };
    if (counts)
      await account.reportLinks.count(link._id, format === "pdf" ? "downloads" : "opens", clock.now());
    return { fileName, content };
  };
}

/** @throws Fault rate.limited */
async function countOpen(opens: RateLimiterMemory, linkId: string): Promise<void> {
  try {
    await opens.consume(linkId);
  } catch (rejected) {
    if (!(rejected instanceof RateLimiterRes)) throw rejected;
    const retryAfterSeconds = Math.max(1, Math.ceil(rejected.msBeforeNext / 1000));
    const text = say("link_reads", { max: OPENS_PER_MINUTE, seconds: retryAfterSeconds });
    throw fault("rate.limited", { public: text, retryAfterSeconds });
  }
}
