import type { MessageInitShape } from "@bufbuild/protobuf";
import type { IncidentSchema } from "../../../gen/hermod/incident/v1/incident_service_pb.ts";
import type { Incident } from "../../alerts/incident.ts";
import type { AccountStore, Store } from "../../store/store.ts";
import type { AlertEngine } from "./alert-engine.ts";
import { toIncident } from "./incident-to-proto.ts";

export interface ShowNeeds {
  readonly store: Pick<Store, "users">;
  readonly alertEngine: Pick<AlertEngine, "ruleSets">;
}

/** Incidents in answers to members, with four queries for any number of them. */
export async function showIncidents(
  { store, alertEngine: { ruleSets } }: ShowNeeds,
  account: Pick<AccountStore, "alertRules" | "members">,
  incidents: readonly Incident[],
): Promise<MessageInitShape<typeof IncidentSchema>[]> {
  if (incidents.length === 0) return [];
  await ruleSets.learn(account.alertRules, incidents);
  const assignees = [...new Set(incidents.flatMap(({ assignee }) => assignee ?? []))];
  // A user who has left the account works on nothing there.
  const members = await account.members.findAmong(assignees);
  const users = members.length === 0 ? [] : await store.users.findByIds(members.map(({ userId }) => userId));
  const emails = new Map(users.map(({ _id, email }) => [_id, email]));
  return incidents.map((one) => toIncident(one, ruleSets, emails));
}

/** One incident in answers to members. */
export async function showIncident(
  needs: ShowNeeds,
  account: Pick<AccountStore, "alertRules" | "members">,
  incident: Incident,
): Promise<MessageInitShape<typeof IncidentSchema> | undefined> {
  return (await showIncidents(needs, account, [incident]))[0];
}
