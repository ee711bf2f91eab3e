/** Asks the user for a factor or sign-in; true if it was given. */
type Ask = () => Promise<boolean>;

const nobody: Ask = async () => false;
let factor: Ask = nobody;
let signIn: Ask = nobody;

/** Names of the dialogs. Requests that wait for the same dialog share it. One dialog is shown at a time. */
export function setDialogs(dialogs: { readonly askForFactor: Ask; readonly askForSignIn: Ask }): () => void {
  let shown: Promise<unknown> = Promise.resolve();
  const inTurn =
    (ask: Ask): Ask =>
    () => {
      const asked = shown.then(ask);
      shown = asked.catch(() => undefined);
      return asked;
    };
  factor = shared(inTurn(dialogs.askForFactor));
  signIn = shared(inTurn(dialogs.askForSignIn));
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
