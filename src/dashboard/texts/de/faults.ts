import type { FaultCodeName } from "../../../../contracts/common/fault-codes.ts";
import type { FaultReason } from "../../../../contracts/common/fault-texts/fault-texts.ts";
import type { FieldFaultCodeName } from "../../../../contracts/common/field-fault-codes.ts";
import { accessReasons } from "./api/access-texts.ts";
import { addressReasons } from "./api/address-texts.ts";
import { contentReasons } from "./api/content-texts.ts";
import { accessCodes } from "./api/fault-codes.ts";
import { fieldCodes } from "./api/field-fault-codes.ts";
import { fieldReasons } from "./api/field-texts.ts";
import { fromFieldReasons } from "./api/from-field-texts.ts";
import { invalidFieldReasons } from "./api/invalid-field-texts.ts";
import { resourceCodes } from "./api/resource-fault-codes.ts";
import { resourceReasons } from "./api/resource-texts.ts";

// Texts of refused requests in German. Those of `api/` have the meaning of the server's texts; those below are better for pages.

/** By code, for faults without a reason. */
const ofCodes = {
  "auth.session_missing": "Sie sind abgemeldet. Melden Sie sich erneut an.",
  "auth.session_invalid": "Ihre Sitzung ist beendet. Melden Sie sich erneut an.",
  "auth.credentials_invalid": "Die E-Mail-Adresse oder das Passwort ist falsch.",
  "auth.factor_invalid":
    "Der Code oder der Passkey ist falsch oder wurde schon verwendet. Versuchen Sie es mit dem nächsten Code.",
  "link.unknown":
    "Dieser Link funktioniert nicht mehr: Er wurde verwendet, ist abgelaufen oder wurde nicht vollständig kopiert.",
  "invitation.unknown":
    "Diese Einladung funktioniert nicht mehr: Sie wurde verwendet oder widerrufen, ist abgelaufen, oder ihr Link wurde nicht vollständig kopiert.",
  "auth.reauthentication_required": "Bestätigen Sie Ihre Identität, und versuchen Sie es dann erneut.",
  "auth.throttled":
    "Zu viele falsche Passwörter kamen aus Ihrem Netzwerk. Warten Sie, bevor Sie es erneut versuchen.",
  "mail.throttled": "Zu viele E-Mails wurden angefordert. Warten Sie, bevor Sie es erneut versuchen.",
  "core.unavailable": "Hermod startet oder stoppt gerade. Es wurde nichts geändert.",
  "core.connection_lost": "Die Verbindung brach vor der Antwort ab. Prüfen Sie, ob die Änderung erfolgt ist.",
  "core.timeout": "Hermod hat nicht rechtzeitig geantwortet. Prüfen Sie, ob die Änderung erfolgt ist.",
  "store.full": "Der Datenträger der Datenbank ist voll. Es wurde nichts gespeichert.",
  "template.stale":
    "Ein anderes Mitglied oder Programm hat die Vorlage geändert. Ihre Änderung wurde nicht gespeichert. Prüfen Sie den aktuellen Stand und versuchen Sie es erneut.",
} as const satisfies Partial<Record<FaultCodeName, string>>;

/** By reason; `{name}` is a param of the reason's text. */
const ofReasons = {
  role_does_not_include:
    "Ihre Rolle, {role}, enthält {permission} nicht. Ein Inhaber oder Administrator kann sie ändern.",
  you_do_not_belong_account: "Sie gehören nicht zu diesem Konto.",
  scopes_beyond_role: "Ihre Rolle enthält {scopes} nicht.",
  requests_per_second: "Zu viele Anfragen: höchstens {max} pro Sekunde.",
  sender_and_domain_unverified: "{address} ist nicht bestätigt, und die Domain der Adresse auch nicht.",
  sender_unverified: "{sender} ist nicht bestätigt.",
  key_sender: "Der Schlüssel darf nicht als {address} senden.",
  message_octets_encoded_delivery_allowed:
    "Die Nachricht ist zu groß: {actual} Byte kodiert, höchstens {max}.",
  message_octets_allowed_now: "Die Nachricht ist zu groß: {actual} Byte, höchstens {max}.",
  no_policy: "Die Richtlinie {name} existiert nicht.",
  no_template: "Die Vorlage {name} existiert nicht.",
  message_state: "Die Nachricht hat den Status {state}: Sie lässt sich nicht mehr stornieren.",
  message_not_final:
    "Die Nachricht hat den Status {state} und kann noch zugestellt werden: Sie lässt sich noch nicht erneut senden.",
  own_message: "Hermod hat diese Nachricht selbst geschrieben: Sie lässt sich nicht erneut senden.",
  recipient_erased: "Die Daten des Empfängers werden gelöscht: Die Nachricht lässt sich nicht erneut senden.",
  resent_too_often: "Die Nachricht wurde {max}-mal erneut gesendet. Das ist das Limit.",
  being_withdrawn: "Die Nachricht wird storniert: Es folgt kein erneuter Versuch.",
  not_tried_yet: "Die Nachricht ist geplant, und es gab noch keinen Versuch.",
  no_attempt_follows: "Die Nachricht hat den Status {state}: Es folgt kein erneuter Versuch.",
  missing: "Dieses Feld ist erforderlich.",
  one_of: "Wählen Sie einen dieser Werte: {allowed}.",
  at_most_characters: "Höchstens {max} Zeichen.",
  name_up_to_characters: "Höchstens {max} Zeichen.",
  least_one_recipient_needed: "Fügen Sie einen Empfänger hinzu.",
  sender_needed: "Wählen Sie einen Absender.",
  subject_needed: "Geben Sie einen Betreff ein.",
  header_value_unknown:
    "Geben Sie den Wert des Headers {name} ein: Hermod kennt ihn für die URL der Version nicht.",
  no_at: "Die Adresse hat kein @.",
  nothing_before_at: "Die Adresse hat nichts vor dem @.",
  nothing_after_at: "Die Adresse hat nichts nach dem @.",
  address_empty: "Geben Sie eine Adresse ein.",
  resource_changed:
    "Ein anderes Mitglied oder Programm hat den Stand geändert, den diese Seite geladen hat. Ihre Änderung wurde nicht gespeichert. Prüfen Sie den aktuellen Stand und versuchen Sie es erneut.",
  resource_gone:
    "Ein anderes Mitglied oder Programm hat den Eintrag entfernt. Ihre Änderung wurde nicht gespeichert.",
} as const satisfies Partial<Record<FaultReason, string>>;

export const faults: {
  readonly ofCodes: Readonly<Partial<Record<FaultCodeName | FieldFaultCodeName, string>>>;
  readonly ofReasons: Readonly<Partial<Record<FaultReason, string>>>;
} = {
  ofCodes: { ...accessCodes, ...fieldCodes, ...resourceCodes, ...ofCodes },
  ofReasons: {
    ...accessReasons,
    ...addressReasons,
    ...contentReasons,
    ...fieldReasons,
    ...fromFieldReasons,
    ...invalidFieldReasons,
    ...resourceReasons,
    ...ofReasons,
  },
};
