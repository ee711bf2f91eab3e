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
