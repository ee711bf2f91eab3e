import type { MessagePort } from "node:worker_threads";

/** A connection to the engine for another thread of its process: without a socket, and without copying messages. */
export interface EngineChannel {
  /**
   * Transfers a message of the wire protocol (OP_MSG). Its buffer must have no other content, and is detached.
   * @returns the reply, also a message
   * @throws Error when the engine ends first, or does not answer within 20 s: the result of the message is then unknown
   */
  ask(message: Uint8Array<ArrayBuffer>): Promise<Uint8Array>;
}

interface Asked {
  readonly resolve: (reply: Uint8Array) => void;
  readonly reject: (error: Error) => void;
}

/** Longer than any answer takes. */
const ANSWER_WITHIN_MS = 20_000;
/**
 * Offsets in bytes from the beginning of a message: its own number, and in a reply the number of the message that it answers.
 */
const REQUEST_ID_AT = 4;
const RESPONSE_TO_AT = 8;
const MAX_ID = 0x7fffffff;

/** @param port to `createPortConnection` */
export function openChannel(port: MessagePort): EngineChannel {
  /** Pending requests by the numbers of their messages. */
  const asked = new Map<number, Asked>();
  let lastId = 0;
  let ended = false;

  port.on("message", (replies: readonly Uint8Array[]) => {
    for (const reply of replies) asked.get(viewOf(reply).getInt32(RESPONSE_TO_AT, true))?.resolve(reply);
  });
  port.on("close", () => {
    ended = true;
    for (const { reject } of asked.values()) reject(new Error("the embedded engine has ended"));
  });
  // The engine's own thread keeps the process alive.
  port.unref();

  return {
    ask: async (message) => {
      if (ended) throw new Error("the embedded engine has ended");
      lastId = (lastId + 1) & MAX_ID;
      const id = lastId;
      viewOf(message).setInt32(REQUEST_ID_AT, id, true);
      let late: NodeJS.Timeout | undefined;
      try {
        return await new Promise<Uint8Array>((resolve, reject) => {
          asked.set(id, { resolve, reject });
          // An error is created only if needed: its stack alone costs as much as the transfer of a message.
          late = setTimeout(() => reject(new Error("the embedded engine does not answer")), ANSWER_WITHIN_MS);
          port.postMessage(message, [message.buffer]);
        });
      } finally {
        clearTimeout(late);
        asked.delete(id);
      }
    },
  };
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
