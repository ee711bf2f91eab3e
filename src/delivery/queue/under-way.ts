import type { MessageDocument } from "../../store/message-documents.ts";
import type { Started } from "./entry.ts";

/** The attempts that are being made, their recording included. */
export interface UnderWay {
  readonly size: number;
  has(id: string): boolean;
  begin(started: Started): void;
  end(started: Started): void;
  /** Whether a message of the partition is among them. */
  busy(partition: number): boolean;
  of(partitions: readonly number[]): MessageDocument[];
  /** The next owners of their partitions do not see these messages: their attempts may be finished here. */
  hide(messages: readonly MessageDocument[]): void;
  isHidden(id: string): boolean;
  /** Resolves when there are none, or the time is over. */
  idle(timeoutMs: number): Promise<void>;
}

export function createUnderWay(): UnderWay {
  const messages = new Map<string, MessageDocument>();
  const hidden = new Set<string>();
  let onIdle: (() => void) | undefined;

  return {
    get size() {
      return messages.size;
    },
    has: (id) => messages.has(id),
    begin: ({ message }) => void messages.set(message._id, message),
    end: ({ message }) => {
      messages.delete(message._id);
      hidden.delete(message._id);
      if (messages.size === 0) onIdle?.();
    },
    busy: (partition) => {
      for (const message of messages.values()) if (message.partition === partition) return true;
      return false;
    },
    of: (partitions) => [...messages.values()].filter(({ partition }) => partitions.includes(partition)),
    hide: (those) => {
      for (const { _id: id } of those) if (messages.has(id)) hidden.add(id);
    },
    isHidden: (id) => hidden.has(id),
    idle: (timeoutMs) => {
      if (messages.size === 0) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        onIdle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}
