import { type Command, InvalidArgumentError } from "commander";
import type { Domain } from "../../gen/hermod/domain/v1/domain_service_pb.ts";
import { characterStrings } from "../message/dkim/keys.ts";
import { fault } from "../shared/fault.ts";
import { coreCommand } from "./core-command.ts";
import { isoTime, plainTime, printable } from "./output/text.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod domain` */
export function domains(program: Command, surroundings: Surroundings): void {
  const group = program.command("domain").description("DKIM keys of sending domains.");
  domainAdd(group, surroundings);
  domainShow(group, surroundings);
  domainRotate(group, surroundings);
}

/** `hermod domain add` */
function domainAdd(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("add")
    .argument("<domain>", "as example.com")
    .description("Sign mail from a domain: makes its keys and shows the DNS records to publish.");
  coreCommand(surroundings, command, async ({ core, account, args: [name = ""] }) => {
    const { domain } = await core.domains.addDomain({ accountId: account, domain: name });
    if (!domain) throw fault("internal.error", { internal: "the core answered without the domain" });
    return { json: domainJson(domain), text: () => describeDomain(domain) };
  });
}

/** `hermod domain show` */
function domainShow(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("show")
    .argument("<domain>", "as example.com")
    .description("Show the keys of a domain and their DNS records.");
  coreCommand(surroundings, command, async ({ core, account, args: [name = ""] }) => {
    const { domain } = await core.domains.getDomain({ accountId: account, domain: name });
    if (!domain) throw fault("internal.error", { internal: "the core answered without the domain" });
    return { json: domainJson(domain), text: () => describeDomain(domain) };
  });
}

const MAX_HOURS = 24 * 365;

/** `hermod domain rotate`: the next keys, which take over once their records had time to spread. */
function domainRotate(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("rotate")
    .argument("<domain>", "as example.com")
    .description("Make the next keys of a domain; those that sign now go on until then.")
    .option("--after <hours>", "when the new keys take over", readHours, 48);
  coreCommand<{ after: number }>(
    surroundings,
    command,
    async ({ core, account, args: [name = ""] }, { after }) => {
      const request = { accountId: account, domain: name, signAfterHours: after };
      const { domain } = await core.domains.rotateDomain(request);
      if (!domain) throw fault("internal.error", { internal: "the core answered without the domain" });
      return { json: domainJson(domain), text: () => describeDomain(domain) };
    },
  );
}

function readHours(text: string): number {
  const hours = Number(text);
  if (/^\d+$/.test(text) && hours <= MAX_HOURS) return hours;
  throw new InvalidArgumentError(`Give whole hours, at most ${MAX_HOURS}.`);
}

/** A domain as `--json` writes it. */
function domainJson({ accountId, name, keys }: Domain) {
  return {
    account_id: accountId,
    name,
    keys: keys.map((key) => ({
      selector: key.selector,
      algorithm: key.algorithm,
      state: key.state,
      signs_from: isoTime(key.signsFrom),
      dns_record: { type: "TXT", name: key.recordName, value: key.recordValue },
    })),
  };
}

const meanings: Readonly<Record<string, string>> = {
  upcoming: "publish this record before they sign",
  signing: "this record must be published",
  retired: "this record may go a week after the next keys took over",
};

/** For people: each key with the record that publishes it, ready to paste into a zone file (RFC 1035 section 5.1). */
function describeDomain({ name, keys }: Domain): string {
  const blocks = keys.map(({ selector, algorithm, state, signsFrom, recordName, recordValue }) =>
    [
      `  ${printable(selector)}  ${algorithm}  ${state} from ${plainTime(signsFrom)}: ${meanings[state] ?? ""}`,
      `    ${printable(recordName)}.  TXT  ${quotedStrings(recordValue)}`,
    ].join("\n"),
  );
  return [`DKIM keys of ${printable(name)}`, ...blocks].join("\n\n");
}

/** A value of more than 255 octets is several character-strings: most servers refuse one that is longer. */
function quotedStrings(value: string): string {
  return characterStrings(printable(value))
    .map((part) => `"${part.replace(/["\\]/g, "\\$&")}"`)
    .join(" ");
}
