import type { SandboxMessage } from "../../../gen/hermod/sandbox/v1/sandbox_service_pb.ts";
import type { CoreClient } from "../../rpc/client.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";

export interface MessageParams {
  readonly id: string;
}

export interface CapturedMessage {
  readonly message: SandboxMessage;
  /** The message as it would have been sent, byte for byte. */
  readonly source: Buffer;
}

/**
 * Reads one message of the inbox.
 * @throws Fault message.unknown
 */
export async function getCaptured(sandbox: CoreClient["sandbox"], id: string): Promise<CapturedMessage> {
  if (!/^[\w-]{1,100}$/.test(id)) throw unknown(id);
  const { message, source } = await sandbox.getSandboxMessage({ id });
  if (!message) throw unknown(id);
  return { message, source: Buffer.from(source.buffer, source.byteOffset, source.byteLength) };
}

function unknown(id: string) {
  return fault("message.unknown", {
    public: say("sandbox_no_message_id_cleared"),
    internal: `sandbox message ${JSON.stringify(id.slice(0, 100))}`,
  });
}
