import type { Message } from "../../gen/hermod/message/v1/message_service_pb.ts";
import type { SandboxMessage } from "../../gen/hermod/sandbox/v1/sandbox_service_pb.ts";
import { allPages } from "../../src/cli/all-pages.ts";
import { eventually, type Hermod } from "./start-hermod.ts";

const PAGE = 1000;

/** All stored messages, newest first; with a state, only those in it. */
export function allMessages({ core }: Pick<Hermod, "core">, state = ""): Promise<Message[]> {
  return allPages(
    (pageToken) => core.messages.listMessages({ pageSize: PAGE, pageToken, state }),
    ({ messages }) => messages,
  );
}

/** All messages that the sandbox has captured. */
export function allCaptured({ core }: Pick<Hermod, "core">): Promise<SandboxMessage[]> {
  return allPages(
    (pageToken) => core.sandbox.listSandboxMessages({ pageSize: PAGE, pageToken }),
    ({ messages }) => messages,
  );
}

/** Waits until the sandbox has all stored messages, and returns them. */
export async function untilAllCaptured(hermod: Pick<Hermod, "core">, timeoutMs = 60_000): Promise<Message[]> {
  await eventually(async () => {
    const { messages } = await hermod.core.messages.listMessages({ pageSize: 1, state: "queued" });
    return messages.length === 0 ? true : undefined;
  }, timeoutMs);
  return eventually(async () => {
    const messages = await allMessages(hermod);
    return messages.every(({ state }) => state === "captured") ? messages : undefined;
  }, timeoutMs);
}

/** Counts the occurrences of each value. */
export function tally(values: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
