import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { PermissionName } from "../../../contracts/common/permissions.ts";
import type {
  WatchEventsRequest,
  WatchEventsResponseSchema,
} from "../../../gen/hermod/live/v1/live_service_pb.ts";
import type { Authorize } from "../../rpc/caller-identity.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { Fault, fault } from "../../shared/fault.ts";
import type { Store } from "../../store/store.ts";
import { resolveAccount } from "../resolve-account.ts";
import type { LiveHub } from "./hub.ts";
import { formatPosition } from "./position.ts";
import type { Report } from "./report.ts";

/** Permission for each kind of resource: changes of other kinds are not reported. */
const PERMISSION_OF: Readonly<Record<string, PermissionName>> = {
  job: "jobs.read",
  domain: "domains.read",
  webhook: "webhooks.read",
  incident: "alerts.read",
  watched_domain: "intel.read",
  heartbeat: "alerts.read",
};
/** Permission that a session must have while the stream is open. */
export const WATCH_PERMISSION = "messages.read";
/** Maximum time until the stream of an ended session, or of one without the permission, is closed. */
const CHECK_MS = 20_000;
const LIFE_MS = 15 * 60_000;

interface WatchNeeds {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly live: Pick<LiveHub, "open">;
  /** Does not count as a use of the session, which would otherwise never expire. */
  readonly authorize: Authorize;
  readonly clock: Pick<Clock, "monotonicMs">;
}

type Context = Pick<HandlerContext, "identity" | "principal" | "signal">;
type Response = MessageInitShape<typeof WatchEventsResponseSchema>;

/**
 * @throws Fault account.unknown, live.too_many_streams, live.full; auth.session_invalid, auth.permission_missing and
 *   other session faults, also during the stream; core.unavailable when the process ends
 */
export function createWatchEvents({ store, live, authorize, clock }: WatchNeeds) {
  /** @throws Fault of `Authorize`, account.unknown */
  async function check({ identity, principal }: Context): Promise<void> {
    if (!identity || !principal) return;
    const { accountId } = await authorize(identity, WATCH_PERMISSION);
    if (accountId !== principal.accountId) throw fault("account.unknown");
  }

  /** Kinds of resources that the session may read. @throws Fault of `Authorize`, except auth.permission_missing */
  async function visibleKinds({ identity, principal }: Context): Promise<ReadonlySet<string>> {
    const kinds = new Set(Object.keys(PERMISSION_OF));
    if (!identity || !principal) return kinds;
    for (const [kind, permission] of Object.entries(PERMISSION_OF)) {
      try {
        await authorize(identity, permission);
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== "auth.permission_missing") throw error;
        kinds.delete(kind);
      }
    }
    return kinds;
  }

  return async function* (request: WatchEventsRequest, context: Context): AsyncGenerator<Response, void> {
    const { signal, principal } = context;
    const { id: accountId } = await resolveAccount(store, request);
    const { userId = "", sessionId = "" } = principal ?? {};
    const stream = live.open({ accountId, userId, sessionId }, request.after);
    const endsAtMs = clock.monotonicMs() + LIFE_MS;
    let checkedAtMs = clock.monotonicMs();
    try {
      let kinds = await visibleKinds(context);
      for (;;) {
        const report = await stream.next(signal);
        if (!report) throw fault("core.unavailable");
        const nowMs = clock.monotonicMs();
        if (nowMs >= endsAtMs) return;
        if (nowMs - checkedAtMs >= CHECK_MS) {
          await check(context);
          kinds = await visibleKinds(context);
          checkedAtMs = nowMs;
        }
        yield responseOf(report, kinds);
      }
    } finally {
      stream.close();
    }
  };
}

function responseOf(
  { position, changes, counts, skipped, resources, gap }: Report,
  kinds: ReadonlySet<string>,
): Response {
  return {
    position: formatPosition(position),
    changes: changes.map(({ accountId: _, at, ...change }) => ({ ...change, at: timestampFromDate(at) })),
    counts: [...counts].map(([kind, count]) => ({ kind, count })),
    skipped,
    resources: resources.filter(({ kind }) => kinds.has(kind)).map(({ kind, id }) => ({ kind, id })),
    gap,
  };
}
