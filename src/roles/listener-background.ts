import type { HitCollector } from "../edge/hit-collector.ts";
import type { RequestCollector } from "../edge/request-collector.ts";
import type { BackgroundWork } from "../shared/background.ts";
import type { CertificateFiles } from "../shared/certificate-files.ts";
import type { Process } from "./process.ts";
import { withinTime } from "./readiness.ts";

/** How often the files of a certificate are looked at. */
const CERTIFICATE_MS = 1_000;
const REQUESTS_MS = 1_000;
const HITS_MS = 1_000;

/** The work of the SMTP listeners, besides listening. */
export function smtpBackground({ check }: Pick<CertificateFiles, "check">): readonly BackgroundWork[] {
  return [{ name: "certificate of the SMTP listeners", everyMs: CERTIFICATE_MS, run: check }];
}

/** The work of the public HTTP API over TLS, besides answering. */
export function edgeBackground({ check }: Pick<CertificateFiles, "check">): readonly BackgroundWork[] {
  return [{ name: "certificate of the HTTP API", everyMs: CERTIFICATE_MS, run: check }];
}

/** The log of requests: what is answered is handed over to the core, and the rest of it at the end, if that is there. */
export function requestBackground(
  { flush }: Pick<RequestCollector, "flush">,
  { log }: Pick<Process, "log">,
): readonly BackgroundWork[] {
  return [
    handingOver({
      name: "log of requests",
      everyMs: REQUESTS_MS,
      run: flush,
      stop: flush,
      log,
      whyNot: "the log of requests cannot be written, and the write is retried",
    }),
  ];
}

/** Opens and clicks: the key of their tokens is asked for in time, and what comes is handed over to the core. */
export function hitBackground(
  { tokens, flush }: Pick<HitCollector, "tokens" | "flush">,
  { log }: Pick<Process, "log">,
): readonly BackgroundWork[] {
  const run = async () => {
    await tokens();
    await flush();
  };
  return [
    handingOver({
      name: "opens and clicks",
      everyMs: HITS_MS,
      run,
      stop: flush,
      log,
      whyNot: "opens and clicks cannot be recorded, and the write is retried",
    }),
  ];
}

interface HandingOver extends Pick<Process, "log"> {
  readonly name: string;
  readonly everyMs: number;
  readonly run: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** What the log says when it fails. */
  readonly whyNot: string;
}

/** What the core gets again and again; what it could not get is kept, and comes with the next. */
function handingOver({ name, everyMs, run, stop, log, whyNot }: HandingOver): BackgroundWork {
  let isAway = false;
  return {
    name,
    everyMs,
    run: async () => {
      try {
        await run();
        isAway = false;
      } catch (error) {
        // Said once: it is tried every second.
        if (!isAway) log.warn({ err: error }, whyNot);
        isAway = true;
      }
    },
    stop: () => withinTime(stop()),
  };
}
