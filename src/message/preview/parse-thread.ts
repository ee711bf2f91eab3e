/** Entry of the thread that parses a large mail: its source comes with the start, and the result is the only message. */
import { parentPort, workerData } from "node:worker_threads";
import { parseMail } from "./parse-mail.ts";

const { buffer, byteOffset, byteLength } = workerData as Uint8Array;
parseMail(Buffer.from(buffer, byteOffset, byteLength)).then((mail) => parentPort?.postMessage(mail));
