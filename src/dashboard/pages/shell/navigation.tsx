import { Link } from "@tanstack/react-router";
import type { SignedIn } from "../../api/session.ts";
import { t } from "../../texts/texts.ts";
import { AccountSwitch } from "./account-switch.tsx";

/** A page of the navigation, and the permission that its list needs. */
export interface Destination {
  readonly label: string;
  readonly to:
    | "/"
    | "/start"
    | "/messages"
    | "/sandbox"
    | "/suppressions"
    | "/requests"
    | "/domains"
    | "/senders"
    | "/templates"
    | "/templates/-/new"
    | "/keys"
    | "/reference"
    | "/webhooks"
    | "/webhooks/new"
    | "/webhooks/deliveries"
    | "/webhooks/events"
    | "/policies"
    | "/policies/-/new"
    | "/incidents"
    | "/alerts"
    | "/alerts/set-up"
    | "/alert-rules"
    | "/alert-rules/-/new"
    | "/targets"
    | "/targets/new"
    | "/silences"
    | "/silences/-/new"
    | "/inhibitions"
    | "/inhibitions/-/new"
    | "/heartbeats"
    | "/heartbeats/new"
    | "/on-call"
    | "/on-call/-/new"
    | "/intel/workspaces"
    | "/intel/clients"
    | "/intel/changes"
    | "/intel/mutes"
    | "/intel/domains"
    | "/intel/checks"
    | "/intel/import"
    | "/intel/dmarc"
    | "/intel/blacklists"
    | "/intel/reports"
    | "/intel/schedules"
    | "/intel/labels"
    | "/jobs"
    | "/account/members"
    | "/account/roles"
    | "/account/security"
    | "/account/audit"
    | "/account/retention"
    | "/account/limits";
  readonly permission: string;
}

interface Section {
  /** Missing for the first page, which needs none. */
  readonly label?: string;
  readonly destinations: readonly Destination[];
}

/** The sections of the navigation. Each page has one line here. */
export const sections: readonly Section[] = [
  {
    destinations: [
      { label: t.start.title, to: "/start", permission: "account.read" },
      { label: t.shell.overview, to: "/", permission: "messages.read" },
    ],
  },
  {
    label: t.shell.sending,
    destinations: [
      { label: t.shell.messages, to: "/messages", permission: "messages.read" },
      { label: t.shell.sandbox, to: "/sandbox", permission: "sandbox.read" },
      { label: t.shell.suppressions, to: "/suppressions", permission: "suppressions.read" },
    ],
  },
  {
    label: t.shell.setUp,
    destinations: [
      { label: t.shell.domains, to: "/domains", permission: "domains.read" },
      { label: t.senders.title, to: "/senders", permission: "senders.read" },
      { label: t.templates.title, to: "/templates", permission: "templates.read" },
      { label: t.shell.keys, to: "/keys", permission: "keys.read" },
      { label: t.webhooks.title, to: "/webhooks", permission: "webhooks.read" },
      { label: t.policies.title, to: "/policies", permission: "policies.read" },
      { label: t.reference.title, to: "/reference", permission: "account.read" },
    ],
  },
  {
    label: t.shell.alerts,
    destinations: [
      { label: t.incidents.title, to: "/incidents", permission: "alerts.read" },
      { label: t.alerts.title, to: "/alerts", permission: "alerts.read" },
      { label: t.rules.title, to: "/alert-rules", permission: "alerts.read" },
      { label: t.targets.title, to: "/targets", permission: "alerts.read" },
      { label: t.onCall.title, to: "/on-call", permission: "alerts.read" },
      { label: t.silences.title, to: "/silences", permission: "alerts.read" },
      { label: t.inhibitions.title, to: "/inhibitions", permission: "alerts.read" },
      { label: t.heartbeats.title, to: "/heartbeats", permission: "alerts.read" },
    ],
  },
  {
    label: t.intel.title,
    destinations: [
      { label: t.workspaces.title, to: "/intel/workspaces", permission: "intel.read" },
      { label: t.clients.title, to: "/intel/clients", permission: "intel.read" },
      { label: t.watchChanges.title, to: "/intel/changes", permission: "intel.read" },
      { label: t.watches.title, to: "/intel/domains", permission: "intel.read" },
      { label: t.dmarc.title, to: "/intel/dmarc", permission: "intel.read" },
      { label: t.blacklists.title, to: "/intel/blacklists", permission: "intel.read" },
      { label: t.intelReports.title, to: "/intel/reports", permission: "intel.read" },
    ],
  },
  {
    label: t.shell.account,
    destinations: [
      { label: t.members.title, to: "/account/members", permission: "members.read" },
      { label: t.security.title, to: "/account/security", permission: "account.read" },
      { label: t.audit.title, to: "/account/audit", permission: "audit.read" },
      { label: t.shell.requests, to: "/requests", permission: "requests.read" },
      { label: t.jobs.title, to: "/jobs", permission: "jobs.read" },
      { label: t.retention.title, to: "/account/retention", permission: "account.read" },
      { label: t.limits.title, to: "/account/limits", permission: "account.read" },
    ],
  },
];

