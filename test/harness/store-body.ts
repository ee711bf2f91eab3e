import type { MessageBody } from "../../src/message/content.ts";
import type { Identity } from "./identity.ts";

export interface OfMessage {
  readonly accountId: string;
  readonly messageId: string;
}

/** Stores the body of a message of `queuedMessage` for a day. @param ofMessage key under which it is stored */
export async function storeBody(
  { store, time }: Pick<Identity, "store" | "time">,
  { accountId, messageId }: OfMessage,
  body: MessageBody,
): Promise<void> {
  const createdAt = time.clock.now();
  await store.acrossAccounts.contents.insertMany([
    {
      id: messageId.replace("msg", "cnt"),
      accountId,
      body,
      sizeBytes: body.kind === "raw" ? body.source.length : 1_000,
      createdAt,
      expireAt: new Date(createdAt.getTime() + 86_400_000),
    },
  ]);
}
