import { numberText } from "../number-text.ts";
import { plural } from "../plural.ts";

// Texts of Deliverability Intel that several of its pages share, and those of workspaces.

export const intel = {
  title: "Deliverability",
  workspace: "Workspace",
  score: "Score",
  noScore: "Not measured yet",
  statuses: {
    pending: "Not checked yet",
    healthy: "Healthy",
    warning: "Warning",
    critical: "Critical",
    error: "Not measurable",
    paused: "Paused",
  } as Readonly<Record<string, string>>,
};

export const workspaces = {
  title: "Workspaces",
  detail:
    "Deliverability Intel watches the domains of your clients. Workspaces do not see each other's clients and domains.",
  empty: "No workspaces yet",
  name: "Name",
  clients: "Clients",
  domains: "Watched domains",
  listings: "Blacklist listings",
  create: "Create a workspace",
  createDetail: "It has no clients yet. Workspaces cannot be removed.",
  createAction: "Create",
  nameDetail: "1 to 100 characters. No behavior depends on it.",
  rename: "Rename",
  meanOf: (domains: number, clients: number) =>
    `mean of ${plural(domains, { one: "domain", other: "domains" })} of ${plural(clients, { one: "client", other: "clients" })}`,
  countOf: (count: number, most: number) => `${numberText(count)} of at most ${numberText(most)}`,
  resolver: "DNS resolver",
  dnssec: "Validates DNSSEC",
  noDnssec: "Does not validate DNSSEC",
  dnssecUnknown: "Not tested yet",
};