/** Pages that only other pages and the command palette link to. */
export const unlisted: readonly Destination[] = [
  { label: t.roles.title, to: "/account/roles", permission: "members.read" },
  { label: t.templates.newTitle, to: "/templates/-/new", permission: "templates.write" },
  { label: t.webhooks.add, to: "/webhooks/new", permission: "webhooks.write" },
  { label: t.deliveries.title, to: "/webhooks/deliveries", permission: "webhooks.read" },
  { label: t.events.title, to: "/webhooks/events", permission: "webhooks.read" },
  { label: t.policies.create, to: "/policies/-/new", permission: "policies.write" },
  { label: t.alertSetup.title, to: "/alerts/set-up", permission: "alerts.read" },
  { label: t.rules.create, to: "/alert-rules/-/new", permission: "alerts.write" },
  { label: t.targets.create, to: "/targets/new", permission: "alerts.write" },
  { label: t.silences.create, to: "/silences/-/new", permission: "alerts.write" },
  { label: t.inhibitions.create, to: "/inhibitions/-/new", permission: "alerts.write" },
  { label: t.heartbeats.create, to: "/heartbeats/new", permission: "alerts.write" },
  { label: t.mutes.title, to: "/intel/mutes", permission: "intel.read" },
  { label: t.onCall.create, to: "/on-call/-/new", permission: "alerts.write" },
  { label: t.checks.title, to: "/intel/checks", permission: "intel.read" },
  { label: t.watchImport.title, to: "/intel/import", permission: "intel.write" },
  { label: t.reportSchedules.title, to: "/intel/schedules", permission: "intel.read" },
  { label: t.labels.title, to: "/intel/labels", permission: "intel.read" },
];

interface NavigationProps {
  readonly session: SignedIn;
  readonly onNavigate?: (() => void) | undefined;
}

/** Links to every page that the user's role allows. */
export function Navigation({ session, onNavigate }: NavigationProps) {
  return (
    <nav className="side" aria-label={t.shell.sections}>
      <AccountSwitch session={session} />
      {sections.map(({ label, destinations }) => {
        const allowed = destinations.filter(({ permission }) => session.permissions.includes(permission));
        if (allowed.length === 0) return null;
        return (
          <section key={label ?? ""}>
            {label && <h2>{label}</h2>}
            <ul>
              {allowed.map((destination) => (
                <NavigationLink key={destination.to} destination={destination} onNavigate={onNavigate} />
              ))}
            </ul>
          </section>
        );
      })}
    </nav>
  );
}

interface NavigationLinkProps {
  readonly destination: Destination;
  readonly onNavigate: (() => void) | undefined;
}

function NavigationLink({ destination: { label, to }, onNavigate }: NavigationLinkProps) {
  return (
    <li>
      <Link to={to} activeOptions={{ exact: to === "/" }} {...(onNavigate && { onClick: onNavigate })}>
        {label}
      </Link>
    </li>
  );
}
