import { splitSource } from "../dkim/header-block.ts";
import { writeSourceHeaders } from "../header/source-headers.ts";

/** A finished message with fields for leaving the list in one click; its own List-Unsubscribe stands. */
export function sourceWithListUnsubscribe(source: Buffer, url: () => string): Buffer {
  const { fields, body } = splitSource(source);
  if (fields.some(({ name }) => name === "list-unsubscribe")) return source;
  const added = [
    { name: "list-unsubscribe", bytes: Buffer.from(`List-Unsubscribe: <${url()}>`) },
    {
      name: "list-unsubscribe-post",
      bytes: Buffer.from("List-Unsubscribe-Post: List-Unsubscribe=One-Click"),
    },
  ];
  // Alone it says nothing, and there may be one only.
  const own = fields.filter(({ name }) => name !== "list-unsubscribe-post");
  return Buffer.concat([writeSourceHeaders([...added, ...own]), body]);
}
