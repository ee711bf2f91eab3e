import type { FaultCodeName } from "../../../../../contracts/common/fault-codes.ts";

/** German texts of faults of messages, senders, policies, templates, webhooks, alerts and other resources, by code. */
export const resourceCodes = {
  "resource.stale":
    "Ein anderer Client hat die Ressource geändert. Laden Sie sie neu, und ändern Sie sie dann erneut. Es wurde nichts geändert.",
  "resource.in_use":
    "Andere Ressourcen brauchen diese Ressource. Ändern Sie zuerst diese, oder erzwingen Sie das Entfernen. Es wurde nichts geändert.",
  "job.unknown":
    "Das Konto hat keinen Auftrag mit dieser ID. Aufträge werden 30 Tage nach ihrem Ende entfernt.",
  "job.too_many":
    "Ein Konto kann höchstens 10 offene Aufträge haben. Warten Sie, bis einer endet, oder brechen Sie einen ab. Es wurde nichts gestartet.",
  "job.ended": "Der Auftrag ist beendet und lässt sich nicht mehr abbrechen.",

  "message.too_large": "Die Nachricht wäre, für die Zustellung kodiert, zu groß.",
  "message.malformed":
    "Die Nachricht verletzt eine Regel von RFC 5322, nennt ihren Absender nicht eindeutig oder wiederholt ein Feld, das nur einmal vorkommen darf.",
  "message.looping": "Die Nachricht hat zu viele Received-Felder: Server reichen sie im Kreis weiter.",
  "message.incomplete": "Die Übertragung der Nachricht endete vorzeitig. Es wurde nichts gespeichert.",
  "message.unknown": "Die Nachricht existiert nicht, oder ihre Aufbewahrungsfrist ist abgelaufen.",
  "message.unreadable": "Die gespeicherte Nachricht ist in der Datenbank beschädigt und nicht lesbar.",
  "message.body_gone":
    "Der Inhalt der Nachricht ist nicht mehr gespeichert: Für Inhalte gilt eine kürzere Aufbewahrungsfrist.",
  "message.body_withheld":
    "Der Inhalt wird nicht angezeigt: Hermod hat die Nachricht an einen Benutzer geschrieben, und ihre Links geben Zugang zu einem Konto.",
  "message.in_delivery":
    "Die Nachricht wartet auf einen Versuch, oder ein Versuch läuft. Versuchen Sie es später erneut.",
  "message.not_cancellable":
    "Die Nachricht ist zugestellt oder anders beendet: Sie lässt sich nicht mehr stornieren.",
  "message.cancel_pending":
    "Die Stornierung steht noch aus: Die Nachricht wird storniert, außer ein laufender Versuch stellt sie zu.",
  "message.not_retryable":
    "Die Nachricht ist beendet, geplant oder wird storniert: Es folgt kein erneuter Versuch.",
  "message.not_resendable": "Die Nachricht lässt sich nicht erneut senden. Es wurde nichts gespeichert.",
  "message.confirmation_invalid":
    "Die Bestätigung gilt 10 Minuten lang, nur für den Aufrufer, der sie erhalten hat, und genau für die gezählte Auswahl. Zählen Sie erneut. Es wurde nichts gestartet.",
  "message.bulk_too_large":
    "Eine Sammelaktion kann höchstens 1.000.000 Nachrichten auswählen. Schränken Sie den Filter ein, zum Beispiel nach Zeit. Es wurde nichts geändert.",

  "sender.unverified":
    "Weder der Absender noch seine Domain ist bestätigt. Bestätigen Sie zuerst die Adresse oder die Domain.",
  "sender.not_allowed": "Der Schlüssel darf diesen Absender nicht verwenden.",
  "sender.unknown": "Das Konto hat keinen solchen Absender.",
  "sender.too_many":
    "Das Konto hat zu viele Absender. Entfernen Sie einen, oder bestätigen Sie eine Domain. Es wurde nichts hinzugefügt.",
  "sender.link_invalid":
    "Der Link funktioniert nicht: Er wurde verwendet, durch einen neueren ersetzt, ist nach 24 Stunden abgelaufen oder wurde nicht vollständig kopiert.",
  "sender.null_not_allowed": "Eine Einlieferung muss in MAIL FROM einen Absender nennen.",
  "sender.malformed": "MAIL FROM enthält keine gültige E-Mail-Adresse.",
  "domain.unknown": "Das Konto hat keine Domain mit diesem Namen.",
  "domain.too_many":
    "Das Konto hat zu viele Domains. Entfernen Sie eine, die nicht gebraucht wird. Es wurde nichts hinzugefügt.",
  "domain.too_many_keys":
    "Die DKIM-Schlüssel der Domain wurden zu oft erneuert. Warten Sie, bis die früheren Schlüssel abgelöst sind. Es wurde nichts geändert.",
  "domain.link_invalid":
    "Der Link ist abgelaufen, wurde widerrufen oder ersetzt oder nicht vollständig kopiert. Bitten Sie die Person, die ihn gesendet hat, um einen neuen.",
  "domain.check_too_soon":
    "Die Einträge dieser Domain oder mehrerer Domains des Kontos werden gerade geprüft oder wurden eben geprüft. Versuchen Sie es später erneut.",
  "suppression.unknown": "Die Sperrliste hat in diesem Bereich keinen Eintrag für diese Adresse.",
  "suppression.confirmation_invalid":
    "Die Bestätigung gilt 10 Minuten lang, nur für das Mitglied, das sie erhalten hat, und genau für den gezählten Filter. Zählen Sie erneut. Es wurde nichts gestartet.",
  "erasure.unknown":
    "Das Konto hat keine Löschung mit dieser ID, oder die Aufbewahrungsfrist ihres Nachweises ist abgelaufen.",
  "erasure.too_many":
    "Ein Konto kann höchstens 100 Löschungen gleichzeitig haben. Warten Sie, bis einige beendet sind. Es wurde nichts gestartet.",
  "return_path.unknown":
    "Der Return-Path existiert nicht: Mit dieser Adresse wurde keine Nachricht gesendet.",
  "unsubscribe.token_invalid":
    "Der Abmeldelink stammt nicht von dieser Installation, oder er wurde nicht vollständig kopiert.",

  "policy.unknown": "Das Konto hat keine Routing-Richtlinie mit dem angegebenen Namen.",
  "policy.not_found":
    "Das Konto hat keine Routing-Richtlinie mit diesem Namen, oder sie wurde gelöscht. Es wurde nichts geändert.",
  "policy.version_not_found":
    "Die Routing-Richtlinie hat keine Version mit dieser Nummer. Hermod speichert die neuesten 100 Versionen. Es wurde nichts geändert.",
  "policy.exists":
    "Eine Routing-Richtlinie mit diesem Namen existiert bereits. Ersetzen Sie sie, oder wählen Sie einen anderen Namen. Es wurde nichts geändert.",
  "policy.stale":
    "Die Routing-Richtlinie wurde inzwischen geändert. Laden Sie sie neu, und ändern Sie sie dann erneut. Es wurde nichts geändert.",
  "policy.is_default":
    "Die Routing-Richtlinie ist der Standard. Legen Sie zuerst eine andere als Standard fest. Es wurde nichts geändert.",
  "policy.operator_owned":
    "Der Betreiber hat die Routing-Richtlinie gespeichert: Mitglieder können sie nicht ändern. Fügen Sie eine mit einem anderen Namen hinzu. Es wurde nichts geändert.",
  "policy.too_many":
    "Ein Konto kann bis zu 1.000 Routing-Richtlinien haben. Eine gelöschte zählt, solange Nachrichten sie noch brauchen können. Es wurde nichts hinzugefügt.",
  "queue.hold_unknown": "Genau dieses Konto, dieses Ziel oder diese Richtlinie ist nicht angehalten.",
  "queue.too_many_holds":
    "Zu viele Warteschlangen sind angehalten. Geben Sie einige frei, oder halten Sie alle Nachrichten einer Richtlinie an.",

  "template.unknown": "Das Konto hat keine veröffentlichte Vorlage mit diesem Namen.",
  "template.not_found": "Das Konto hat keine Vorlage mit diesem Namen, oder sie wurde gelöscht.",
  "template.version_not_found":
    "Die Vorlage hat keine solche Version, keinen Entwurf oder keine veröffentlichte Version.",
  "template.exists":
    "Eine Vorlage mit diesem Namen existiert bereits. Wählen Sie einen anderen Namen. Es wurde nichts geändert.",
  "template.stale":
    "Die Vorlage wurde inzwischen geändert. Laden Sie sie neu, und ändern Sie sie dann erneut. Es wurde nichts geändert.",
  "template.draft_missing":
    "Die Vorlage hat keinen Entwurf. Speichern Sie zuerst einen. Es wurde nichts geändert.",
  "template.variable_missing":
    "Die Vorlage verwendet eine Variable, die in den Daten fehlt und keinen Ersatzwert hat.",
  "template.variable_type": "Ein Wert in den Daten hat nicht den Typ, den die Vorlage deklariert.",

  "webhook.unknown": "Das Konto hat keinen Webhook-Endpunkt mit dieser ID. Es wurde nichts geändert.",
  "webhook.version_not_found":
    "Der Webhook-Endpunkt hat keine Version mit dieser Nummer. Hermod speichert die neuesten 100 Versionen. Es wurde nichts geändert.",
  "webhook.stale":
    "Der Webhook-Endpunkt wurde inzwischen geändert. Laden Sie ihn neu, und ändern Sie ihn dann erneut. Es wurde nichts geändert.",
  "webhook.too_many":
    "Ein Konto kann bis zu 20 Webhook-Endpunkte haben, auch deaktivierte zählen. Es wurde nichts hinzugefügt.",
  "webhook.disabled":
    "Der Webhook-Endpunkt ist deaktiviert. Aktivieren Sie ihn zuerst. Es wurde nichts gesendet.",
  "webhook.delivery_unknown":
    "Die Übermittlung existiert nicht, oder ihre Aufbewahrungsfrist ist abgelaufen. Es wurde nichts gesendet.",
  "webhook.delivery_waiting": "Die Übermittlung steht noch aus. Es wurde nichts geändert.",
  "webhook.delivery_ended":
    "Die Übermittlung ist beendet: Sie lässt sich erneut übermitteln, aber nicht vorziehen. Es wurde nichts geändert.",
  "webhook.delivery_dropped":
    "Die Nachricht der Übermittlung wurde entfernt, bevor sie gesendet werden konnte. Es wurde nichts geändert.",

  "alert_rule.unknown": "Das Konto hat keine Alarmregel mit diesem Namen. Es wurde nichts geändert.",
  "alert_rule.version_not_found":
    "Die Alarmregel hat keine Version mit dieser Nummer. Hermod speichert die neuesten 100 Versionen. Es wurde nichts geändert.",
  "alert_rule.too_many":
    "Ein Konto kann bis zu 2.000 Alarmregeln haben, auch deaktivierte zählen. Es wurde nichts hinzugefügt.",
  "alert_target.unknown": "Das Konto hat kein Alarmziel mit dieser ID. Es wurde nichts geändert.",
  "alert_target.exists":
    "Das Konto hat bereits ein Alarmziel mit diesem Namen. Wählen Sie einen anderen Namen. Es wurde nichts geändert.",
  "alert_target.too_many": "Ein Konto kann bis zu 100 Alarmziele haben. Es wurde nichts hinzugefügt.",
  "alert_target.no_secret":
    "Nur Anfragen an Alarmziele der Art `webhook` werden signiert. Es wurde nichts geändert.",
  "alert.unknown": "Der Alarm existiert nicht, oder seine Aufbewahrungsfrist ist abgelaufen.",
  "incident.unknown":
    "Der Vorfall existiert nicht, oder seine Aufbewahrungsfrist ist abgelaufen. Es wurde nichts geändert.",
  "incident.resolved":
    "Ein behobener Vorfall sendet keine Benachrichtigungen und lässt sich nicht zurückstellen. Öffnen Sie ihn zuerst wieder. Es wurde nichts geändert.",
  "incident.group_open":
    "Ein späterer Vorfall derselben Alarmregel und Gruppe ist offen. Dieser Vorfall lässt sich nicht wieder öffnen. Es wurde nichts geändert.",
  "incident.rule_removed":
    "Die Alarmregel des Vorfalls wurde entfernt. Er lässt sich nicht wieder öffnen. Es wurde nichts geändert.",
  "incident.too_many_notes": "Ein Vorfall kann bis zu 500 Notizen haben. Es wurde nichts hinzugefügt.",
  "incident.confirmation_invalid":
    "Die Bestätigung einer Sammelaktion gilt 10 Minuten lang, für den Aufrufer, der sie erhalten hat, und nur für die gezählten Vorfälle. Zählen Sie erneut. Es wurde nichts gestartet.",
  "incident.bulk_too_large":
    "Eine Sammelaktion kann höchstens 100.000 Vorfälle umfassen. Grenzen Sie den Filter ein, zum Beispiel nach Zeit. Es wurde nichts geändert.",
  "incident.link_invalid":
    "Der Link ist nach 30 Tagen abgelaufen, sein Vorfall ist nicht mehr gespeichert, oder er wurde nicht vollständig kopiert. Es wurde nichts geändert.",
  "heartbeat.unknown": "Der Heartbeat existiert nicht. Es wurde nichts geändert.",
  "heartbeat.too_many": "Ein Konto kann bis zu 1.000 Heartbeats haben. Es wurde nichts hinzugefügt.",
  "silence.unknown":
    "Die Stummschaltung existiert nicht, oder ihre Aufbewahrungsfrist ist abgelaufen. Es wurde nichts geändert.",
  "silence.ended":
    "Eine beendete Stummschaltung lässt sich nicht ändern. Erstellen Sie eine neue. Es wurde nichts geändert.",
  "silence.too_many":
    "Ein Konto kann bis zu 1.000 Stummschaltungen haben, die nicht beendet sind. Es wurde nichts hinzugefügt.",
  "silence.unconfirmed":
    "Die Stummschaltung trifft fast jeden Alarm. Bestätigen Sie sie mit confirm, oder fügen Sie Bedingungen hinzu. Es wurde nichts hinzugefügt oder geändert.",
  "inhibition.unknown": "Das Konto hat keine Unterdrückung mit diesem Namen. Es wurde nichts geändert.",
  "inhibition.version_not_found":
    "Die Unterdrückung hat keine Version mit dieser Nummer. Hermod speichert die neuesten 100 Versionen. Es wurde nichts geändert.",
  "on_call_schedule.unknown":
    "Das Konto hat keinen Bereitschaftsplan mit diesem Namen. Es wurde nichts geändert.",
  "on_call_schedule.version_not_found":
    "Der Bereitschaftsplan hat keine Version mit dieser Nummer. Hermod speichert die neuesten 100 Versionen. Es wurde nichts geändert.",
  "on_call_schedule.too_many":
    "Ein Konto kann bis zu 200 Bereitschaftspläne haben. Es wurde nichts hinzugefügt.",
  "on_call_override.unknown":
    "Der Bereitschaftsplan hat keine Vertretung mit dieser ID, oder sie endete vor mehr als 90 Tagen. Es wurde nichts geändert.",
  "on_call_override.too_many":
    "Ein Bereitschaftsplan kann bis zu 1.000 Vertretungen haben, die der letzten 90 Tage zählen. Es wurde nichts hinzugefügt.",
  "inhibition.too_many": "Ein Konto kann bis zu 100 Unterdrückungen haben. Es wurde nichts hinzugefügt.",

  "workspace.unknown":
    "Der Arbeitsbereich existiert nicht, oder der Schlüssel gehört zu einem anderen. Es wurde nichts geändert.",
  "workspace.too_many": "Ein Konto kann höchstens 200 Arbeitsbereiche haben. Es wurde nichts erstellt.",
  "client.unknown": "Der Arbeitsbereich hat keinen Client mit dieser ID. Es wurde nichts geändert.",
  "client.duplicate":
    "Ein anderer Client des Arbeitsbereichs hat denselben Namen oder dieselbe external_ref. Es wurde nichts geändert.",
  "client.archived":
    "Der Client ist archiviert und erhält keine weiteren Domains. Stellen Sie ihn zuerst wieder her. Es wurde nichts geändert.",
  "client.not_empty":
    "Ein Client mit Domains wird nur mit ihnen entfernt. Verschieben oder entfernen Sie zuerst seine Domains, oder wiederholen Sie die Anfrage mit `with_domains=true`. Es wurde nichts geändert.",
  "client.too_many":
    "Ein Arbeitsbereich kann höchstens 10.000 Clients haben, auch archivierte zählen. Es wurde nichts erstellt.",
  "domain.duplicate":
    "Der Arbeitsbereich überwacht diese Domain bereits, vielleicht für einen anderen Client. Es wurde nichts hinzugefügt.",
  "watched_domain.unknown":
    "Der Arbeitsbereich überwacht keine Domain mit dieser ID. Es wurde nichts geändert.",
  "watched_domain.too_many":
    "Ein Arbeitsbereich kann höchstens 10.000 Domains überwachen. Es wurde nichts hinzugefügt.",
  "watched_domain.confirmation_invalid":
    "Die Bestätigung eines Imports oder einer Sammelaktion gilt 10 Minuten, für das Mitglied, das sie erhalten hat, und für genau die gezählte Datei oder die gezählten Domains. Zählen Sie erneut. Es wurde nichts begonnen.",
  "watched_domain.check_too_soon":
    "Diese Domain oder mehrere Domains des Kontos werden gerade geprüft oder wurden eben geprüft. Versuchen Sie es später erneut.",
  "subject.not_monitored":
    "Keine überwachte Domain des Arbeitsbereichs hat diese Adresse oder diesen Namen, daher prüft Hermod dafür keine Blacklists. Überwachen Sie zuerst die Domain.",
  "report.empty":
    "Der Bericht wäre leer: Er umfasst keine überwachte Domain. Fügen Sie zuerst eine hinzu. Es wurde nichts erstellt.",
  "report.too_large":
    "Ein Bericht kann höchstens 2.000 Domains umfassen. Erstellen Sie je Client einen Bericht. Es wurde nichts erstellt.",
  "report.over_limit":
    "Der Bericht überschreitet seine Limits. Wählen Sie einen einzelnen Client, weniger Abschnitte (sections) oder einen kürzeren Zeitraum (period). Es wurde nichts gespeichert.",
  "report.unknown":
    "Der Bericht existiert nicht, seine Aufbewahrungsfrist ist abgelaufen, oder ein Mitglied hat ihn entfernt.",
  "report.failed":
    "Der Bericht konnte nicht erzeugt werden. Erzeugen Sie ihn erneut, mit einem anderen Idempotency-Key.",
  "report.not_ready":
    "Der Auftrag des Berichts läuft noch. Warten Sie, bis der Bericht fertig ist, oder brechen Sie den Auftrag ab. Es wurde nichts geändert.",
  "report.too_many_links":
    "Ein Bericht kann höchstens 100 Links haben, auch abgelaufene und widerrufene zählen. Es wurde nichts erstellt.",
  "report.link_invalid":
    "Der Link ist unvollständig, abgelaufen oder widerrufen, oder der Bericht wurde entfernt.",
  "report_link.unknown":
    "Das Konto hat keinen Link mit dieser ID, oder die Aufbewahrungsfrist seines Berichts ist abgelaufen. Es wurde nichts geändert.",
  "label.unknown":
    "Der Arbeitsbereich oder Client hat kein Label, oder das Label hat kein Logo. Es wurde nichts geändert.",
  "schedule.unknown": "Das Konto hat keinen Zeitplan für Berichte mit dieser ID. Es wurde nichts geändert.",
  "schedule.no_recipients":
    "Der Zeitplan nennt keine Empfänger, und der Client hat keine Kontakte. Der Bericht wurde nicht erstellt.",
  "schedule.interrupted":
    "Fünf Versuche, den Bericht zu erstellen, wurden unterbrochen. Der Bericht des nächsten Zeitraums ist nicht betroffen.",
  "schedule.too_many":
    "Ein Arbeitsbereich kann höchstens 1.000 Zeitpläne für Berichte haben. Es wurde nichts erstellt.",
} as const satisfies Partial<Record<FaultCodeName, string>>;
