import { inspect } from "node:util";
import { hash } from "@node-rs/argon2";
import type { Db } from "mongodb";
import { createAccountSettings } from "../../src/core/access/account-settings.ts";
import { createKeyAuthenticator } from "../../src/core/access/authenticate-key.ts";
import { createAuthorize } from "../../src/core/access/authorize.ts";
import { createMailThrottle } from "../../src/core/access/mail-throttle.ts";
import { createOidc, type OidcSettings } from "../../src/core/access/oidc.ts";
import { createPasswords } from "../../src/core/access/passwords.ts";
import { createRateLimits, type RateLimitOptions } from "../../src/core/access/rate-limits.ts";
import { absoluteEnd, idleEnd } from "../../src/core/access/session-life.ts";
import { createSignInThrottle } from "../../src/core/access/sign-in-throttle.ts";
import { createVerifySender, type VerifySender } from "../../src/core/access/verify-sender.ts";
import { createWebauthn } from "../../src/core/access/webauthn.ts";
import type { AlertEngine } from "../../src/core/alerts/alert-engine.ts";
import type { PostSample } from "../../src/core/alerts/post-sample.ts";
import { createRefusalRecord, type RefusalRecord } from "../../src/core/audits/refusal-record.ts";
import { bounces } from "../../src/core/bounces/bounces.ts";
import type { Dependencies, InstallationFacts } from "../../src/core/dependencies.ts";
import { dispatches } from "../../src/core/dispatch/dispatches.ts";
import { createFollowers } from "../../src/core/events/followers.ts";
import { type AnnounceCore, createAnnounceCore } from "../../src/core/heartbeats/announce-core.ts";
import {
  type CheckHeartbeatsNeeds,
  createCheckHeartbeats,
} from "../../src/core/heartbeats/check-heartbeats.ts";
import type { IntelParts } from "../../src/core/intel/intel-parts.ts";
import { createRunSchedules, type RunSchedulesNeeds } from "../../src/core/intel/run-schedules.ts";
import { createLiveHub, type LiveHub } from "../../src/core/live/hub.ts";
import { createJournalTail } from "../../src/core/live/journal-tail.ts";
import { createResend, type Resend } from "../../src/core/messages/resend.ts";
import { createIdempotency } from "../../src/core/send/idempotency.ts";
import { createIntake } from "../../src/core/send/intake.ts";
import { status } from "../../src/core/status.ts";
import { submissions } from "../../src/core/submissions/submissions.ts";
import { createSystemMail } from "../../src/core/system-mail/system-mail.ts";
import { tracking } from "../../src/core/tracking/tracking.ts";
import type { CheckDomain } from "../../src/domains/check-domain.ts";
import type { IncidentTokens } from "../../src/message/incident-token.ts";
import { createUnsubscribeTokens, type UnsubscribeTokens } from "../../src/message/unsubscribe/token.ts";
import { composeAlerts } from "../../src/roles/alerts.ts";
import { areas } from "../../src/roles/areas.ts";
import type { FoundRoute, LookUpRoute } from "../../src/routing/found-route.ts";
import type { Area } from "../../src/rpc/area.ts";
import { actionsOf } from "../../src/rpc/audits.ts";
import type { CallerIdentity } from "../../src/rpc/caller-identity.ts";
import { type AreaClients, type CoreClient, createCoreClient } from "../../src/rpc/client.ts";
import { createCoreServer } from "../../src/rpc/server.ts";
import { createAfterwards } from "../../src/shared/afterwards.ts";
import { createByteBudget } from "../../src/shared/byte-budget.ts";
import { newId } from "../../src/shared/ids.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { hashSecret, newSessionToken } from "../../src/shared/secrets.ts";
import type { NewContent } from "../../src/store/content-store.ts";
import type { MemberRole, UserDocument } from "../../src/store/documents.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { testAudit } from "./audit.ts";
import { composeDomainParts, type DomainPartsOptions } from "./domain-parts.ts";
import { testSealing } from "./sealing.ts";
import { type TestIntelOptions, testIntel } from "./test-intel.ts";
import { openTestStore } from "./test-store.ts";
import { createTestTime, type TestTime } from "./test-time.ts";

type NamedUser = Pick<UserDocument, "_id" | "email">;

export const CLIENT: CallerIdentity = { session: "", clientAddress: "192.0.2.1", clientAgent: "test" };

