import { setTimeout as sleep } from "node:timers/promises";
import { createTransport } from "nodemailer";
import type { Outcome, Submission } from "./history.ts";
import type { Random } from "./random.ts";
import type { FrontEnd, World } from "./world.ts";

export interface Clients {
  /**
   * Submits at the given rate until it is stopped. Messages with a key are resubmitted until they are accepted, or
   * were refused too often after the stop. Resolves when all of them are settled.
   */
  run(signal: AbortSignal): Promise<void>;
  readonly submissions: readonly Submission[];
}

export interface ClientsOptions {
  readonly world: Pick<World, "frontEnds" | "apiKey" | "smtp">;
  readonly domains: readonly string[];
  readonly perSecond: number;
  readonly random: Random;
}

const DATE = new Date();
/** Longer than any front end may take. */
const ANSWER_TIMEOUT_MS = 100_000;
const SMTP_SHARE = 3;
const WITHOUT_KEY_SHARE = 4;
const AGAIN_AFTER_MS = { least: 1_000, most: 5_000 };
/** Number of attempts after everything has healed. Limits submissions that would never be accepted. */
const LAST_TRIES = 60;

/** The number in a recipient's address, which identifies a message at a server. */
export function numberOf(address: string): number {
  return Number(/^n\.(\d+)@/.exec(address)?.[1] ?? Number.NaN);
}

/** Clients for HTTP and SMTP that record each answer. */
export function createClients({ world, domains, perSecond, random }: ClientsOptions): Clients {
  const submissions: Submission[] = [];

  async function submit(submission: Submission, frontEnd: FrontEnd): Promise<void> {
    const startedMs = performance.now();
    const { outcome, reason } = await (submission.source === "http" ? overHttp : overSmtp)(
      submission,
      frontEnd,
    );
    submission.tries.push({ via: frontEnd.name, outcome, reason, startedMs, endedMs: performance.now() });
  }

  function recipientOf({ number }: Submission): string {
    return `n.${number}@${domains[number % domains.length]}`;
  }

  async function overHttp(submission: Submission, { sendUrl }: FrontEnd): Promise<Answer> {
    try {
      const response = await fetch(sendUrl, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-api-key": world.apiKey,
          ...(submission.hasKey && { "idempotency-key": `number-${submission.number}` }),
        },
        body: JSON.stringify({
          from: "hello@example.com",
          to: recipientOf(submission),
          subject: `Number ${submission.number}`,
          text: "Hello.",
        }),
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      });
      const body = (await response.json()) as { code?: string };
      if (response.status === 202) return { outcome: "accepted", reason: "" };
      return { outcome: "refused", reason: body.code ?? String(response.status) };
    } catch (error) {
      return { outcome: "unknown", reason: String(error) };
    }
  }

  async function overSmtp(submission: Submission, { smtpPort: port }: FrontEnd): Promise<Answer> {
    const { username: user, password: pass } = world.smtp;
    const transport = createTransport({
      host: "127.0.0.1",
      port,
      auth: { user, pass },
      tls: { rejectUnauthorized: false },
      socketTimeout: ANSWER_TIMEOUT_MS,
    });
    try {
      await transport.sendMail({
        from: "hello@example.com",
        to: recipientOf(submission),
        subject: `Number ${submission.number}`,
        text: "Hello.",
        // A resubmitted message is identical in every octet.
        messageId: `<number-${submission.number}@example.com>`,
        date: DATE,
        ...(submission.hasKey && { headers: { "X-Idempotency-Key": `number-${submission.number}` } }),
      });
      return { outcome: "accepted", reason: "" };
    } catch (error) {
      const { responseCode, message } = error as Error & { responseCode?: number };
      // Without a reply the outcome is unknown, unless there was no connection.
      if (responseCode === undefined)
        return { outcome: message.startsWith("connect ") ? "refused" : "unknown", reason: message };
      const isOpen = /may have been accepted/.test(message);
      return { outcome: isOpen ? "unknown" : "refused", reason: message };
    } finally {
      transport.close();
    }
  }

  async function settle(submission: Submission, signal: AbortSignal): Promise<void> {
    await submit(submission, random.pick(world.frontEnds));
    for (let left = LAST_TRIES; submission.hasKey && !accepted(submission) && left > 0; ) {
      await sleep(random.between(AGAIN_AFTER_MS.least, AGAIN_AFTER_MS.most));
      await submit(submission, random.pick(world.frontEnds));
      if (signal.aborted) left--;
    }
  }

  return {
    submissions,
    run: async (signal) => {
      const open = new Set<Promise<void>>();
      while (!signal.aborted) {
        const submission: Submission = {
          number: submissions.length,
          source: random.below(SMTP_SHARE) === 0 ? "smtp" : "http",
          hasKey: random.below(WITHOUT_KEY_SHARE) > 0,
          tries: [],
        };
        submissions.push(submission);
        const one = settle(submission, signal).finally(() => open.delete(one));
        open.add(one);
        await sleep(1000 / perSecond);
      }
      await Promise.all(open);
    },
  };
}

interface Answer {
  readonly outcome: Outcome;
  readonly reason: string;
}

function accepted({ tries }: Submission): boolean {
  return tries.some(({ outcome }) => outcome === "accepted");
}
