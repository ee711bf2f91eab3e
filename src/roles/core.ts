import { build } from "../config.ts";
import type { AccountSettings } from "../core/access/account-settings.ts";
import { createKeyAuthenticator } from "../core/access/authenticate-key.ts";
import { createAuthorize } from "../core/access/authorize.ts";
import { createMailThrottle } from "../core/access/mail-throttle.ts";
import { createPasswords } from "../core/access/passwords.ts";
import { createRateLimits } from "../core/access/rate-limits.ts";
import { createSignInThrottle } from "../core/access/sign-in-throttle.ts";
import { createVerifySender } from "../core/access/verify-sender.ts";
import { createWebauthn } from "../core/access/webauthn.ts";
import { createRefusalRecord } from "../core/audits/refusal-record.ts";
import type { CopyDatabase, Dependencies } from "../core/dependencies.ts";
import { createDispatcher, type Dispatcher } from "../core/dispatch/dispatcher.ts";
import { createFollowers } from "../core/events/followers.ts";
import { createLiveHub } from "../core/live/hub.ts";
import { createJournalTail } from "../core/live/journal-tail.ts";
import { createIdempotency } from "../core/send/idempotency.ts";
import { createIntake, type Submission } from "../core/send/intake.ts";
import { createLoadBody } from "../delivery/queue/load-body.ts";
import type { Worker } from "../delivery/worker-options.ts";
import { createCheckDue } from "../domains/check-due.ts";
import { createMessageLog } from "../events/message-log.ts";
import { actionsOf } from "../rpc/audits.ts";
import type { CallerRole, CallerTokens } from "../rpc/callers.ts";
import type { CoreCalls } from "../rpc/calls.ts";
import type { WireCalls } from "../rpc/local.ts";
import { type CoreServer, type CoreTls, createCoreServer } from "../rpc/server.ts";
import { createAfterwards } from "../shared/afterwards.ts";
import { startBackground } from "../shared/background.ts";
import { SMALL_SUBMISSION_BYTES } from "../shared/byte-budget.ts";
import type { PartitionOf } from "../shared/partition.ts";
import { listenError } from "../shared/startup-error.ts";
import type { Store } from "../store/store.ts";
import { relyingPartyOf } from "./addresses.ts";
import { composePostSample } from "./alert-targets.ts";
import { composeAlerts } from "./alerts.ts";
import { areas } from "./areas.ts";
import { coreBackground } from "./background.ts";
import { composeByteBudget } from "./byte-budget.ts";
import { composeDomainChecks } from "./domain-checks.ts";
import { type ComposedIntel, composeIntel } from "./intel.ts";
import { composeJobs } from "./jobs.ts";
import { measureAccepts } from "./measure-accepts.ts";
import { composeNotices } from "./notices.ts";
import { composeOidc } from "./oidc.ts";
import type { Process } from "./process.ts";
import { createReach, type Reach } from "./reach.ts";
import { composeReturnPaths } from "./return-paths.ts";
import { composeRouteLookUps } from "./route-look-ups.ts";
import { composeSystemMail } from "./system-mail.ts";
import { openTracking } from "./tracking.ts";
import { openUnsubscribeTokens } from "./unsubscribe-tokens.ts";

/** RFC 5321 section 4.5.3.1.8 requires at least 100. */
const MAX_RECIPIENTS = 1_000;
const DAY_MS = 86_400_000;
/** Requested mail for which no caller waits. */
const MAX_AFTERWARDS = 100;

export interface CoreParts {
  readonly store: Store;
  readonly settings: AccountSettings;
  readonly tokens: CallerTokens;
  readonly partitionOf: PartitionOf;
  /** Rejects while the store is unavailable. */
  readonly ping: () => Promise<void>;
  /** undefined: the database has its own tools. */
  readonly copyDatabase: CopyDatabase | undefined;
  /** Worker of this process; undefined: none. */
  readonly worker: Pick<Worker, "lease" | "receive"> | undefined;
}

