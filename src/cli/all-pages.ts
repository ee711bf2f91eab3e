import type { Key } from "../../gen/hermod/access/v1/key_service_pb.ts";
import type { CoreClient } from "../rpc/client.ts";

/** An answer of the core with a part of a list. */
interface ListAnswer {
  /** Empty: this is the last page. */
  readonly nextPageToken: string;
}

/**
 * All entries of a list that the core gives page by page.
 * @param read asks for one page; the token is empty for the first
 */
export async function allPages<Answer extends ListAnswer, Entry>(
  read: (pageToken: string) => Promise<Answer>,
  entriesOf: (answer: Answer) => readonly Entry[],
): Promise<Entry[]> {
  const entries: Entry[] = [];
  let pageToken = "";
  do {
    const answer = await read(pageToken);
    entries.push(...entriesOf(answer));
    pageToken = answer.nextPageToken;
  } while (pageToken !== "");
  return entries;
}

/** All keys of an account, SMTP credentials and revoked ones too. */
export function allKeys({ keys }: Pick<CoreClient, "keys">, accountId: string): Promise<Key[]> {
  return allPages(
    (pageToken) => keys.listKeys({ accountId, pageToken }),
    (page) => page.keys,
  );
}
