/** One page of a list of the core. */
interface ListAnswer {
  /** Empty on the last page. */
  readonly nextPageToken: string;
}

/**
 * Reads all entries of a list that the core pages.
 * @param read requests one page; the token is empty for the first page
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
