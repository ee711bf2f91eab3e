import { phrase } from "../shared/phrase.ts";
import type { Capabilities } from "./capabilities.ts";
import type { Channel } from "./channel.ts";
import { nonsense, refusal, SmtpError, type SmtpReply } from "./smtp-error.ts";

export interface SmtpAuth {
  readonly username: string;
  readonly password: string;
}

export interface AuthenticateOptions {
  readonly channel: Channel;
  readonly timeoutMs: number;
  readonly encrypted: boolean;
  readonly capabilities: Capabilities;
  readonly auth: SmtpAuth;
}

const SUCCEEDED = 235;
const CONTINUE = 334;

/**
 * Authenticates with AUTH PLAIN or LOGIN (RFC 4954), only over TLS, because both reveal the password.
 * @throws SmtpError
 */
export async function authenticate(options: AuthenticateOptions): Promise<void> {
  const { channel, timeoutMs, encrypted, capabilities, auth } = options;
  if (!encrypted) {
    throw new SmtpError(phrase("server.auth_needs_tls"), {
      phase: "auth",
      tls: true,
    });
  }

  async function say(line: string, wanted: number, shown = "(credentials)"): Promise<void> {
    channel.write(`${line}\r\n`, 1, `${shown}\r\n`);
    const reply = await channel.reply("auth", timeoutMs);
    if (reply.code !== wanted) throw refusedBy(reply);
  }

  if (capabilities.auth.includes("PLAIN")) {
    return say(
      `AUTH PLAIN ${base64(`\0${auth.username}\0${auth.password}`)}`,
      SUCCEEDED,
      "AUTH PLAIN (credentials)",
    );
  }
  if (capabilities.auth.includes("LOGIN")) {
    await say("AUTH LOGIN", CONTINUE, "AUTH LOGIN");
    await say(base64(auth.username), CONTINUE);
    return say(base64(auth.password), SUCCEEDED);
  }
  throw new SmtpError(phrase("server.no_auth"), { phase: "auth" });
}

function refusedBy(reply: SmtpReply): SmtpError {
  return reply.code >= 400 ? refusal("auth", reply) : nonsense("auth", reply);
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
