import { Command } from "commander";
import { backup } from "./commands/backup.ts";
import { compact } from "./commands/compact.ts";
import { domainAdd } from "./commands/domain-add.ts";
import { domainRotate } from "./commands/domain-rotate.ts";
import { domainShow } from "./commands/domain-show.ts";
import { keyCreate } from "./commands/key-create.ts";
import { keyList } from "./commands/key-list.ts";
import { keyRevoke } from "./commands/key-revoke.ts";
import { messageCancel } from "./commands/message-cancel.ts";
import { messageList } from "./commands/message-list.ts";
import { messageQuarantineDrop } from "./commands/message-quarantine-drop.ts";
import { messageQuarantineList } from "./commands/message-quarantine-list.ts";
import { messageQuarantineRelease } from "./commands/message-quarantine-release.ts";
import { messageQuarantineShow } from "./commands/message-quarantine-show.ts";
import { messageShow } from "./commands/message-show.ts";
import { policyList } from "./commands/policy-list.ts";
import { policyPut } from "./commands/policy-put.ts";
import { policyShow } from "./commands/policy-show.ts";
import { secretsNewKey } from "./commands/secrets-new-key.ts";
import { secretsRotate } from "./commands/secrets-rotate.ts";
import { senderAdd } from "./commands/sender-add.ts";
import { senderList } from "./commands/sender-list.ts";
import { smtpCredentialCreate } from "./commands/smtp-credential-create.ts";
import { smtpCredentialList } from "./commands/smtp-credential-list.ts";
import { smtpCredentialRevoke } from "./commands/smtp-credential-revoke.ts";
import { start } from "./commands/start.ts";
import { suppressionAdd } from "./commands/suppression-add.ts";
import { suppressionList } from "./commands/suppression-list.ts";
import { suppressionRemove } from "./commands/suppression-remove.ts";
import { templateList } from "./commands/template-list.ts";
import { templatePut } from "./commands/template-put.ts";
import { hasColours } from "./output/has-colours.ts";
import type { Surroundings } from "./surroundings.ts";

const EXIT_CODES = `
Exit codes: 0 done, 1 refused or failed, 2 wrong usage or settings.`;

/** The `hermod` command. Throws CommanderError where commander itself would end the process. */
export function createProgram(surroundings: Surroundings): Command {
  const { out, err, version } = surroundings;
  const program = new Command("hermod")
    .description("Self-hosted e-mail delivery. Commands other than start talk to a running core.")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void out.write(text),
      writeErr: (text) => void err.write(text),
      getOutHasColors: () => hasColours(out),
      getErrHasColors: () => hasColours(err),
      outputError: (text, write) => write(text.replace(/^error: /, "hermod: ")),
    })
    .showHelpAfterError("(--help shows what is possible)")
    .helpCommand("help [command]", "Show help for a command.")
    .helpOption("-h, --help", "show this help")
    .addHelpText("after", EXIT_CODES);
  if (version !== undefined) program.version(version, "-V, --version", "show the version");

  start(program, surroundings);

  const key = program.command("key").description("API keys and SMTP sending keys.");
  keyCreate(key, surroundings);
  keyList(key, surroundings);
  keyRevoke(key, surroundings);

  const smtpCredential = program
    .command("smtp-credential")
    .description("User names and passwords for sending over SMTP.");
  smtpCredentialCreate(smtpCredential, surroundings);
  smtpCredentialList(smtpCredential, surroundings);
  smtpCredentialRevoke(smtpCredential, surroundings);

  const sender = program.command("sender").description("Addresses and domains that mail may be sent from.");
  senderAdd(sender, surroundings);
  senderList(sender, surroundings);

  const domain = program.command("domain").description("DKIM keys of sending domains.");
  domainAdd(domain, surroundings);
  domainShow(domain, surroundings);
  domainRotate(domain, surroundings);

  const policy = program.command("policy").description("Routing policies: how messages leave.");
  policyPut(policy, surroundings);
  policyList(policy, surroundings);
  policyShow(policy, surroundings);

  const template = program.command("template").description("Stored templates.");
  templatePut(template, surroundings);
  templateList(template, surroundings);

  const message = program.command("message").description("What became of messages, and withdrawing them.");
  messageShow(message, surroundings);
  messageList(message, surroundings);
  messageCancel(message, surroundings);
  const quarantine = message
    .command("quarantine")
    .description("Waiting messages that cannot be read and were kept aside.");
  messageQuarantineList(quarantine, surroundings);
  messageQuarantineShow(quarantine, surroundings);
  messageQuarantineRelease(quarantine, surroundings);
  messageQuarantineDrop(quarantine, surroundings);

  const secrets = program
    .command("secrets")
    .description("The keys that secrets in the database are encrypted with.");
  secretsNewKey(secrets, surroundings);
  secretsRotate(secrets, surroundings);

  backup(program, surroundings);
  compact(program, surroundings);

  const suppression = program.command("suppression").description("Addresses that nothing is sent to.");
  suppressionAdd(suppression, surroundings);
  suppressionRemove(suppression, surroundings);
  suppressionList(suppression, surroundings);

  return program;
}