/** A composed core that has not started. */
export interface BuiltCore {
  /** For callers of one role in the same process. */
  calls(role: CallerRole): CoreCalls;
  /** The same for another thread. */
  wireCalls(role: CallerRole): WireCalls;
  /**
   * Listens, and resolves to its port.
   * @throws StartupError
   */
  start(): Promise<number>;
  /** Sets the addresses on which the front ends of this process listen. */
  readonly frontEndsListen: Reach["listening"];
}

/** Composes the gRPC core. */
export async function composeCore(process: Process, parts: CoreParts): Promise<BuiltCore> {
  const { config, clock, log, lifecycle } = process;
  const composedIntel = await composeIntel(process, parts.store);
  const reach = createReach(config);
  const dependencies = await composeDependencies(process, parts, { ...composedIntel, reach });
  const { dispatcher, intake, afterwards, live, followers } = dependencies;
  const refusals = createRefusalRecord({ store: parts.store, clock, log });
  const server = createCoreServer({
    host: config.grpc.host,
    port: config.grpc.port,
    tokens: parts.tokens,
    tls: coreTls(process),
    authorize: createAuthorize({ store: parts.store, clock }),
    onRefused: refusals.record,
    clock,
    log,
  });
  for (const area of areas) area.serve(server, dependencies);

  const checkDue = createCheckDue({
    ...dependencies,
    store: parts.store.acrossAccounts,
    signal: process.signal,
  });
  const runJobs = composeJobs(process, dependencies, parts.store.acrossAccounts.jobs);
  return {
    calls: (role) => server.localCalls(role, config.grpc.deadlineMs),
    wireCalls: server.wireCalls,
    frontEndsListen: reach.listening,
    start: async () => {
      const { ping } = parts;
      const { setReady } = server;
      const { signal } = process;
      const onDamagedSchedule = () => process.metrics.damagedDocuments.inc({ kind: "schedule" });
      const setUncountedMs = (ms: number) => process.metrics.uncountedAge.set(ms / 1_000);
      const works = {
        onDamagedSchedule,
        setUncountedMs,
        refusals,
        ping,
        setReady,
        checkDue,
        runJobs,
        signal,
        ...composedIntel,
      };
      for (const work of coreBackground({ ...dependencies, ...works })) {
        startBackground(work, process);
      }
      const port = await listen(server, process);
      lifecycle.defer("core", async (drainMs) => {
        // Subscriptions have no end to wait for.
        dispatcher.close();
        live.close();
        followers.close();
        await server.close(drainMs);
        await afterwards.idle();
        await intake.idle();
      });
      return port;
    },
  };
}

