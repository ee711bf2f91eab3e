import { type Reply, reply } from "./reply.ts";

/** Limits the cost of one session. */
export interface SessionBudget {
  /** Counts a command that does not lead to a message. Returns a reply if there were too many. */
  command(name: string): Reply | undefined;
  /** Counts a sent reply. Returns another reply if there were too many errors. */
  spend(code: number, enhanced: string | undefined): Reply | undefined;
  /** Resets the budget. */
  renew(): void;
}

const MAX_IDLE_COMMANDS = 100;
const MAX_ERRORS = 20;
const MAX_AUTH_FAILURES = 3;
const IDLE_COMMANDS = new Set(["NOOP", "RSET", "VRFY", "HELP", "HELO", "EHLO", "MAIL"]);
/** Errors of the client program. A wrong recipient address is not one. */
const PROTOCOL_ERRORS = new Set([500, 501, 502, 503, 504, 530, 538, 555]);

export function createSessionBudget(): SessionBudget {
  let idleCommands = 0;
  let errors = 0;
  let authFailures = 0;
  return {
    command: (name) => {
      if (!IDLE_COMMANDS.has(name) || ++idleCommands <= MAX_IDLE_COMMANDS) return undefined;
      return reply(421, "4.7.0", "Too many commands without a message");
    },
    spend: (code, enhanced) => {
      if (code === 535 && ++authFailures >= MAX_AUTH_FAILURES) {
        return reply(421, "4.7.0", "Too many failed authentications");
      }
      if (!PROTOCOL_ERRORS.has(code) || enhanced?.startsWith("5.1.") || ++errors < MAX_ERRORS)
        return undefined;
      return reply(421, "4.7.0", "Too many errors");
    },
    renew: () => {
      idleCommands = 0;
      errors = 0;
    },
  };
}
