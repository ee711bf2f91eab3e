import { createHash } from "node:crypto";
import { create, toBinary } from "@bufbuild/protobuf";
import { type Alert, AlertSchema } from "../../../gen/hermod/alert/v1/alert_service_pb.ts";
import { dedupScopeOf, fingerprintOf } from "../../alerts/group-key.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { newId } from "../../shared/ids.ts";
import { createNaturalBatch, type NaturalBatch } from "../../shared/natural-batch.ts";
import type { AlertDocument } from "../../store/alert-documents.ts";
import { IdempotencyKeyTakenError } from "../../store/alert-work.ts";
import { concernsOne } from "../../store/store-fault.ts";
import type { AcceptNeeds, Dependencies } from "../dependencies.ts";
import { sortedKeys } from "../send/fingerprint.ts";
import { checkIdempotencyKey } from "../send/idempotency.ts";
import { storeOnce } from "../send/store-once.ts";
import type { AlertEngine } from "./alert-engine.ts";
import { toOutcome } from "./alert-to-proto.ts";
import { readAlert } from "./read-alert.ts";
import type { AcceptedAlert } from "./take-alerts.ts";

/** An alert with its owner. */
export interface Arrival {
  readonly accountId: string;
  /** Empty: the alert was sent without a key. */
  readonly keyId: string;
  /** Empty: none. */
  readonly idempotencyKey: string;
  /** The key is valid as long as the alert is stored. Missing: for the retention time of idempotency keys. */
  readonly keepsKey?: boolean;
  readonly alert?: Alert | undefined;
}

/** @throws Fault request.too_large, request.validation_failed, idempotency.in_flight, idempotency.key_reused, store.unavailable */
export type AcceptAlert = (
  arrival: Arrival,
  context: Pick<HandlerContext, "traceId" | "signal">,
) => Promise<{
  readonly alertId: string;
  readonly traceId: string;
  readonly outcome: ReturnType<typeof toOutcome>;
  readonly replayed: boolean;
}>;

const OPERATION = "alerts.ingest";

type AcceptAlertNeeds = Pick<Dependencies, "store" | "alertEngine"> &
  Pick<AcceptNeeds, "idempotency" | "retention" | "clock">;

/** Processes an alert after its sender was authorized. */
export function createAcceptAlert({
  store,
  alertEngine,
  idempotency,
  retention,
  clock,
}: AcceptAlertNeeds): AcceptAlert {
  const submit = createQueues(alertEngine);

  async function findEarlier(
    { accountId, idempotencyKey: key, keepsKey = false }: Arrival,
    requestFingerprint: string,
  ) {
    const { incidents } = store.forAccount(accountId);
    const earlier = await incidents.findByIdempotencyKey(key);
    if (!earlier) return undefined;
    if (!keepsKey && earlier.at.getTime() + retention.idempotencyMs <= clock.now().getTime()) {
      await incidents.forgetIdempotencyKey(earlier._id);
      return undefined;
    }
    if (earlier.requestFingerprint === requestFingerprint) return earlier;
    throw fault("idempotency.key_reused", {
      public: say("key_of_alert", { id: earlier._id }),
    });
  }

  function documentOf(arrival: Arrival, traceId: string): AcceptedAlert {
    const { accountId, keyId, idempotencyKey } = arrival;
    const { alert, dedupKey, ...read } = readAlert(arrival.alert);
    const dedupScope = dedupScopeOf(keyId, arrival.alert?.dedupScope ?? "");
    const at = clock.now();
    return {
      _id: newId("alr", at),
      accountId,
      traceId,
      keyId,
      at,
      alert,
      ...read,
      ...(dedupKey !== undefined && { dedupKey }),
      fingerprint: fingerprintOf({ alert, dedupKey, dedupScope }),
      ...(idempotencyKey !== "" && {
        idempotencyKey,
        requestFingerprint: fingerprintOfRequest(arrival.alert),
      }),
      expireAt: new Date(at.getTime() + retention.messageMs),
    };
  }

  return async (arrival, { traceId, signal }) => {
    const { accountId, idempotencyKey, alert } = arrival;
    if (idempotencyKey !== "") checkIdempotencyKey(idempotencyKey);
    signal.throwIfAborted();
    const run = () =>
      storeOnce({
        isKeyed: idempotencyKey !== "",
        store: async () => submit(documentOf(arrival, traceId), signal),
        findEarlier: async () =>
          idempotencyKey === "" ? undefined : findEarlier(arrival, fingerprintOfRequest(alert)),
      });
    const outcome =
      idempotencyKey === ""
        ? await run()
        : await idempotency.exclusively(
            { apiKey: { accountId }, operation: OPERATION, key: idempotencyKey },
            run,
          );
    const stored = "stored" in outcome ? outcome.stored : outcome.earlier;
    const { _id: alertId, traceId: storedTrace } = stored;
    return {
      alertId,
      traceId: storedTrace,
      outcome: toOutcome(stored.outcome),
      replayed: "earlier" in outcome,
    };
  };
}

/** Fingerprint of a request, independent of the order of its fields. */
function fingerprintOfRequest(alert: Alert | undefined): string {
  const { context: details = {}, ...rest } = alert ?? create(AlertSchema);
  const bytes = toBinary(AlertSchema, rest);
  const context = JSON.stringify(details, sortedKeys);
  return createHash("sha256").update(bytes).update(context).digest("base64url");
}

/** Maximum number of alerts that are evaluated together. */
const MAX_TOGETHER = 64;

/** Evaluating many alerts costs the store about as much as evaluating one. A single alert does not wait. */
const ENOUGH = 32;
const GATHER_MS = 5;

/** Evaluates one batch after the other per account, because parallel batches would conflict. */
function createQueues({ take }: Pick<AlertEngine, "take">) {
  type Queue = NaturalBatch<AcceptedAlert, AlertDocument | undefined>;
  const queues = new Map<string, { readonly queue: Queue; waiting: number }>();

  const open = (accountId: string): Queue =>
    createNaturalBatch({
      run: async (alerts) => {
        try {
          return (await take(accountId, alerts)).map((value) => ({ ok: true as const, value }));
        } catch (error) {
          // One of several alerts has a used idempotency key, or concerns a damaged incident: each alert is processed
          // separately.
          if (alerts.length === 1 || !(isTaken(error) || concernsOne(error))) throw error;
          return Promise.all(alerts.map((alert) => alone(accountId, alert)));
        }
      },
      maxItems: MAX_TOGETHER,
      maxSize: Number.POSITIVE_INFINITY,
      sizeOf: () => 1,
      maxConcurrent: 1,
      enoughItems: ENOUGH,
      gatherMs: GATHER_MS,
    });

  async function alone(accountId: string, alert: AcceptedAlert) {
    try {
      const [value] = await take(accountId, [alert]);
      return { ok: true as const, value };
    } catch (error) {
      return isTaken(error) ? { ok: true as const, value: undefined } : { ok: false as const, error };
    }
  }

  return async (alert: AcceptedAlert, signal: AbortSignal): Promise<AlertDocument | undefined> => {
    const { accountId } = alert;
    const known = queues.get(accountId) ?? { queue: open(accountId), waiting: 0 };
    queues.set(accountId, known);
    known.waiting++;
    try {
      return await known.queue.submit(alert, 0, signal);
    } catch (error) {
      if (isTaken(error)) return undefined;
      throw error;
    } finally {
      known.waiting--;
      if (known.waiting === 0) queues.delete(accountId);
    }
  };
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof IdempotencyKeyTakenError;
}