async function composeDependencies(
  process: Process,
  parts: CoreParts,
  { intel, reach }: Pick<ComposedIntel, "intel"> & { readonly reach: Reach },
): Promise<Dependencies> {
  const { config, clock, log, metrics } = process;
  const { store, settings, copyDatabase, partitionOf } = parts;
  const dispatcher = createDispatcher({
    onClaimed: (partitions) => metrics.dispatchPartitions.set(partitions),
  });
  const messageLog = createMessageLog(log);
  const dispatch = dispatchBy(process, parts, dispatcher);
  const onStored = (submission: Submission) => {
    messageLog.accepted(submission.message);
    metrics.messageSize.observe(submission.content.sizeBytes);
    dispatch(submission);
  };
  const onError = (error: unknown) => {
    metrics.acceptTroubles.inc();
    log.warn({ err: error }, "an error after a submission was decided; no accepted message is lost");
  };
  const intake = createIntake({ store: store.acrossAccounts, onStored, onError });
  const tracking = await openTracking(config, store);
  const verifySender = createVerifySender(settings);
  const limits = { ...config.limits, recipients: MAX_RECIPIENTS };
  return {
    program: build,
    installation: reach,
    store,
    settings,
    clock,
    log,
    auditActions: actionsOf(areas),
    copyDatabase,
    partitionOf,
    onError,
    dispatcher,
    live: createLiveHub({
      tail: createJournalTail({ source: store.acrossAccounts.journalTail, clock }),
      clock,
      log,
    }),
    followers: createFollowers(),
    limits,
    retention: config.retention,
    policyBounds: {
      baseUrl: config.http.baseUrl,
      maxAgeMs: config.delivery.maxAgeMs,
      longestAgeMs: config.delivery.longestAgeMs,
      allowPrivate: config.delivery.allowPrivate,
      longestScheduleMs: config.limits.sendAtDays * DAY_MS,
    },
    deliveryFacts: {
      concurrency: config.delivery.destinationConcurrency,
      mxPort: config.delivery.mxPort,
      ipv6: config.delivery.ipv6 !== "never",
      dane: config.delivery.dane,
      mtaSts: config.delivery.mtaSts,
    },
    lookUpRoute: composeRouteLookUps(process, store),
    ...composeDomainChecks(process, store, { onChange: settings.forget, tokens: tracking.tokens }),
    returnAddresses: {
      bounceDomain: config.bounces.domain,
      postmasterAddress: config.bounces.postmasterAddress,
    },
    authenticator: createKeyAuthenticator({
      keys: store.acrossAccounts.keys,
      clock,
      cacheMs: config.cacheMs,
    }),
    verifySender,
    intel,
    ...(await composeAlerts({
      store,
      settings,
      verifySender,
      limits,
      intake,
      partitionOf,
      clock,
      log,
      baseUrl: config.http.baseUrl,
      contentMs: config.retention.contentMs,
      keptMs: config.retention.messageMs,
    })),
    postSample: composePostSample(process),
    rateLimits: createRateLimits(reach.rates),
    readRateLimits: createRateLimits(reach.rates),
    idempotency: createIdempotency({ store, clock, retentionMs: config.retention.idempotencyMs }),
    intake,
    passwords: createPasswords(),
    throttle: createSignInThrottle({ failures: store.signInFailures, clock }),
    webauthn: createWebauthn({ store, relyingParty: relyingPartyOf(config), clock }),
    oidc: composeOidc(process),
    mailThrottle: createMailThrottle({ failures: store.signInFailures, clock }),
    afterwards: createAfterwards({ max: MAX_AFTERWARDS, onError }),
    isSignUpOpen: config.signUp === "open",
    systemMail: composeSystemMail(process, { settings, intake, partitionOf }),
    budget: composeByteBudget(process, "core"),
    returnPaths: await composeReturnPaths(config, store),
    unsubscribeTokens: await openUnsubscribeTokens(store),
    tracking,
    storeNotices: composeNotices(process, {
      store,
      settings,
      partitionOf,
      loadBody: createLoadBody({ contents: store.acrossAccounts.contents }),
    }),
    measured: (accept) => measureAccepts(process, accept),
    onReport: (kind, outcome) => metrics.bounceReports.inc({ kind, outcome }),
  };
}

/** Dispatches an accepted message to the worker that holds its partition: of this process, or of another. */
function dispatchBy({ metrics }: Process, { worker }: CoreParts, dispatcher: Dispatcher) {
  return ({ message, content }: Submission): void => {
    // Scheduled messages are not delivered yet.
    if (message.state !== "queued") return;
    if (worker?.lease(message.partition)) {
      // A large body would wait in memory: the worker loads it at the message's turn.
      const isAtHand = content.body.kind !== "uploaded" && content.sizeBytes <= SMALL_SUBMISSION_BYTES;
      worker.receive(message, isAtHand ? content.body : undefined);
      metrics.dispatches.inc({ via: "process" });
    } else {
      metrics.dispatches.inc({ via: dispatcher.dispatch(message) ? "stream" : "polling" });
    }
  };
}

async function listen(server: CoreServer, { config }: Process): Promise<number> {
  try {
    return await server.listen();
  } catch (error) {
    throw listenError("HERMOD_GRPC_PORT", config.grpc.host, config.grpc.port, error);
  }
}

function coreTls({ config }: Process): CoreTls | undefined {
  const { cert, key, clientCa } = config.grpc.tls;
  return cert && key ? { cert, key, clientCa } : undefined;
}
