import {
  auditRoute,
  erasureRoute,
  limitsRoute,
  membersRoute,
  retentionRoute,
  rolesRoute,
  securityRoute,
} from "./account.tsx";
import {
  inhibitionRoute,
  inhibitionsRoute,
  newInhibitionRoute,
  newRuleRoute,
  ruleRoute,
  rulesRoute,
} from "./alert-rules.tsx";
import {
  alertRoute,
  alertSetupRoute,
  alertSourceRoute,
  alertsRoute,
  incidentRoute,
  incidentsRoute,
} from "./alerts.tsx";
import { domainRoute, domainsRoute, sharedRecordsRoute } from "./domains.tsx";
import {
  changeEmailRoute,
  firstPasswordRoute,
  invitationRoute,
  resetPasswordRoute,
  secondFactorRoute,
  signInRoute,
  signUpRoute,
} from "./entry.tsx";
import { heartbeatRoute, heartbeatsRoute, newHeartbeatRoute } from "./heartbeats.tsx";
import { insideRoute, unknownRoute } from "./inside.tsx";
import {
  clientRoute,
  clientsRoute,
  mutesRoute,
  watchChangesRoute,
  workspaceRoute,
  workspacesRoute,
} from "./intel.tsx";
import {
  blacklistsRoute,
  dmarcSourcesRoute,
  labelRoute,
  labelsRoute,
  reportRoute,
  reportsRoute,
  schedulesRoute,
  watchImportRoute,
} from "./intel-data.tsx";
import { jobRoute, jobsRoute } from "./jobs.tsx";
import { keyRoute, keysRoute } from "./keys.tsx";
import { messageRoute, messagesRoute } from "./messages.tsx";
import { newOnCallRoute, onCallRoute, onCallsRoute } from "./on-call.tsx";
import { overviewRoute } from "./overview.tsx";
import { newPolicyRoute, policiesRoute, policyRoute } from "./policies.tsx";
import { referenceRoute } from "./reference.tsx";
import { requestsRoute } from "./requests.tsx";
import { rootRoute } from "./root.tsx";
import { sandboxRoute } from "./sandbox.tsx";
import { sendersRoute } from "./senders.tsx";
import { newSilenceRoute, silenceRoute, silencesRoute } from "./silences.tsx";
import { startRoute } from "./start.tsx";
import { suppressionsRoute } from "./suppressions.tsx";
import { newTargetRoute, targetRoute, targetsRoute } from "./targets.tsx";
import { newTemplateRoute, templateRoute, templatesRoute } from "./templates.tsx";
import { userRoute } from "./user.tsx";
import { checksRoute, watchesRoute, watchRoute } from "./watches.tsx";
import {
  deliveriesRoute,
  deliveryRoute,
  eventsRoute,
  newWebhookRoute,
  webhookRoute,
  webhooksRoute,
} from "./webhooks.tsx";

/** Every address of the dashboard. */
export const routeTree = rootRoute.addChildren([
  signInRoute,
  secondFactorRoute,
  firstPasswordRoute,
  sharedRecordsRoute,
  resetPasswordRoute,
  signUpRoute,
  invitationRoute,
  changeEmailRoute,
  insideRoute.addChildren([
    startRoute,
    overviewRoute,
    messagesRoute,
    messageRoute,
    sandboxRoute,
    suppressionsRoute,
    domainsRoute,
    domainRoute,
    sendersRoute,
    templatesRoute,
    newTemplateRoute,
    templateRoute,
    keysRoute,
    keyRoute,
    webhooksRoute,
    newWebhookRoute,
    deliveriesRoute,
    deliveryRoute,
    eventsRoute,
    webhookRoute,
    policiesRoute,
    newPolicyRoute,
    policyRoute,
    incidentsRoute,
    incidentRoute,
    alertsRoute,
    alertRoute,
    alertSetupRoute,
    alertSourceRoute,
    rulesRoute,
    newRuleRoute,
    ruleRoute,
    targetsRoute,
    newTargetRoute,
    targetRoute,
    silencesRoute,
    newSilenceRoute,
    silenceRoute,
    inhibitionsRoute,
    newInhibitionRoute,
    inhibitionRoute,
    heartbeatsRoute,
    newHeartbeatRoute,
    heartbeatRoute,
    onCallsRoute,
    newOnCallRoute,
    onCallRoute,
    workspacesRoute,
    workspaceRoute,
    clientsRoute,
    clientRoute,
    watchChangesRoute,
    mutesRoute,
    watchesRoute,
    watchRoute,
    checksRoute,
    watchImportRoute,
    dmarcSourcesRoute,
    blacklistsRoute,
    reportsRoute,
    reportRoute,
    schedulesRoute,
    labelsRoute,
    labelRoute,
    referenceRoute,
    requestsRoute,
    jobsRoute,
    jobRoute,
    membersRoute,
    rolesRoute,
    securityRoute,
    auditRoute,
    retentionRoute,
    erasureRoute,
    limitsRoute,
    userRoute,
    unknownRoute,
  ]),
]);
