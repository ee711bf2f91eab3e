import {
  createSystemMail,
  type SystemMail,
  type SystemMailOptions,
} from "../core/system-mail/system-mail.ts";
import { baseUrlOf } from "./addresses.ts";
import type { Process } from "./process.ts";

/** Mail of Hermod's own, as the settings have it. */
export function composeSystemMail(
  { config, clock, log }: Process,
  parts: Pick<SystemMailOptions, "store" | "settings" | "intake" | "partitionOf">,
): SystemMail {
  const { port } = config.http;
  return createSystemMail({
    ...parts,
    ...config.mail,
    // A port that the system chooses is nothing that a link could name.
    baseUrl: baseUrlOf(config, port === 0 ? undefined : port)?.replace(/\/+$/, ""),
    contentRetentionMs: config.retention.contentMs,
    clock,
    log,
  });
}
