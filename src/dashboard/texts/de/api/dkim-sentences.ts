import type { dkimSentences as english } from "../../../../../contracts/common/sentences/dkim-sentences.ts";

/** Results of the checks of DKIM keys, by code. */
export const dkimSentences: Readonly<Record<keyof typeof english, string>> = {
  "dkim.expected_key":
    "Jeder Selektor hat einen einzigen Schlüsseleintrag, mit einem Schlüssel, den Empfänger verwenden können.",
  "dkim.expected_strength": "RSA-Schlüssel haben 2048 bis 4096 Bit. Ed25519 ist stark genug.",
  "dkim.expected_testing": "Kein Schlüsseleintrag enthält t=y.",

  "dkim.not_needed": "Die Domain sendet keine E-Mails und braucht keinen DKIM-Schlüssel.",
  "dkim.guessed_keys": "Bekannte Selektoren haben Schlüssel:",
  "dkim.no_guessed_key":
    "Kein bekannter Selektor hat einen Schlüssel. Mit welchen Selektoren E-Mails der Domain signiert werden, ist unbekannt.",
  "dkim.keys": "Jeder Selektor hat einen Schlüssel:",
  "dkim.keys_ignored": "Empfänger ignorieren Signaturen mit so kurzen Schlüsseln:",
  "dkim.keys_short": "Diese Schlüssel sind kurz:",
  "dkim.keys_long": "Manche Empfänger können Schlüssel mit mehr als {bits} Bit nicht verwenden:",
  "dkim.keys_strong": "Die Schlüssel sind stark genug:",
  "dkim.no_usable_key": "Es gibt keinen Schlüssel.",
  "dkim.rsa_key": "{selector} (RSA mit {bits} Bit{end}",
  "dkim.ed25519_key": "{selector} (Ed25519{end}",
  "dkim.key_alias": "bei {alias}{end}",
  "dkim.key_granularity": "mit dem veralteten Tag g{end}",
  "dkim.no_testing": "Kein Schlüssel ist im Testmodus.",
  "dkim.testing": "Empfänger behandeln signierte E-Mails wie unsignierte (t=y): {names}.",

  "dkim.place": "{place}:",
  "dkim.no_record": "Es gibt keinen Schlüsseleintrag.",
  "dkim.several_records":
    "Es gibt {count} TXT-Einträge, und Empfänger wissen nicht, welchen sie verwenden sollen.",
  "dkim.key_revoked": "Der Schlüssel wurde widerrufen: p ist leer.",
  "dkim.no_key_record": "Das ist kein Schlüsseleintrag: „{text}“.",
  "dkim.tags":
    "Die Tags sind nicht lesbar. Schreiben Sie jedes Tag einmal, als Name=Wert, durch Semikolons getrennt.",
  "dkim.no_p": "Der Eintrag hat kein Tag p.",
  "dkim.late_version": "Der Eintrag hat eine Version, beginnt aber nicht mit v=DKIM1.",
  "dkim.hashes": "Das Tag h erlaubt SHA-256 nicht, das jede Signatur braucht (RFC 8301, Abschnitt 3.1).",
  "dkim.services": "Das Tag s erlaubt den Schlüssel nicht für E-Mails.",
  "dkim.base64": "Das Tag p ist kein gültiges Base64. Wahrscheinlich wurde es abgeschnitten.",
  "dkim.key_type": "Der Schlüsseltyp (Tag k) ist weder rsa noch ed25519.",
  "dkim.wrapped":
    "Der Schlüssel hat das Format SubjectPublicKeyInfo. Veröffentlichen Sie bei Ed25519 nur die 32 Bytes des Schlüssels.",
  "dkim.no_rsa_key": "Das Tag p ist kein gültiger Schlüssel vom Typ RSA.",
  "dkim.no_ed25519_key": "Das Tag p ist kein gültiger Schlüssel vom Typ Ed25519, der 32 Bytes hat.",

  "dkim.publish":
    "Veröffentlichen Sie den Eintrag, den der Dienst bereitstellt, der mit diesem Selektor signiert.",
  "dkim.keep_one":
    "Behalten Sie den Eintrag des Schlüssels, der die E-Mails signiert, und entfernen Sie alle anderen.",
  "dkim.replace": "Ersetzen Sie den Eintrag durch diesen.",
  "dkim.ask_target": "Wenden Sie sich an den Betreiber von {alias}, dem Ziel des Alias.",
  "dkim.ask_testing": "Bitten Sie den Betreiber von {name}, t=y zu entfernen.",
  "dkim.new_key":
    "Signieren Sie E-Mails mit einem neuen RSA-Schlüssel mit {bits} Bit, unter einem neuen Selektor.",
};
