import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  RemoveClientRequest,
  RemoveClientResponseSchema,
} from "../../../gen/hermod/workspace/v1/workspace_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import type { Dependencies } from "../dependencies.ts";
import { beginJob } from "../jobs/begin-job.ts";
import { toJob } from "../jobs/to-job.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createRemoval } from "../resource-use.ts";
import { CLIENT_REMOVAL_JOB, type ClientRemovalParams } from "./client-removal-job.ts";

/**
 * Removes a client: at once if it has no domains, else in a job that removes them first.
 * @throws Fault account.unknown, client.unknown, client.not_empty, resource.in_use, resource.stale, job.too_many
 */
export function createRemoveClient({ store }: Pick<Dependencies, "store">) {
  return async (
    request: RemoveClientRequest,
    context: Pick<HandlerContext, "audit">,
  ): Promise<MessageInitShape<typeof RemoveClientResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const { id, ifRevision, withDomains } = request;
    const client = await account.workspaces.findClient(id);
    if (!client) throw fault("client.unknown");
    const { workspaceId, name } = client;
    const removal = createRemoval({ kind: "client", name }, request);
    const basis = { check: removal.check, ifRevision, withDomains };
    const outcome = await account.workspaces.removeClient(id, context.audit, basis);
    if (outcome === null) throw fault("client.unknown");
    if (outcome === "removed") return removal.answer();
    const params: ClientRemovalParams = { workspaceId, clientId: id, total: client.tally.domains + 1 };
    const job = await beginJob(
      account,
      {
        kind: CLIENT_REMOVAL_JOB,
        params: { ...params },
        about: { client: name, domains: String(client.tally.domains) },
        permission: "intel.write",
      },
      context,
    );
    return { ...removal.answer(), job: toJob(job) };
  };
}