/** The areas of people and accounts, on a separate store, in time that the test controls. */
export interface Identity {
  readonly store: Store;
  readonly db: Db;
  readonly time: TestTime;
  readonly refusals: RefusalRecord;
  /** Only the test runs its reading and heartbeat. */
  readonly live: LiveHub;
  readonly operator: CoreClient;
  /** Calls as a front end does for a client. */
  as(client: Partial<CallerIdentity>): AreaClients;
  readonly frontEnd: CoreClient;
  /** Resends messages as `resendMessage` does, on another store. */
  resendOn(store: Store): Resend;
  readonly intel: IntelParts;
  /** Makes the due reports once, as this process or, on another store, as another process. */
  runSchedules(of?: Partial<RunSchedulesNeeds>): Promise<void>;
  /** Another core, which raises alerts about missed pings. It has announced nothing yet. */
  heartbeatWorker(of?: Partial<CheckHeartbeatsNeeds>): AnnounceCore & { check(): Promise<void> };
  /** Sender check of a submission. */
  readonly verifySender: VerifySender;
  readonly checkDomain: CheckDomain;
  /** Creates an account and resolves to its id. */
  openAccount(name?: string): Promise<string>;
  /** Creates a user of the account with `PASSWORD`, and a session. Fast, because the hash is shared. */
  memberOf(accountId: string, role?: MemberRole): Promise<{ userId: string; email: string; token: string }>;
  /** Opens another session of a user. */
  openSession(user: NamedUser, accountId: string): Promise<string>;
  /** Creates a signed-in user of the account who has replaced the first password. */
  signedIn(email: string, accountId: string, role?: string): Promise<{ token: string; password: string }>;
  /** All stored data as text. */
  everything(): Promise<string>;
  /** Resolves when no background work is left. */
  settled(): Promise<void>;
  readonly unsubscribeTokens: UnsubscribeTokens;
  readonly alertEngine: AlertEngine;
  readonly incidentTokens: IncidentTokens;
  /** Mail to an address, oldest first. */
  mails(to: string): readonly Mail[];
  /** The token of the link in the last mail to an address; empty: no mail. */
  tokenTo(to: string): string;
  close(): Promise<void>;
}

/** Password of the users that `memberOf` creates. */
export const PASSWORD = "uncommon words of everybody";
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Address of the dashboard. */
export const BASE_URL = "https://mail.example.com";

const noRoute = async (): Promise<FoundRoute> => ({
  kind: "temporary",
  reason: "there is no network",
  isImplicit: false,
  hosts: [],
  unusable: [],
  hasUnknownMtaSts: false,
});

const noAnswer: PostSample = async () => ({
  isAccepted: false,
  durationMs: 1,
  detail: "there is no network",
});

const DEADLINE_MS = 60_000;
const LIMITS = {
  messageBytes: 25_000_000,
  bodyBytes: 5_000_000,
  to: 50,
  headers: 50,
  attachments: 100,
  sendAtDays: 30,
  recipients: 100,
  hops: 100,
  showsClient: false,
};
/** Hermod's own hash takes 30 ms of a core. */
const QUICK = { memoryCost: 8, timeCost: 1, parallelism: 1 } as const;

export interface IdentityOptions {
  /** False: Hermod sends no mail of its own. */
  readonly hasMail?: boolean;
  readonly isSignUpOpen?: boolean;
  /** A provider for sign-in. */
  readonly oidc?: OidcSettings;
  /** False: the dashboard has an address at which no browser offers passkeys. */
  readonly hasPasskeys?: boolean;
  readonly dns?: DomainPartsOptions;
  /** Target of `direct` routes; missing: no DNS. */
  readonly lookUpRoute?: LookUpRoute;
  /** Submissions per second; missing: there are no limits. */
  readonly rates?: Partial<RateLimitOptions>;
  readonly intel?: TestIntelOptions;
  /** Missing: as for a core in its own process. */
  readonly installation?: InstallationFacts;
  /** Missing: now. */
  readonly startAt?: Date;
  /** Accounts may use servers at private addresses, and without TLS. */
  readonly allowPrivate?: boolean;
  /** Missing: no alert target accepts a sample. */
  readonly postSample?: PostSample;
  /** Called for fields that the audit log does not know. */
  readonly onUnclassified?: (path: string) => void;
}

