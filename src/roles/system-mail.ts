import {
  createSystemMail,
  type SystemMail,
  type SystemMailOptions,
} from "../core/system-mail/system-mail.ts";
import { type SystemMailState, systemMailStateOf } from "../core/system-mail/system-mail-state.ts";
import { SYSTEM_ACCOUNT } from "../shared/system-account.ts";
import type { Store } from "../store/store.ts";
import { baseUrlOf } from "./addresses.ts";
import type { Process } from "./process.ts";

/** Mail of Hermod's own, as the settings have it. */
export function composeSystemMail(
  { config, clock, log }: Process,
  parts: Pick<SystemMailOptions, "settings" | "intake" | "partitionOf">,
): SystemMail {
  const { port } = config.http;
  return createSystemMail({
    ...parts,
    from: config.mail.from,
    // A port that the system chooses is nothing that a link could name.
    baseUrl: baseUrlOf(config, port === 0 ? undefined : port)?.replace(/\/+$/, ""),
    contentRetentionMs: config.retention.contentMs,
    clock,
    log,
  });
}

const HOW = "store its routing policy with `hermod policy put FILE --account system`";

/**
 * Finds how mail of Hermod's own leaves, and warns of what an earlier release did otherwise.
 * @throws Fault store.unavailable
 */
export async function checkSystemMail(
  { config, log }: Pick<Process, "config" | "log">,
  { forAccount }: Pick<Store, "forAccount">,
): Promise<SystemMailState> {
  const policy = await forAccount(SYSTEM_ACCOUNT).policies.findDefault();
  const { from, formerPolicy } = config.mail;
  if (formerPolicy !== undefined) {
    const next = policy ? "remove the setting" : `${HOW}, and remove the setting`;
    log.warn(
      { policy: formerPolicy },
      `HERMOD_MAIL_POLICY is ignored, because members can change that policy: ${next}`,
    );
  }
  const hasMail = from !== undefined || config.bounces.postmasterAddress !== undefined;
  const state = systemMailStateOf(hasMail, policy);
  if (state !== "captured") return state;
  log.warn(
    `password resets, invitations, notices and mail to postmaster are captured in the operator's sandbox inbox. To send them, ${HOW}`,
  );
  return state;
}
