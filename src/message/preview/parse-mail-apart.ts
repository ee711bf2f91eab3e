import { Worker } from "node:worker_threads";
import { programFile } from "../../shared/program-file.ts";
import { type ParsedMail, parseMail } from "./parse-mail.ts";

/** A mail of this size is parsed in some milliseconds for any content. */
const SMALL_BYTES = 128 * 1024;
/** A hostile mail of 25 MB takes some seconds. */
const MOST_MS = 30_000;
const MOST_MEMORY_MB = 1_024;

const THREAD = programFile("parse-thread.js");

/**
 * Parses the bodies and attachments of a message like `parseMail`. A large message has a separate thread, so that it does not
 * delay other requests: excessive time or memory is also reported as a finding.
 */
export async function parseMailApart(source: Buffer): Promise<ParsedMail> {
  if (source.length <= SMALL_BYTES) return parseMail(source);
  // A copy for the thread: others may use the rest of the memory of the source.
  const copy = Uint8Array.from(source);
  const thread = new Worker(THREAD, {
    workerData: copy,
    transferList: [copy.buffer],
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  });
  const timer = setTimeout(() => void thread.terminate(), MOST_MS);
  try {
    return await new Promise<ParsedMail>((resolve) => {
      const fail = (parseError: string) => resolve({ html: null, text: null, attachments: [], parseError });
      thread.once("message", (mail: ParsedMail) => resolve(withBuffers(mail)));
      thread.once("error", (error) => fail(error instanceof Error ? error.message : String(error)));
      thread.once("exit", () => fail(`it takes longer than ${MOST_MS / 1_000} seconds to read`));
    });
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}

/** A Buffer from another thread arrives as a Uint8Array. */
function withBuffers(mail: ParsedMail): ParsedMail {
  const attachments = mail.attachments.map((attachment) => {
    const { buffer, byteOffset, byteLength } = attachment.content;
    return { ...attachment, content: Buffer.from(buffer, byteOffset, byteLength) };
  });
  return { ...mail, attachments };
}