export async function openIdentity(options: IdentityOptions = {}): Promise<Identity> {
  const relyingParty = { origin: BASE_URL, id: new URL(BASE_URL).hostname };
  const { hasMail = true, isSignUpOpen = false, hasPasskeys = true, oidc: provider } = options;
  const { dns, onUnclassified, lookUpRoute = noRoute, allowPrivate = false, postSample = noAnswer } = options;
  const opened = await openTestStore();
  const store = createStore(opened.db, testSealing, { retentionMs: 3_600_000, onUnclassified });
  const time = createTestTime(options.startAt?.getTime());
  const { clock } = time;
  const refusals = createRefusalRecord({ store, clock, log: createLogger("silent") });
  const server = createCoreServer({
    host: "127.0.0.1",
    port: 0,
    tokens: { operator: "operator", front_end: "front end" },
    authorize: createAuthorize({ store, clock }),
    onRefused: refusals.record,
    clock,
    log: createLogger("silent"),
  });
  const oidc = provider && createOidc({ settings: provider, clock, log: createLogger("silent") });
  const settings = createAccountSettings({ store, clock, cacheMs: 0 });
  const mails: Mail[] = [];
  const intake = createIntake({
    store: store.acrossAccounts,
    onStored: ({ message, content }) => mails.push(readMail(message, content)),
    onError: () => undefined,
  });
  const systemMail = createSystemMail({
    settings,
    intake,
    partitionOf: () => 1,
    from: hasMail ? { address: "hermod@example.com" } : undefined,
    baseUrl: BASE_URL,
    contentRetentionMs: 60 * 60_000,
    clock,
    log: createLogger("silent"),
  });
  const afterwards = createAfterwards({
    max: 100,
    onError: (error) => {
      throw error;
    },
  });
  const unsubscribeTokens = createUnsubscribeTokens(Buffer.alloc(32, 1));
  const throttled = { failures: store.signInFailures, clock };
  const domainParts = composeDomainParts({ store, clock, onChange: settings.forget }, dns);
  const hub = createLiveHub({
    tail: createJournalTail({ source: store.acrossAccounts.journalTail, clock }),
    clock,
    log: createLogger("silent"),
  });
  const verifySender = createVerifySender(settings);
  const alertParts = {
    store,
    settings,
    verifySender,
    limits: LIMITS,
    intake,
    partitionOf: () => 1,
    clock,
    log: createLogger("silent"),
  };
  const needs = {
    ...(await composeAlerts({ ...alertParts, baseUrl: BASE_URL, contentMs: 86_400_000, keptMs: 86_400_000 })),
    intel: testIntel(store, clock, options.intel),
    live: hub,
    followers: createFollowers(),
    store,
    settings,
    ...domainParts,
    clock,
    systemMail,
    log: createLogger("silent"),
    authenticator: createKeyAuthenticator({ keys: store.acrossAccounts.keys, clock, cacheMs: 0 }),
    passwords: createPasswords(QUICK),
    throttle: createSignInThrottle(throttled),
    oidc,
    webauthn: createWebauthn({
      store,
      relyingParty: hasPasskeys ? relyingParty : undefined,
      clock,
    }),
    mailThrottle: createMailThrottle(throttled),
    afterwards,
    isSignUpOpen,
    auditActions: actionsOf(areas),
    installation: options.installation ?? {
      version: "0.1.0",
      commit: undefined,
      baseUrl: () => BASE_URL,
      smtp: () => undefined,
      hasSystemMail: hasMail,
      rates: { perKey: 0, perAccount: 0, ...options.rates },
    },
    policyBounds: { baseUrl: BASE_URL, maxAgeMs: 3_600_000, allowPrivate },
    deliveryFacts: { concurrency: 20, mxPort: 25, ipv6: true, dane: true, mtaSts: true },
    lookUpRoute,
    postSample,
    retention: {
      contentMs: 30 * 86_400_000,
      idempotencyMs: 60_000,
      messageMs: 60 * 86_400_000,
      auditMs: 60_000,
      requestMs: 7 * 86_400_000,
      sandboxMs: 7 * 86_400_000,
      suppressionMs: undefined,
    },
    unsubscribeTokens,
    copyDatabase: async () => undefined,
    intake,
    measured: <Accept>(accept: Accept) => accept,
    partitionOf: () => 1,
    limits: LIMITS,
    rateLimits: createRateLimits({ perKey: 0, perAccount: 0, ...options.rates }),
    readRateLimits: createRateLimits({ perKey: 0, perAccount: 0, ...options.rates }),
    idempotency: createIdempotency({ store, clock, retentionMs: 60_000 }),
    budget: createByteBudget({ maxBytes: 16 * 1024 * 1024 }),
    onReport: () => undefined,
    verifySender,
  };
  // Services of workers and front ends need more parts than this harness composes.
  const elsewhere: readonly Area<never>[] = [bounces, dispatches, status, submissions, tracking];
  for (const area of areas)
    if (!elsewhere.includes(area)) area.serve(server, needs as Partial<Dependencies> as Dependencies);
  const operator = createCoreClient(server.localCalls("operator", DEADLINE_MS));
  const frontEnd = createCoreClient(server.localCalls("front_end", DEADLINE_MS));
  const as = (client: Partial<CallerIdentity>) => frontEnd.onBehalfOf({ ...CLIENT, ...client });

  let passwordHash: string | undefined;

  async function openSession({ _id: userId, email }: NamedUser, accountId: string): Promise<string> {
    const now = clock.now();
    const token = newSessionToken();
    const endsAt = absoluteEnd(now);
    await store.sessions.insert(
      {
        _id: newId("ses", now),
        hash: hashSecret(token),
        userId,
        email,
        accountId,
        createdAt: now,
        seenAt: now,
        authenticatedAt: now,
        clientAddress: CLIENT.clientAddress,
        clientAgent: CLIENT.clientAgent,
        endsAt,
        expireAt: idleEnd(now, endsAt),
      },
      testAudit,
    );
    return token;
  }

  return {
    store,
    db: opened.db,
    live: hub,
    time,
    refusals,
    unsubscribeTokens,
    alertEngine: needs.alertEngine,
    incidentTokens: needs.incidentTokens,
    operator,
    resendOn: (other) => {
      const quiet = { onStored: () => undefined, onError: () => undefined };
      return createResend({
        ...needs,
        store: other,
        intake: createIntake({ store: other.acrossAccounts, ...quiet }),
      });
    },
    intel: needs.intel,
    runSchedules: (of = {}) => {
      const quiet = { onStored: () => undefined, onError: () => undefined };
      const intakeOf = createIntake({ store: (of.store ?? store).acrossAccounts, ...quiet });
      const { signal } = new AbortController();
      return createRunSchedules({ ...needs, intake: intakeOf, signal, ...of })();
    },
    heartbeatWorker: (of = {}) => {
      const idempotency = createIdempotency({ store, clock, retentionMs: needs.retention.idempotencyMs });
      const worker = { ...needs, idempotency, ...of };
      const core = createAnnounceCore(worker);
      const { signal } = new AbortController();
      const check = createCheckHeartbeats({ signal, announce: core.announce, ...worker });
      return { ...core, check };
    },
    verifySender: createVerifySender(settings),
    checkDomain: domainParts.checkDomain,
    as,
    frontEnd,
    openAccount: async (name = "Acme") => {
      const { account } = await operator.accounts.createAccount({ name });
      if (!account) throw new Error("The answer has no account.");
      return account.id;
    },
    memberOf: async (accountId, role = "owner") => {
      const now = clock.now();
      const email = `${role}-${newId("usr", now)}@example.com`;
      passwordHash ??= await hash(PASSWORD, QUICK);
      const user = { _id: newId("usr", now), email, passwordHash, createdAt: now };
      await store.forAccount(accountId).members.add(user, { role, createdAt: now }, testAudit);
      return { userId: user._id, email, token: await openSession(user, accountId) };
    },
    openSession,
    everything: async () => {
      const names = (await opened.db.listCollections().toArray()).map(({ name }) => name);
      const found = names.map((name) => opened.db.collection(name).find().toArray());
      return inspect(await Promise.all(found), { depth: 10, maxArrayLength: null, maxStringLength: null });
    },
    settled: afterwards.idle,
    mails: (to) => mails.filter((mail) => mail.to === to),
    tokenTo: (to) => {
      const [, token = ""] = /#(\w+)$/m.exec(mails.findLast((mail) => mail.to === to)?.text ?? "") ?? [];
      return token;
    },
    signedIn: async (email, accountId, role = "owner") => {
      await operator.users.createUser({ email, accountId, role });
      const user = await store.users.findByEmail(email);
      if (!user) throw new Error(`There is no user ${email}.`);
      const password = `uncommon words of ${email}`;
      const passwordHash = await hash(password, QUICK);
      const next = { passwordHash, mustChangePassword: false };
      await store.users.setPassword(user, next, { accountId, audit: testAudit });
      const { token } = await as({}).sessions.signIn({ email, password });
      return { token, password };
    },
    close: async () => {
      await refusals.close();
      await opened.close();
    },
  };
}

function readMail({ recipient: to, subject }: MessageDocument, { body }: NewContent): Mail {
  const text = body.kind === "composed" ? body.content.text : undefined;
  return { to, subject, text: text ?? "" };
}
