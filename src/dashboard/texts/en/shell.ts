import { plural } from "../plural.ts";

// Texts of the frame of all pages, and of what comes before it.

export const common = {
  close: "Close",
  cancel: "Cancel",
  retry: "Try again",
  loading: "Loading",
  older: "Older",
  newest: "Newest",
  any: "any",
  copy: "Copy",
  copied: "Copied",
  showPassword: "Show password",
  email: "Email address",
  password: "Password",
  skipToContent: "Skip to content",
  details: "Details",
  asTable: "As a table",
  time: "Time",
  clearFilters: "Clear filters",
  clear: (label: string) => `Clear: ${label}`,
};

export const problem = {
  title: "This could not be loaded",
  forbidden: "Your role does not allow this",
  notFound: "This does not exist",
  network: "Hermod cannot be reached. Check your connection, then try again.",
  unreadable: (status: number) => `The server answered with something other than Hermod (HTTP ${status}).`,
  trace: "Trace id",
  retryIn: (seconds: number) => `Try again in ${plural(seconds, { one: "second", other: "seconds" })}.`,
};

export const shell = {
  sections: "Sections",
  overview: "Overview",
  sending: "Sending",
  messages: "Messages",
  sandbox: "Sandbox",
  suppressions: "Suppressions",
  account: "Account",
  requests: "Request log",
  setUp: "Set-up",
  keys: "API keys",
  domains: "Domains",
  openMenu: "Open menu",
  searchHint: "Search pages and actions…",
  searchLabel: "Search pages and actions",
  nothingFound: "Nothing found",
  timesIn: (zone: string) => `Times in ${zone}`,
  user: (email: string) => `Account of ${email}`,
  switchAccount: (name: string) => `${name}: switch account`,
  theme: { light: "Light", dark: "Dark", auto: "As the system" },
  colors: (name: string) => `Colors: ${name}`,
  signOut: "Sign out",
  notEncrypted:
    "This page is not encrypted. Everyone between you and the server can read your password and take over your session.",
  pageNotFound: "This page does not exist",
  pageNotFoundDetail: "The address may be mistyped, or the page has moved.",
  toOverview: "Go to the overview",
  crashed: "The page has a fault",
  crashedDetail: "Nothing was changed. Reload the page to go on.",
  reload: "Reload",
};

export const session = {
  brand: "Hermod",
  signIn: "Sign in",
  signInTo: "Sign in to Hermod",
  withPasskeyLabel: "Sign in with a passkey",
  withProviderNamed: (name: string) => `Sign in with ${name}`,
  forgot: "Forgot your password?",
  signUp: "Create an account",
  secondFactor: "Second factor",
  secondFactorDetail: "Show one of your second factors to go on.",
  code: "Code",
  codeDetail: "Six digits of your authenticator app, or a recovery code.",
  usePasskey: "Use a passkey",
  instead: {
    password: "Use your password instead",
    code: "Use a code instead",
    passkey: "Use a passkey instead",
  },
  goOn: "Continue",
  firstPassword: "Choose a password",
  firstPasswordDetail: "Your password is an initial one. Replace it to go on.",
  currentPassword: "Current password",
  newPassword: "New password",
  passwordRule: "At least 12 characters. Several uncommon words are easy to remember.",
  setPassword: "Set password",
  again: "Show that it is you",
  againDetail: "This change needs a factor that was shown in the last ten minutes.",
  ended: "Your session has ended",
  endedDetail: "Sign in again. What you have typed stays.",
  passkeyFailed: "No passkey was used. Try again, or choose another way.",
};

export const secret = {
  once: "Store this now. Hermod keeps no copy that it could show again.",
  stored: "I have stored it",
  done: "Done",
};
