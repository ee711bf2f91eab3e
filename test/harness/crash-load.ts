import { setTimeout as sleep } from "node:timers/promises";
import { inParallel } from "../../src/shared/in-parallel.ts";
import { email, post } from "./http.ts";
import type { Hermod } from "./start-hermod.ts";

export interface Accepted {
  readonly domain: string;
  /** Performance clock: arrival of the 202. */
  readonly atMs: number;
}

export interface CrashLoad {
  /** Submits `count` more messages; resolves when each has received its 202. */
  submit(count: number): Promise<void>;
  /** By the id in its 202. */
  readonly accepted: ReadonlyMap<string, Accepted>;
  readonly counts: { unanswered: number; refused: number; replayed: number };
  /** Answers that no crash explains. */
  readonly unexpected: readonly string[];
}

export interface CrashLoadOptions {
  readonly hermod: () => Hermod;
  /** Recipients are spread evenly over these domains. */
  readonly domains: readonly string[];
  readonly clients: number;
}

const RETRY_MS = 100;
/** The request is in flight, or a part behind the API is temporarily unavailable. The key makes a retry safe. */
const ASK_AGAIN = [409, 503];

/** Correct senders: an unanswered submission is sent again with the same Idempotency-Key. */
export function createCrashLoad({ hermod, domains, clients }: CrashLoadOptions): CrashLoad {
  const accepted = new Map<string, Accepted>();
  const unexpected: string[] = [];
  const counts = { unanswered: 0, refused: 0, replayed: 0 };
  let made = 0;

  async function untilAccepted(number: number): Promise<void> {
    const domain = domains[number % domains.length] ?? "";
    const to = `ada.${number}@${domain}`;
    const headers = { "idempotency-key": `message-${number}` };
    for (;;) {
      const answer = await post(hermod(), email({ to, subject: `Message ${number}` }), { headers }).catch(
        () => undefined,
      );
      if (answer?.status === 202) {
        accepted.set(answer.accepted.message_id, { domain, atMs: performance.now() });
        if (answer.headers.get("idempotent-replayed") === "true") counts.replayed++;
        return;
      }
      if (!answer) counts.unanswered++;
      else if (ASK_AGAIN.includes(answer.status)) counts.refused++;
      else {
        unexpected.push(`${answer.status} ${answer.problem.code}`);
        return;
      }
      await sleep(RETRY_MS);
    }
  }

  return {
    submit: async (count) => {
      const numbers = Array.from({ length: count }, () => made++);
      await inParallel(numbers, clients, untilAccepted);
    },
    accepted,
    counts,
    unexpected,
  };
}
