import type { SenderDomain } from "../../message/checks/check-delivery.ts";
import { checkMail, fromDomain } from "../../message/checks/check-mail.ts";
import { lockHtml } from "../../message/preview/lock-html.ts";
import type { ParsedMail } from "../../message/preview/parse-mail.ts";
import { parseMailApart } from "../../message/preview/parse-mail-apart.ts";
import { readContents } from "../../message/preview/read-contents.ts";
import type { AreaClients } from "../../rpc/client.ts";
import { contentDisposition } from "../../shared/content-disposition.ts";
import { Fault, fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { createSlots } from "../../shared/slots.ts";
import { createCoreFor, type DashboardCall, type DashboardParts } from "./call.ts";
import { checkPreviewOrigin, setFileHeaders, setPreviewHeaders } from "./html-preview.ts";

/** Mails that are read at once: each may have 25 MB, and more while it is read. */
const READ_AT_ONCE = 2;
/** Others that wait for their turn. */
const MAX_WAITING = 100;
const RETRY_AFTER_SECONDS = 5;

type Request = DashboardCall["request"];

interface Call {
  readonly request: Request;
  readonly reply: { header(name: string, value: string): unknown };
}

/** Has the core find a mail, in the name of who asks for it. */
export type LoadMail<Message> = (
  core: AreaClients,
) => Promise<{ readonly message?: Message | undefined; readonly source: Uint8Array }>;

export type MailReader = ReturnType<typeof createMailReader>;

/** Dependencies of areas that show content of mails. */
export interface MailParts extends DashboardParts {
  readonly mails: MailReader;
}

/**
 * Answers with content of mails from any storage. All areas share one reader: mails are hostile and large, and at most
 * two are read at once. Responses being sent do not count.
 */
export function createMailReader(parts: Pick<DashboardParts, "core" | "cookie">) {
  const coreFor = createCoreFor(parts);
  const slots = createSlots(READ_AT_ONCE);
  let present = 0;

  async function open<Message, T>(
    request: Request,
    load: LoadMail<Message>,
    read: (source: Buffer, message: Message | undefined) => T | Promise<T>,
  ): Promise<T> {
    const core = coreFor(request);
    // A request without a session uses no slot. The core decides about the holder's access.
    await core.sessions.checkSession({});
    if (present >= READ_AT_ONCE + MAX_WAITING) {
      throw fault("service.busy", { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    present++;
    try {
      return await slots(async () => {
        const { message, source } = await load(core);
        return read(Buffer.from(source.buffer, source.byteOffset, source.byteLength), message);
      });
    } finally {
      present--;
    }
  }

  const parsed = <T>(request: Request, load: LoadMail<unknown>, read: (mail: ParsedMail) => T) =>
    open(request, load, async (source) => read(await parseMailApart(source)));

  return {
    /** All that can be read of a mail, and the message that the core gave with it. */
    contents: <Message>(request: Request, load: LoadMail<Message>) =>
      open(request, load, async (source, message) => ({ message, contents: await readContents(source) })),

    /** The checks of a mail, by what the core knows of its sender's domain. */
    checks: (request: Request, load: LoadMail<unknown>) =>
      open(request, load, async (source) => {
        const name = fromDomain(source);
        const domain = name === undefined ? undefined : await findSenderDomain(coreFor(request), name);
        return checkMail(source, await parseMailApart(source), domain);
      }),

    /** @param name of the file, without its end */
    async source({ request, reply }: Call, load: LoadMail<unknown>, name: string) {
      checkPreviewOrigin(request);
      const body = await open(request, load, (source) => source);
      setFileHeaders(reply, contentDisposition("attachment", `${name}.eml`));
      return { status: 200, body } as const;
    },

    /** @throws Fault message.unknown where there is none */
    async html({ request, reply }: Call, load: LoadMail<unknown>) {
      checkPreviewOrigin(request);
      const body = await parsed(request, load, ({ html, attachments }) =>
        html === null ? null : lockHtml(html, attachments),
      );
      if (body === null) throw missing("no_html_body");
      setPreviewHeaders(reply);
      return { status: 200, body } as const;
    },

    /** @throws Fault message.unknown where there is none of this number */
    async attachment({ request, reply }: Call, load: LoadMail<unknown>, number: string) {
      checkPreviewOrigin(request);
      const index = /^\d{1,4}$/.test(number) ? Number(number) : -1;
      const found = await parsed(request, load, ({ attachments }) => attachments[index]);
      if (!found) throw missing("no_attachment");
      setFileHeaders(reply, contentDisposition("attachment", found.filename ?? `attachment-${index + 1}`));
      return { status: 200, body: found.content } as const;
    },
  };
}

/** @throws Fault but those that say that the account has no such domain */
async function findSenderDomain({ domains }: AreaClients, name: string): Promise<SenderDomain> {
  try {
    const { domain } = await domains.getDomain({ domain: name });
    if (!domain) return { name };
    return { name, standing: { maySend: domain.maySend, records: domain.records } };
  } catch (error) {
    if (Fault.from(error).code === "domain.unknown") return { name };
    throw error;
  }
}

const missing = (reason: "no_html_body" | "no_attachment") =>
  fault("message.unknown", { public: say(reason) });
