/** Asks the user for something; true: it was given. */
type Ask = () => Promise<boolean>;

const nobody: Ask = async () => false;
let factor: Ask = nobody;
let signIn: Ask = nobody;

/** Names the dialogs that ask. Requests that wait for the same dialog share it. */
export function setDialogs(dialogs: { readonly askForFactor: Ask; readonly askForSignIn: Ask }): () => void {
  factor = shared(dialogs.askForFactor);
  signIn = shared(dialogs.askForSignIn);
  return () => {
    factor = nobody;
    signIn = nobody;
  };
}

export const askForFactor: Ask = () => factor();
export const askForSignIn: Ask = () => signIn();

function shared(ask: Ask): Ask {
  let open: Promise<boolean> | undefined;
  return () => {
    open ??= ask().finally(() => {
      open = undefined;
    });
    return open;
  };
}
