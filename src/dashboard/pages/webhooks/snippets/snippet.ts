/** The endpoint for which a program is written. */
export interface Receiver {
  readonly url: string;
  readonly algorithm: string;
  /** `whpk_…`; empty for a secret, which is never shown again. */
  readonly publicKey: string;
}

/** A program that receives events, and refuses requests that Hermod has not signed. */
export interface Snippet {
  readonly file: string;
  readonly command: string;
  /** Language and packages of the program, by the algorithm. */
  readonly needs: (algorithm: string) => string;
  /** The function of the recipes that verifies HMAC-SHA256: a test compares them. */
  readonly hmac: string;
  readonly text: (receiver: Receiver) => string;
}

export const isKeyPair = ({ algorithm }: Pick<Receiver, "algorithm">): boolean => algorithm === "ed25519";

/** The URL for a comment. It ends no comment, and begins no escape of Java. */
export const commented = ({ url }: Receiver): string =>
  (URL.canParse(url) ? new URL(url).href : "").replaceAll("\\", "%5C");
