/** Entry of the thread in which a large mail is read: its source comes with the start, and what it says is the only message. */
import { parentPort, workerData } from "node:worker_threads";
import { parseMail } from "./parse-mail.ts";

const { buffer, byteOffset, byteLength } = workerData as Uint8Array;
parseMail(Buffer.from(buffer, byteOffset, byteLength)).then((mail) => parentPort?.postMessage(mail));
