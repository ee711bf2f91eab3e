import { ABOUT_RECIPIENT, type ReplyRule } from "./reply-rule.ts";

/**
 * Sentences of servers for a recipient that does not exist, by language; `test/fixtures/replies/unknown-recipient.json` has a
 * reply for each, with its source. Sentences about a sender are matched before (`decisive-text.ts`).
 */
const SENTENCES: readonly RegExp[] = [
  // English
  /\b(?:no|is not an?|not an?) (?:(?:valid|known|active|existing|local|such) ){0,2}(?:account|mail ?box|user|recipient|person|address)\b(?: by (?:that|this) name| available for this user| here| at this (?:host|address)|$)/,
  /\bno (?:account|mail ?box|user|recipient) (?:found\b|by (?:that|this) name)/,
  /\bnot in (?:my|our|the) (?:list of )?(?:allowed|valid|known|local) (?:recipients?|rcpts?|users?)\b/,
  /\brcpt (?:to:? ?)?\(?[^ ()]{0,64}\)? does(?: not|n't) exist/,
  /^@:? (?:was |is )?(?:not found|unknown|does(?: not|n't) exist)\b/,
  /\b(?:there is )?no ?one at this address|\baddress no longer accepts mail|\bwrong or no longer valid\b|\bcan'?t accept user\b/,
  // German
  /\b(?:be)?nutzer(?: @)?(?: (?:ist|wurde|hier)){0,2} (?:unbekannt|nicht (?:bekannt|gefunden|vorhanden)|existiert (?:hier )?nicht)/,
  /\b(?:empf.{1,2}nger(?:adresse)?|adressat|postfach|(?:e-?mail-?)?adresse|mailbox)(?: @)?(?: (?:ist|wurde|hier)){0,2} (?:unbekannt|nicht (?:bekannt|gefunden|vorhanden)|existiert (?:hier )?nicht|ung.{1,2}ltig)/,
  /\bunbekannte[rs]? (?:(?:be)?nutzer|empf.{1,2}nger|adressat|postfach|(?:e-?mail-?)?adresse)\b|\bkein (?:solcher )?(?:(?:be)?nutzer|empf.{1,2}nger|postfach)\b/,
  // French
  /\b(?:utilisateur|usager|destinataire|compte|adresse|bo.{1,2}te(?: aux lettres| mail)?)(?: @)?(?: est)? (?:inconnue?|introuvable|inexistante?|invalide|n['’]existe (?:pas|plus))/,
  // Spanish, Italian, Portuguese
  /\b(?:usuario|destinatario|buz.{1,2}n|utente|usu.{1,2}rio|destinat.{1,2}rio)(?: @)?(?: (?:es|è|é))? (?:desconocido|sconosciuto|desconhecido|inexistente|inesistente|inv.{1,2}lido|no existe|non esiste)|\bno existe (?:dicha persona|ese usuario|el (?:usuario|destinatario))/,
  // Dutch
  /\bonbekende (?:gebruiker|ontvanger)\b|\b(?:gebruiker|ontvanger)(?: @)?(?: is)? onbekend\b/,
];

export const unknownRecipient: readonly ReplyRule[] = SENTENCES.map((text) => ({
  phase: ABOUT_RECIPIENT,
  text,
  category: "invalid_mailbox",
  scope: "recipient",
}));
