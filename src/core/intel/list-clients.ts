import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ClientFilter as Asked,
  Client,
  ClientSchema,
} from "../../../gen/hermod/workspace/v1/workspace_service_pb.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { ClientFilter } from "../../store/find-clients.ts";
import type { AccountStore } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import { pageOf, pageSizeOf } from "../page.ts";
import { toClient } from "./workspace-to-proto.ts";

export interface ClientList {
  readonly account: AccountStore;
  readonly workspaceId: string;
  readonly filter?: Asked | undefined;
  readonly pageSize: number;
  readonly pageToken: string;
}

const STATUSES: readonly Client["status"][] = ["active", "archived"];

/**
 * Lists one page of the clients of a workspace, by name.
 * @throws Fault request.validation_failed, cursor.invalid
 */
export async function listClients(
  { intel }: Pick<Dependencies, "intel">,
  { account, workspaceId, filter: asked, pageSize, pageToken }: ClientList,
): Promise<{ readonly clients: MessageInitShape<typeof ClientSchema>[]; readonly nextPageToken: string }> {
  const { search = "", status = "", tag = "", externalRef = "" } = asked ?? {};
  if (status !== "" && !STATUSES.includes(status)) {
    const message = say("one_of", { allowed: STATUSES });
    throw validationFault([{ pointer: "/filter/status", code: "field.invalid", message }]);
  }
  const filter: ClientFilter = {
    ...(search !== "" && { search }),
    ...(status !== "" && { status: status as "active" }),
    ...(tag !== "" && { tag }),
    ...(externalRef !== "" && { externalRef }),
  };
  const question = { list: "clients", workspaceId, filter };
  const limit = pageSizeOf(pageSize);
  const after = intel.cursors.read(question, pageToken)?.id;
  const found = await account.workspaces.listClients(workspaceId, filter, { after, limit: limit + 1 });
  const { entries, nextPageToken } = pageOf(found, limit, ({ nameKey: id }) =>
    intel.cursors.write(question, { rank: "", id }),
  );
  return { clients: entries.map(toClient), nextPageToken };
}
