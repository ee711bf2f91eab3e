import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import {
  type AddDomainRequest,
  AddDomainResponseSchema,
  type CreateClientRequest,
  CreateClientResponseSchema,
  IntelService,
  type ListBlacklistStatusRequest,
  type ListBlacklistStatusResponseSchema,
  type ListClientsRequest,
  type ListClientsResponseSchema,
  type ListDomainsRequest,
  type ListDomainsResponseSchema,
  type ListWorkspacesRequest,
  type ListWorkspacesResponseSchema,
} from "../../../gen/hermod/intel/v1/intel_service_pb.ts";
import { defineArea } from "../../rpc/area.ts";
import { changes, LOOKS } from "../../rpc/audits.ts";
import { FRONT_ENDS, type HandlerContext } from "../../rpc/callers.ts";
import type { ClientDocument, WatchedDomainDocument } from "../../store/intel-documents.ts";
import type { Dependencies } from "../dependencies.ts";
import { createGetReport } from "./find-report.ts";
import { createGenerateReport } from "./generate-report.ts";
import { readKeyed } from "./keyed-request.ts";
import { listBlacklistStatus } from "./list-blacklist-status.ts";
import { listClients } from "./list-clients.ts";
import { listDomains } from "./list-domains.ts";
import { createOpenWorkspace, type OpenWorkspace } from "./open-workspace.ts";
import { readClient } from "./read-client.ts";
import { readWatch, readWatchedName, subjectKeys } from "./read-watch.ts";
import { toWatchedDomain } from "./watch-to-proto.ts";
import { toClient, toWorkspace } from "./workspace-to-proto.ts";

type Needs = Pick<
  Dependencies,
  "store" | "intel" | "authenticator" | "readRateLimits" | "retention" | "clock" | "log"
>;
interface Opening {
  readonly needs: Needs;
  readonly open: OpenWorkspace;
}

/** Deliverability Intel for the holders of keys: each key opens one workspace. */
export const intel = defineArea({
  service: IntelService,
  callers: {
    listWorkspaces: FRONT_ENDS,
    listClients: FRONT_ENDS,
    createClient: FRONT_ENDS,
    listDomains: FRONT_ENDS,
    addDomain: FRONT_ENDS,
    listBlacklistStatus: FRONT_ENDS,
    generateReport: FRONT_ENDS,
    getReport: FRONT_ENDS,
  },
  audits: {
    listWorkspaces: LOOKS,
    listClients: LOOKS,
    createClient: changes("client.create"),
    listDomains: LOOKS,
    addDomain: changes("watched_domain.add", "name"),
    listBlacklistStatus: LOOKS,
    generateReport: changes("report.generate"),
    getReport: LOOKS,
  },
  handlers: (needs: Needs) => {
    const opening = { needs, open: createOpenWorkspace(needs) };
    return {
      listWorkspaces: createListWorkspaces(opening),
      listClients: createListClients(opening),
      createClient: createCreateClient(opening),
      listDomains: createListDomains(opening),
      addDomain: createAddDomain(opening),
      listBlacklistStatus: createListBlacklistStatus(opening),
      generateReport: createGenerateReport(needs, opening.open),
      getReport: createGetReport(opening.open),
    };
  },
});

function createListWorkspaces({ needs, open }: Opening) {
  return async (
    { holder }: ListWorkspacesRequest,
    context: HandlerContext,
  ): Promise<MessageInitShape<typeof ListWorkspacesResponseSchema>> => {
    const { workspace, rateLimits } = await open(holder, context, "intel.read");
    return { workspaces: [toWorkspace(workspace, needs.intel.resolver())], rateLimits };
  };
}

/** @throws Fault auth.*, workspace.unknown, request.validation_failed, cursor.invalid */
function createListClients({ needs, open }: Opening) {
  return async (
    { holder, ...request }: ListClientsRequest,
    context: HandlerContext,
  ): Promise<MessageInitShape<typeof ListClientsResponseSchema>> => {
    const { account, workspace, rateLimits } = await open(holder, context, "intel.read");
    const page = await listClients(needs, { ...request, account, workspaceId: workspace._id });
    return { ...page, rateLimits };
  };
}

/** @throws Fault auth.*, workspace.unknown, request.*, client.*, idempotency.key_reused */
function createCreateClient({ needs, open }: Opening) {
  return async (
    request: CreateClientRequest,
    context: HandlerContext,
  ): Promise<MessageInitShape<typeof CreateClientResponseSchema>> => {
    const { account, workspace, rateLimits, audit } = await open(request.holder, context, "intel.write");
    const settings = readClient(request.settings);
    const keyed = readKeyed<ClientDocument>(needs, {
      ...{ workspaceId: workspace._id, operation: "createClient", key: request.idempotencyKey },
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
  };
}

/** @throws Fault auth.*, workspace.unknown, request.validation_failed, cursor.invalid */
function createListDomains({ needs, open }: Opening) {
  return async (
    { holder, ...request }: ListDomainsRequest,
    context: HandlerContext,
  ): Promise<MessageInitShape<typeof ListDomainsResponseSchema>> => {
    const { account, workspace, rateLimits } = await open(holder, context, "intel.read");
    const page = await listDomains(needs, { ...request, account, workspaceId: workspace._id });
    return { ...page, rateLimits };
  };
}

/** @throws Fault auth.*, workspace.unknown, request.*, client.unknown, client.archived, domain.duplicate, watched_domain.too_many */
function createAddDomain({ needs, open }: Opening) {
  return async (
    request: AddDomainRequest,
    context: HandlerContext,
  ): Promise<MessageInitShape<typeof AddDomainResponseSchema>> => {
    const { account, workspace, rateLimits, audit } = await open(request.holder, context, "intel.write");
    const { allowsPrivate } = needs.intel;
    const named = readWatchedName(request.name, allowsPrivate);
    const settings = readWatch(request.settings, allowsPrivate);
    const { clientId } = request;
    const isHosted = (await account.domains.findNames([named.name])).size > 0;
    const toAnswer = (domain: WatchedDomainDocument) =>
      toWatchedDomain(domain, { isHosted, pointBefore: null, reportAddresses: needs.intel.reportAddresses });
    const keyed = readKeyed<WatchedDomainDocument>(needs, {
      ...{ workspaceId: workspace._id, operation: "addDomain", key: request.idempotencyKey },
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
  };
}

/** @throws Fault auth.*, workspace.unknown, request.validation_failed, cursor.invalid, subject.not_monitored, *.unknown */
function createListBlacklistStatus({ needs, open }: Opening) {
  return async (
    { holder, ...request }: ListBlacklistStatusRequest,
    context: HandlerContext,
  ): Promise<MessageInitShape<typeof ListBlacklistStatusResponseSchema>> => {
    const { account, workspace, rateLimits } = await open(holder, context, "intel.read");
    const page = await listBlacklistStatus(needs, { ...request, account, workspaceId: workspace._id });
    return { ...page, rateLimits };
  };
}
