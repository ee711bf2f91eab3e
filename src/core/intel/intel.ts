import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  AddDomainResponseSchema,
  CreateClientResponseSchema,
  IntelService,
} from "../../../gen/hermod/intel/v1/intel_service_pb.ts";
import { prepareArea } from "../../rpc/area.ts";
import { changes, READS } from "../../rpc/audits.ts";
import { FRONT_ENDS } from "../../rpc/callers.ts";
import type { ClientDocument, WatchedDomainDocument } from "../../store/intel-documents.ts";
import type { Dependencies } from "../dependencies.ts";
import { createGetReport } from "./find-report.ts";
import { createGenerateReport } from "./generate-report.ts";
import { readKeyed } from "./keyed-request.ts";
import { listBlacklistStatus } from "./list-blacklist-status.ts";
import { listClients } from "./list-clients.ts";
import { listDomains } from "./list-domains.ts";
import { createOpenWorkspace } from "./open-workspace.ts";
import { readClient } from "./read-client.ts";
import { readWatch, readWatchedName, subjectKeys } from "./read-watch.ts";
import { toWatchedDomain } from "./watch-to-proto.ts";
import { toClient, toWorkspace } from "./workspace-to-proto.ts";

type Needs = Pick<
  Dependencies,
  "store" | "intel" | "authenticator" | "readRateLimits" | "retention" | "clock" | "log"
>;
/** Deliverability Intel for clients with a key. Each key opens one workspace. */
export const intel = prepareArea(IntelService, partsOf, {
  listWorkspaces: [
    FRONT_ENDS,
    READS,
    ({ needs, open }) =>
      async ({ holder }, context) => {
        const { workspace, rateLimits } = await open(holder, context, "intel.read");
        return { workspaces: [toWorkspace(workspace, needs.intel.resolver())], rateLimits };
      },
  ],
  /** @throws Fault auth.*, workspace.unknown, request.validation_failed, cursor.invalid */
  listClients: [
    FRONT_ENDS,
    READS,
    ({ needs, open }) =>
      async ({ holder, ...request }, context) => {
        const { account, workspace, rateLimits } = await open(holder, context, "intel.read");
        const page = await listClients(needs, { ...request, account, workspaceId: workspace._id });
        return { ...page, rateLimits };
      },
  ],
  /** @throws Fault auth.*, workspace.unknown, request.*, client.*, idempotency.key_reused */
  createClient: [
    FRONT_ENDS,
    changes("client.create"),
    ({ needs, open }) =>
      async (request, context) => {
        const { account, workspace, rateLimits, audit } = await open(request.holder, context, "intel.write");
        const settings = readClient(request.settings);
        const keyed = readKeyed<ClientDocument>(needs, {
          workspaceId: workspace._id,
          operation: "createClient",
          key: request.idempotencyKey,
          asked: settings,
          answerOf: (client) =>
            toBinary(
              CreateClientResponseSchema,
              create(CreateClientResponseSchema, { client: toClient(client) }),
            ),
        });
        const outcome = await account.workspaces.createClient(workspace._id, settings, audit, keyed);
        if ("client" in outcome) return { client: toClient(outcome.client), rateLimits };
        const { client } = fromBinary(CreateClientResponseSchema, outcome.answer);
        return { ...(client && { client }), replayed: true, rateLimits };
      },
  ],
  /** @throws Fault auth.*, workspace.unknown, request.validation_failed, cursor.invalid */
  listDomains: [
    FRONT_ENDS,
    READS,
    ({ needs, open }) =>
      async ({ holder, ...request }, context) => {
        const { account, workspace, rateLimits } = await open(holder, context, "intel.read");
        const page = await listDomains(needs, { ...request, account, workspaceId: workspace._id });
        return { ...page, rateLimits };
      },
  ],
  /** @throws Fault auth.*, workspace.unknown, request.*, client.unknown, client.archived, domain.duplicate, watched_domain.too_many */
  addDomain: [
    FRONT_ENDS,
    changes("watched_domain.add", "name"),
    ({ needs, open }) =>
      async (request, context) => {
        const { account, workspace, rateLimits, audit } = await open(request.holder, context, "intel.write");
        const { allowsPrivate } = needs.intel;
        const named = readWatchedName(request.name, allowsPrivate);
        const settings = readWatch(request.settings, allowsPrivate);
        const { clientId } = request;
        const isHosted = (await account.domains.findNames([named.name])).size > 0;
        const toAnswer = (domain: WatchedDomainDocument) =>
          toWatchedDomain(domain, {
            isHosted,
            pointBefore: null,
            reportAddresses: needs.intel.reportAddresses,
          });
        const keyed = readKeyed<WatchedDomainDocument>(needs, {
          workspaceId: workspace._id,
          operation: "addDomain",
          key: request.idempotencyKey,
          asked: { clientId, name: named.name, ...settings },
          answerOf: (domain) =>
            toBinary(AddDomainResponseSchema, create(AddDomainResponseSchema, { domain: toAnswer(domain) })),
        });
        const subjects = subjectKeys(named.name, settings.sendingIps);
        const watch = { ...named, ...settings, clientId, workspaceId: workspace._id, subjects };
        const outcome = await account.watches.add(watch, audit, keyed);
        if ("domain" in outcome) return { domain: toAnswer(outcome.domain), rateLimits };
        const { domain } = fromBinary(AddDomainResponseSchema, outcome.answer);
        return { ...(domain && { domain }), replayed: true, rateLimits };
      },
  ],
  /** @throws Fault auth.*, workspace.unknown, request.validation_failed, cursor.invalid, subject.not_monitored, *.unknown */
  listBlacklistStatus: [
    FRONT_ENDS,
    READS,
    ({ needs, open }) =>
      async ({ holder, ...request }, context) => {
        const { account, workspace, rateLimits } = await open(holder, context, "intel.read");
        const page = await listBlacklistStatus(needs, { ...request, account, workspaceId: workspace._id });
        return { ...page, rateLimits };
      },
  ],
  generateReport: [
    FRONT_ENDS,
    changes("report.generate"),
    (opening) => createGenerateReport(opening.needs, opening.open),
  ],
  getReport: [FRONT_ENDS, READS, (opening) => createGetReport(opening.open)],
});

function partsOf(needs: Needs) {
  return { needs, open: createOpenWorkspace(needs) };
}
