/**
 * Reasons and meanings in results of checks, by their English text. In a key, `{name}` matches one word and `{name:text}` any
 * text. The first key that fits counts.
 */
export const checkWords = {
  lookup_failure: {
    budget: "zu viele Abfragen wären nötig",
    "the time limit of the check was reached": "die Zeit für die Prüfung ist abgelaufen",
    "not a name to ask for": "der Name lässt sich nicht abfragen",
    "no answer in time": "keine Antwort in der vorgesehenen Zeit",
    "no answer over TCP in time": "keine Antwort über TCP in der vorgesehenen Zeit",
    "too many answers to other questions": "zu viele Antworten auf andere Fragen",
    "an answer to another question over TCP": "über TCP eine Antwort auf eine andere Frage",
    "a truncated answer over TCP": "über TCP eine abgeschnittene Antwort",
    "the connection was closed before the answer": "die Verbindung wurde vor der Antwort geschlossen",
    "a referral": "ein Verweis auf andere Server",
    "an alias leads to no usable name": "ein Alias führt zu keinem brauchbaren Namen",
    "more than {count} aliases": "mehr als {count} Aliasse",
    "a record is longer than its message": "ein Eintrag ist länger als seine Nachricht",
    "a record has the wrong length": "ein Eintrag hat die falsche Länge",
    "a tag is longer than its record": "ein Tag ist länger als sein Eintrag",

    "connect {cause} {address}": "{cause:system_failure} ({address})",
    "read {cause}": "{cause:system_failure}",
    "write {cause}": "{cause:system_failure}",
    "{host} may not be connected to": "zu {host} ist keine Verbindung erlaubt",
    "{host} has no address that may be connected to":
      "{host} hat keine Adresse, zu der eine Verbindung erlaubt ist",
    "{host} has no address": "{host} hat keine Adresse",
    "connection timed out after {ms} ms": "keine Verbindung innerhalb von {ms} ms",
    "the server did not answer within {ms} ms": "der Server hat innerhalb von {ms} ms nicht geantwortet",
    "the server closed the connection": "der Server hat die Verbindung geschlossen",
    'the server does not speak SMTP: "{detail:text}"': "der Server spricht nicht SMTP: „{detail}“",
    "the server sent an unexpected reply: {detail:text}": "der Server gab eine unerwartete Antwort: {detail}",
    "the server sent a reply with contradictory lines":
      "der Server gab eine Antwort mit widersprüchlichen Zeilen",
    "the server sent a reply that is too long": "der Server gab eine zu lange Antwort",
    "the server sent a line that is too long": "der Server gab eine zu lange Zeile",
    "the server sent more plain text": "der Server sendete weiteren Klartext",
    "TLS handshake failed: {detail:text}": "der TLS-Handshake ist gescheitert: {detail:lookup_failure}",
    "TLS handshake timed out after {ms} ms": "kein TLS-Handshake innerhalb von {ms} ms",
    "the address is not usable for mail servers on the Internet":
      "die Adresse ist für Mailserver im Internet nicht verwendbar",

    "no complete answer within {seconds} seconds":
      "keine vollständige Antwort innerhalb von {seconds} Sekunden",
    "the server limits the query rate (HTTP 429)": "der Server begrenzt die Zahl der Anfragen (HTTP 429)",
    "the server answered with HTTP {status}": "der Server antwortete mit HTTP {status}",
    "the answer has more than {size} KB": "die Antwort hat mehr als {size} KB",
    "the answer is not JSON": "die Antwort ist kein JSON",
    "the answer is not about a domain": "die Antwort handelt nicht von einer Domain",
    "the answer is about another domain": "die Antwort handelt von einer anderen Domain",
    "there are more than {count} redirects": "es gibt mehr als {count} Weiterleitungen",
    "a redirect leads nowhere": "eine Weiterleitung hat kein Ziel",
    "{protocol} is not https:": "{protocol} ist nicht https:",
    "the server answered {status}": "der Server antwortete mit HTTP {status}",
    "the file is larger than {size} KB": "die Datei ist größer als {size} KB",
    "the compressed data is damaged": "die komprimierten Daten sind beschädigt",
    "the answer has an encoding that was not requested ({encoding:text})":
      "die Antwort hat eine Kodierung, die nicht verlangt wurde ({encoding})",
    "socket hang up": "Verbindung abgebrochen",
    aborted: "Verbindung abgebrochen",
    "the list of RDAP servers is not available (HTTP {status})":
      "die Liste der RDAP-Server ist nicht verfügbar (HTTP {status})",
    "the list of RDAP servers is too long": "die Liste der RDAP-Server ist zu lang",
    "the list of RDAP servers is invalid": "die Liste der RDAP-Server ist ungültig",
    "it is below a name that another party has registered":
      "die Domain liegt unter einem Namen, den jemand anderes registriert hat",
    "it is not a registrable name": "der Name lässt sich nicht registrieren",
    "the registry of {zone} has no RDAP server": "das Register von {zone} hat keinen RDAP-Server",

    "the signatures are bogus": "die Signaturen sind falsch",
    "a signature has expired": "eine Signatur ist abgelaufen",
    "a signature is not valid yet": "eine Signatur ist noch nicht gültig",
    "no key matches the DS record": "kein Schlüssel passt zum DS-Eintrag",
    "signatures are missing": "Signaturen fehlen",
    "the key is not a zone key": "der Schlüssel ist kein Zonenschlüssel",
    "the proof that a name does not exist is missing": "der Beweis, dass ein Name nicht existiert, fehlt",
    "a signature expires before it is valid": "eine Signatur läuft ab, bevor sie gültig ist",
    "NSEC3 has too many iterations": "NSEC3 hat zu viele Iterationen",
    "{reason:text}; extended error {more:text}":
      "{reason:lookup_failure}; erweiterter Fehler {more:lookup_failure}",
    "extended error {reason:text}": "erweiterter Fehler {reason:lookup_failure}",
    '{code}, {reason:text}, "{text:text}"': "{code}, {reason:lookup_failure}, „{text}“",
    '{code}, "{text:text}"': "{code}, „{text}“",
    "{code}, {reason:text}": "{code}, {reason:lookup_failure}",

    "{address}: {reason:text}; {more:text}": "{address}: {reason:lookup_failure}; {more:lookup_failure}",
    "{address}: {reason:text}": "{address}: {reason:lookup_failure}",
    "{name} {type}: {reason:text} from {server}": "{name} {type}: {reason:lookup_failure} (von {server})",
    "{name} {type}: {reason:text}": "{name} {type}: {reason:lookup_failure}",
  },
  list_failure: {
    "the operator has disabled it": "der Betreiber hat die Liste abgeschaltet",
    "it is not enabled": "die Liste ist nicht eingeschaltet",
    "it needs a key: {url}": "die Liste braucht einen Schlüssel: {url}",
    "it needs a registration: {url}": "die Liste braucht eine Anmeldung: {url}",
    "its key is invalid: a key has only letters, digits and hyphens":
      "der Schlüssel ist ungültig: Ein Schlüssel hat nur Buchstaben, Ziffern und Bindestriche",
    "its budget is below {count} queries a day": "das Budget liegt unter {count} Anfragen am Tag",
    "the list is disabled until it passes its test twice":
      "die Liste ist abgeschaltet, bis sie ihren Test zweimal besteht",
    "the list fails its test: {reason:text}": "die Liste besteht ihren Test nicht: {reason:list_failure}",
    "it lists an entry that no list has, so it lists everything":
      "sie führt einen Eintrag, den keine Liste hat, führt also alles",
    "it answers with foreign addresses: the resolver invents answers, or the zone no longer belongs to the list":
      "sie antwortet mit fremden Adressen: Der Resolver erfindet Antworten, oder die Zone gehört nicht mehr zur Liste",
    "it does not list the test entry that every list has":
      "sie führt den Testeintrag nicht, den jede Liste hat",
    "it answers with codes that it does not define": "sie antwortet mit Codes, die sie nicht definiert",
    "it refuses the resolver": "sie lehnt den Resolver ab",
    "it does not answer": "sie antwortet nicht",
    "no result": "kein Ergebnis",
    "no usable answer": "keine brauchbare Antwort",
    "no answer in time": "keine Antwort in der vorgesehenen Zeit",
    "the name server answered {code}": "der Nameserver meldet {code}",
    "the name server answered with an error": "der Nameserver meldet einen Fehler",
    "the name server is unreachable": "der Nameserver ist nicht erreichbar",
    "the name of the list is misspelled, or the key is unknown":
      "der Name der Liste ist falsch geschrieben, oder der Schlüssel ist unbekannt",
    "the list refuses queries from open resolvers": "die Liste lehnt Anfragen offener Resolver ab",
    "the list refuses the resolver because it sends too many queries or is not registered":
      "die Liste lehnt den Resolver ab, weil er zu viele Anfragen sendet oder nicht angemeldet ist",
    "not a listing: the list refuses the resolver, or the resolver rewrites answers":
      "kein Eintrag: Die Liste lehnt den Resolver ab, oder der Resolver ändert Antworten",
    "an IP address was queried, but this list contains only domains":
      "gefragt wurde nach einer IP-Adresse, aber diese Liste enthält nur Domains",
    "the list refuses the query": "die Liste lehnt die Anfrage ab",
    "the list refuses the resolver": "die Liste lehnt den Resolver ab",
    "{address} is outside of 127.0.0.0/8, which no list uses":
      "{address} liegt außerhalb von 127.0.0.0/8, was keine Liste verwendet",
    "{address} is not a code of this list": "{address} ist kein Code dieser Liste",
    "{code}: {reason:text}": "{code}: {reason:list_failure}",
  },
  listing_meaning: {
    "SBL: the address sends spam or belongs to a spammer":
      "SBL: die Adresse sendet Spam oder gehört einem Spammer",
    "CSS: the address sends low-reputation mail": "CSS: die Adresse sendet E-Mails von schlechtem Ruf",
    "XBL: the machine is infected or compromised": "XBL: der Rechner ist infiziert oder gekapert",
    "DROP: criminals operate the network": "DROP: Kriminelle betreiben das Netz",
    "PBL: the provider states that the address sends no mail directly":
      "PBL: laut Anbieter sendet die Adresse keine E-Mails direkt",
    "PBL: Spamhaus states that the address sends no mail directly":
      "PBL: laut Spamhaus sendet die Adresse keine E-Mails direkt",
    "BCL: the address controls a botnet": "BCL: die Adresse steuert ein Botnetz",
    "the domain is used for spam": "die Domain wird für Spam verwendet",
    "the domain is used for phishing": "die Domain wird für Phishing verwendet",
    "the domain is used for malware": "die Domain wird für Schadsoftware verwendet",
    "the domain controls a botnet": "die Domain steuert ein Botnetz",
    "the domain is legitimate but abused for spam": "die Domain ist seriös, wird aber für Spam missbraucht",
    "the domain is legitimate, but its redirects are abused for spam":
      "die Domain ist seriös, aber ihre Weiterleitungen werden für Spam missbraucht",
    "the domain is legitimate but abused for phishing":
      "die Domain ist seriös, wird aber für Phishing missbraucht",
    "the domain is legitimate but abused for malware":
      "die Domain ist seriös, wird aber für Schadsoftware missbraucht",
    "the domain is legitimate but abused to control a botnet":
      "die Domain ist seriös, wird aber zum Steuern eines Botnetzes missbraucht",
    "the domain was first seen less than {hours} hours ago":
      "die Domain wurde vor weniger als {hours} Stunden zuerst gesehen",
    "users or spam traps have reported spam from the address":
      "Nutzer oder Spamfallen haben Spam von der Adresse gemeldet",
    "the address has sent mail to spam traps": "die Adresse hat an Spamfallen gesendet",
    "the address takes part in a wave of spam from infected machines":
      "die Adresse ist an einer Spamwelle infizierter Rechner beteiligt",
    "the address has the worst reputation": "die Adresse hat den schlechtesten Ruf",
    "the address has a very bad reputation": "die Adresse hat einen sehr schlechten Ruf",
    "the address has a bad reputation": "die Adresse hat einen schlechten Ruf",
    "the address has a poor reputation": "die Adresse hat einen schlechten Ruf",
    "the address sends spam": "die Adresse sendet Spam",
    "the machine is infected or compromised": "der Rechner ist infiziert oder gekapert",
    "the reverse DNS name of the address is generic":
      "der Reverse-DNS-Name der Adresse ist ein allgemeiner Name",
    "the address has no reverse DNS name": "die Adresse hat keinen Reverse-DNS-Namen",
    "the address appears to belong to a dial-up network and sends spam":
      "die Adresse gehört offenbar zu einem Einwahlnetz und sendet Spam",
    "the address has no reverse DNS name and sends suspicious mail":
      "die Adresse hat keinen Reverse-DNS-Namen und sendet verdächtige E-Mails",
    "the address tries to guess passwords of mail servers":
      "die Adresse versucht, Passwörter von Mailservern zu erraten",
    "DM: the domain sends disposable mail": "DM: die Domain gehört zu Wegwerfadressen",
    "PH: the domain is used for phishing": "PH: die Domain wird für Phishing verwendet",
    "MW: the domain is used for malware": "MW: die Domain wird für Schadsoftware verwendet",
    "CT: the domain tracks clicks of spam": "CT: die Domain verfolgt Klicks in Spam",
    "ABUSE: the domain is advertised by spam": "ABUSE: die Domain wird mit Spam beworben",
    "CR: the website of the domain was compromised": "CR: die Website der Domain wurde gekapert",
    "black: the domain is advertised by spam": "black: die Domain wird mit Spam beworben",
    "grey: the domain appears in bulk mail without consent of all recipients":
      "grey: die Domain erscheint in Massen-E-Mails ohne Zustimmung aller Empfänger",
    "red: the domain is new or watched": "red: die Domain ist neu oder wird beobachtet",
    "the address is abused, as a proxy or by a botnet":
      "die Adresse wird missbraucht, als Proxy oder von einem Botnetz",
    "{code}: {meaning:text}, 127.{more:text}":
      "{code}: {meaning:listing_meaning}, 127.{more:listing_meaning}",
    "{code}: {meaning:text}": "{code}: {meaning:listing_meaning}",
  },
} as const;
