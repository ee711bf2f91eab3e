import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import {
  messageAttachmentAddress,
  messageContentsQuery,
  messageSourceAddress,
  messageSourceQuery,
} from "../../api/message-contents.ts";
import { MailHeaders, MailText } from "../../parts/mail-parts.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { t } from "../../texts/texts.ts";
import { Preview } from "./preview.tsx";
import { sizeText } from "./size-text.ts";
import type { MessageTab } from "./tabs.ts";

interface ContentsProps {
  readonly id: string;
  readonly part: Exclude<MessageTab, "timeline" | "webhooks" | "source">;
}

/** One part of the contents of a message. */
export function Contents({ id, part }: ContentsProps) {
  const query = useQuery(messageContentsQuery(id));
  return (
    <StateView query={query}>
      {({ text, html, headers, attachments, is_shortened, parse_error }) => (
        <div className="stack">
          {parse_error && <p className="muted tight">{parse_error}</p>}
          {part === "headers" && <MailHeaders fields={headers} />}
          {part === "preview" && (html ? <Preview id={id} /> : <MailText text={text} />)}
          {part === "text" && <MailText text={text} />}
          {part === "html" && <pre className="smtp wrapped">{html || t.message.noHtml}</pre>}
          {part === "attachments" && <Attachments id={id} attachments={attachments} />}
          {is_shortened && part !== "preview" && part !== "attachments" && (
            <p className="faint tight">{t.message.shortened}</p>
          )}
        </div>
      )}
    </StateView>
  );
}

interface Attachment {
  readonly filename: string | null;
  readonly content_type: string;
  readonly size_bytes: number;
}

interface AttachmentsProps {
  readonly id: string;
  readonly attachments: readonly Attachment[];
}

function Attachments({ id, attachments }: AttachmentsProps) {
  if (attachments.length === 0) return <p className="muted tight">{t.message.noAttachments}</p>;
  const rows = attachments.map((attachment, index) => ({ ...attachment, index }));
  const columns: readonly Column<(typeof rows)[number]>[] = [
    {
      heading: t.message.attachment,
      cell: ({ filename, index }) => (
        <a className="link" href={messageAttachmentAddress(id, index)} download>
          {filename ?? t.message.unnamed(index + 1)}
        </a>
      ),
      className: "main",
    },
    { heading: t.message.attachmentType, cell: ({ content_type }) => content_type, className: "muted" },
    { heading: t.message.size, cell: ({ size_bytes }) => sizeText(size_bytes), className: "right num" },
  ];
  return (
    <Table label={t.message.attachments} columns={columns} rows={rows} rowKey={({ index }) => `${index}`} />
  );
}

/** The beginning of the message as transmitted, and all of it as a file. */
export function Source({ id }: { readonly id: string }) {
  const query = useQuery(messageSourceQuery(id));
  return (
    <StateView query={query}>
      {({ text, isShortened }) => (
        <div className="stack">
          <div className="spread">
            <span className="faint">{isShortened && t.message.sourceStart(sizeText(text.length))}</span>
            <Button component="a" variant="default" size="xs" href={messageSourceAddress(id)} download>
              {t.message.downloadSource}
            </Button>
          </div>
          <section className="smtp source" aria-label={t.message.source} tabIndex={0}>
            {text}
          </section>
        </div>
      )}
    </StateView>
  );
}
