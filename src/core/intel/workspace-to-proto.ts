import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  ClientSchema,
  WorkspaceResolver,
  WorkspaceSchema,
} from "../../../gen/hermod/workspace/v1/workspace_service_pb.ts";
import { reportLocale } from "../../intel/reports/report-locale.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { ClientDocument, WorkspaceDocument } from "../../store/intel-documents.ts";
import { clientRevision, workspaceRevision } from "../../store/revisions.ts";
import { meanCoverage, meanScore } from "../../store/tally.ts";
import { MAX_DOMAINS } from "../../store/watch-store.ts";
import { MAX_CLIENTS } from "../../store/workspace-store.ts";

/** Resolver that the checks use. */
export type ResolverFacts = Pick<WorkspaceResolver, "kind" | "dnssec">;

export function toWorkspace(
  workspace: WorkspaceDocument,
  resolver: ResolverFacts,
): MessageInitShape<typeof WorkspaceSchema> {
  const { _id: id, name, createdAt, tally, activeClients } = workspace;
  const byStatus = Object.entries(tally.byStatus).filter(([, count]) => count > 0);
  return {
    id,
    name,
    createdAt: timestampFromDate(createdAt),
    resolver,
    planLimits: { clients: MAX_CLIENTS, domains: MAX_DOMAINS },
    counts: {
      clients: activeClients,
      domains: tally.domains,
      listingsOpen: tally.listings,
      domainsByStatus: Object.fromEntries(byStatus),
    },
    ...withoutUndefined({ scoreAvg: meanScore(tally), coverageAvg: meanCoverage(tally) }),
    revision: workspaceRevision(workspace),
  };
}

export function toClient(client: ClientDocument): MessageInitShape<typeof ClientSchema> {
  const { _id: id, workspaceId, name, externalRef, contactEmails, tags, notes, locale, timezone } = client;
  const { status, tally, createdAt, updatedAt } = client;
  return {
    id,
    workspaceId,
    name,
    locale: reportLocale(locale),
    timezone,
    status,
    contactEmails: [...contactEmails],
    tags: [...tags],
    ...withoutUndefined({ externalRef, notes, score: meanScore(tally) }),
    counts: {
      domains: tally.domains,
      critical: tally.byStatus.critical ?? 0,
      warning: tally.byStatus.warning ?? 0,
    },
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
    revision: clientRevision(client),
  };
}
