import type { FaultCodeName } from "../../../../../contracts/common/fault-codes.ts";

/** German texts of faults of requests, access, accounts, users, keys and the service, by code. */
export const accessCodes = {
  "request.malformed_json": "Der Body der Anfrage ist kein gültiges JSON. Es wurde nichts gespeichert.",
  "request.undecodable":
    "Die gRPC-Nachricht passt nicht zu ihrem Schema oder enthält ungültiges UTF-8. Es wurde nichts gespeichert.",
  "request.malformed":
    "Die Anfrage ist kein gültiges HTTP, oder sie endete vorzeitig. Es wurde nichts gespeichert.",
  "request.timeout":
    "Die Anfrage kam nicht innerhalb von zwei Minuten vollständig an, und es wurde nichts gespeichert. Senden Sie sie erneut.",
  "request.expectation_failed": "Der Header Expect hat einen anderen Wert als 100-continue.",
  "request.header_too_large": "Die URL und die Header der Anfrage sind zusammen größer als 16 KB.",
  "request.malformed_header": "Ein Header der Anfrage hat einen Wert, der nicht erlaubt ist.",
  "request.not_found": "Keine Operation hat diesen Pfad. /docs zeigt alle Operationen.",
  "request.method_not_allowed":
    "Der Pfad existiert, aber nicht mit dieser Methode. Der Header Allow nennt die erlaubten.",
  "request.unsupported_media_type":
    "Eine Anfrage mit Body braucht Content-Type: application/json in UTF-8 und kein Content-Encoding.",
  "request.too_large": "Der Body der Anfrage ist zu groß.",
  "request.validation_failed":
    "Mindestens ein Feld fehlt, ist unbekannt oder ungültig. Es wurde nichts gespeichert.",
  "request.cross_site":
    "Die Anfrage kommt nicht von den Seiten dieser Installation. Es wurde nichts geändert.",
  "request.unknown":
    "Das Anfrage-Log enthält keine Anfrage mit dieser ID. Der Eintrag kann wegen seines Alters entfernt worden sein.",

  "auth.key_missing":
    "Ein API-Schlüssel ist erforderlich: als X-API-Key, Authorization: Bearer oder Parameter api_key. Ein Deliverability-Schlüssel wird nur als X-API-Key angenommen.",
  "auth.key_invalid": "Der API-Schlüssel ist unbekannt, falsch geschrieben oder widerrufen.",
  "auth.key_expired":
    "Der API-Schlüssel ist abgelaufen oder durch einen anderen ersetzt. Verwenden Sie den neuen, oder erstellen Sie einen.",
  "auth.key_conflict": "Die Anfrage enthält verschiedene API-Schlüssel. Senden Sie nur einen.",
  "auth.key_wrong_kind":
    "Diese Art von Schlüssel wird hier nicht angenommen. Verwenden Sie einen Schlüssel der erforderlichen Art.",
  "auth.key_not_accepted":
    "Das Dashboard nimmt keine API-Schlüssel an. Melden Sie sich an, und senden Sie keinen Schlüssel. Es wurde nichts geändert.",
  "auth.permission_missing":
    "Ihrer Rolle in diesem Konto fehlt die nötige Berechtigung. Ein Inhaber oder Administrator kann die Rolle ändern. Es wurde nichts geändert.",
  "auth.password_change_required":
    "Ändern Sie zuerst das Anfangspasswort, das der Betreiber festgelegt hat. Es wurde nichts geändert.",
  "auth.second_factor_required":
    "Das Passwort stimmt. Bestätigen Sie jetzt Ihren zweiten Faktor. Es wurde nichts geändert.",
  "auth.second_factor_missing":
    "Mitglieder dieses Kontos brauchen einen zweiten Faktor. Richten Sie zuerst einen ein. Es wurde nichts geändert.",
  "auth.scope_missing": "Die Berechtigungen des Schlüssels enthalten diese Operation nicht.",
  "auth.address_not_allowed": "Der Schlüssel darf von dieser IP-Adresse aus nicht verwendet werden.",
  "auth.caller_invalid": "Der gRPC-Aufruf hat kein Token oder ein falsches.",
  "auth.caller_forbidden":
    "Das Token des gRPC-Aufrufs hat eine Rolle, die diese Methode nicht aufrufen darf.",

  "idempotency.in_flight":
    "Eine andere Anfrage mit demselben Idempotency-Key ist in Arbeit. Versuchen Sie es später erneut, um ihre Antwort zu erhalten.",
  "idempotency.key_reused":
    "Dieser Idempotency-Key gehört zu einer angenommenen Anfrage mit einem anderen Body. Verwenden Sie für eine neue Nachricht einen neuen.",
  "rate.limited": "Zu viele Anfragen: Es wurde nichts gespeichert. Versuchen Sie es später erneut.",
  "rate.bytes_in_flight":
    "Zu viele Bytes sind in Arbeit, und es wurde nichts gespeichert. Versuchen Sie es später erneut.",
  "service.busy":
    "Der Dienst ist ausgelastet, und es wurde nichts gespeichert. Versuchen Sie es später erneut.",

  "account.unknown":
    "Kein Konto hat diese ID, oder die Installation hat mehrere Konten, und der Aufruf nennt keines.",
  "account.first":
    "Das erste Konto lässt sich nicht löschen: Es gehört dem Betreiber, und seine DKIM-Schlüssel signieren die E-Mails von Hermod. Es wurde nichts geändert.",
  "account.too_many":
    "Ein Benutzer kann Inhaber von bis zu 20 Konten sein. Verlassen oder löschen Sie zuerst eines. Es wurde nichts geändert.",
  "session.unknown": "Der Benutzer hat keine Sitzung mit dieser ID. Sie kann beendet sein.",
  "session.complete":
    "Die Sitzung braucht keinen zweiten Faktor: Er ist schon bestätigt, oder der Benutzer hat keinen. Es wurde nichts geändert.",
  "user.unknown": "Kein Benutzer hat diese E-Mail-Adresse.",
  "user.exists":
    "Die Adresse hat bereits einen Benutzer. Melden Sie sich stattdessen an. Es wurde nichts geändert.",
  "member.unknown": "Kein Mitglied des Kontos hat diese ID oder Adresse.",
  "member.exists": "Der Benutzer gehört bereits zum Konto. Es wurde nichts geändert.",
  "member.last_owner":
    "Ein Konto behält mindestens einen Inhaber. Machen Sie zuerst ein anderes Mitglied zum Inhaber. Es wurde nichts geändert.",
  "member.grant_exceeded": "Die Rolle hat Berechtigungen, die Ihnen fehlen. Es wurde nichts geändert.",
  "invitation.exists":
    "Die Adresse ist bereits eingeladen. Senden Sie die Einladung erneut, oder widerrufen Sie sie. Es wurde nichts geändert.",
  "invitation.too_many":
    "Ein Konto kann höchstens 500 offene Einladungen haben. Widerrufen Sie einige, oder warten Sie, bis sie ablaufen. Es wurde nichts geändert.",
  "invitation.other_address":
    "Die Einladung ist für eine andere E-Mail-Adresse als die des angemeldeten Benutzers. Es wurde nichts geändert.",
  "invitation.user_exists":
    "Die eingeladene Adresse hat bereits einen Benutzer. Melden Sie sich zuerst an, und nehmen Sie dann die Einladung an. Es wurde nichts geändert.",
  "sign_up.closed":
    "Die Registrierung ist geschlossen: Neue Benutzer brauchen eine Einladung. Es wurde nichts geändert.",
  "mail.not_configured":
    "Hermod kann keine eigenen E-Mails senden: Es fehlt eine Einstellung des Betreibers. Es wurde nichts geändert.",

  "factor.exists":
    "Der Faktor existiert bereits: Ein Benutzer kann nur eine Authenticator-App haben und jeden Passkey nur einmal hinzufügen. Es wurde nichts geändert.",
  "factor.too_many":
    "Ein Benutzer kann bis zu 20 Passkeys haben. Entfernen Sie zuerst einen. Es wurde nichts geändert.",
  "factor.last":
    "Die letzte Anmeldemethode lässt sich nicht entfernen. Setzen Sie zuerst das Passwort per E-Mail zurück, oder fügen Sie einen Passkey hinzu. Es wurde nichts geändert.",
  "factor.unknown":
    "Der Faktor existiert nicht, oder seine Einrichtung begann vor mehr als einer halben Stunde. Es wurde nichts geändert.",
  "passkey.not_available":
    "Passkeys sind nicht verfügbar: Sie brauchen einen Hostnamen mit HTTPS oder localhost, und HERMOD_BASE_URL nennt keines von beiden. Es wurde nichts geändert.",
  "oidc.not_configured":
    "Der Betreiber hat keinen Anbieter für die Anmeldung konfiguriert (HERMOD_OIDC_ISSUER). Es wurde nichts geändert.",
  "oidc.unavailable":
    "Der Anbieter antwortet nicht. Versuchen Sie es später erneut, oder melden Sie sich anders an. Es wurde nichts geändert.",
  "oidc.request_unknown":
    "Die Antwort des Anbieters ist für einen anderen Browser, wurde schon verwendet oder kam nach mehr als zehn Minuten. Beginnen Sie von vorn. Es wurde nichts geändert.",
  "oidc.refused":
    "Der Anbieter oder der Benutzer hat die Anmeldung abgelehnt, oder die Antwort des Anbieters ist ungültig. Es wurde nichts geändert.",
  "oidc.not_allowed":
    "Der Benutzer des Anbieters hat keinen Zugang zu dieser Installation. Es wurde nichts geändert.",
  "oidc.link_required":
    "Die Adresse hat bereits einen Benutzer. Melden Sie sich wie bisher an, und verknüpfen Sie den Anbieter. Es wurde nichts geändert.",
  "oidc.linked_elsewhere":
    "Der Benutzer des Anbieters ist bereits mit einem Benutzer von Hermod verknüpft. Es wurde nichts geändert.",

  "key.not_active":
    "Der Schlüssel ist widerrufen, abgelaufen oder schon ersetzt. Ersetzen Sie seinen Nachfolger. Es wurde nichts geändert.",
  "key.unknown": "Kein Schlüssel hat diese ID oder diesen Anfang.",
  "key.grant_exceeded":
    "Der Schlüssel hätte Berechtigungen, die Ihre Rolle nicht enthält. Es wurde nichts geändert.",

  "cursor.invalid":
    "Der Cursor ist ungültig: Er muss aus einer früheren Antwort mit demselben Pfad, denselben Filtern und derselben Sortierung stammen. Beginnen Sie mit der ersten Seite.",
  "live.too_many_streams":
    "Die Sitzung, ihr Benutzer oder das Konto hat zu viele offene Ereignis-Streams. Versuchen Sie es später erneut.",
  "live.full": "Dieser Prozess kann keine weiteren Ereignis-Streams öffnen. Versuchen Sie es später erneut.",
  "event.cursor_gone":
    "Ereignisse nach diesem Cursor sind nicht mehr gespeichert. Lesen Sie die Nachrichten, um verpasste Änderungen zu finden, und beginnen Sie ohne Cursor.",
  "provider.signature_invalid":
    "Die Anfrage kommt nicht von ihrem Anbieter: Die Signatur ist falsch oder zu alt, oder das Thema steht nicht in HERMOD_SES_TOPICS. Es wurde nichts geändert.",
  "store.unavailable":
    "Die Datenbank hat den Schreibvorgang nicht bestätigt. Versuchen Sie es später erneut, mit demselben Idempotency-Key.",
  "internal.error":
    "Ein interner Fehler ist aufgetreten. Ob die Anfrage angenommen wurde, ist nicht bekannt. Versuchen Sie es mit demselben Idempotency-Key erneut.",
} as const satisfies Partial<Record<FaultCodeName, string>>;
