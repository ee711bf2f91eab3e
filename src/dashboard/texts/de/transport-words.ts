/** Reasons why a certificate does not match TLSA records, and why there is no MTA-STS policy, by their English text. */
export const transportFailures = {
  "it has no address": "er hat keine Adresse",
  "there is no TLS": "es gibt kein TLS",
  "the server sent no certificate": "der Server hat kein Zertifikat gesendet",

  "the server's certificates cannot be read": "die Zertifikate des Servers sind nicht lesbar",
  "the server has shown no certificate": "der Server hat kein Zertifikat gesendet",
  "no TLSA record matches the certificate": "kein TLSA-Eintrag passt zum Zertifikat",
  "the certificate is not for servers": "das Zertifikat gilt nicht für Server",
  "the certificate is not of {names:text}": "das Zertifikat gilt nicht für {names}",
  "a certificate of the server has expired, or is not valid yet":
    "ein Zertifikat des Servers ist abgelaufen oder noch nicht gültig",
  "no authority of the TLSA records vouches for the certificate":
    "keine Zertifizierungsstelle der TLSA-Einträge bürgt für das Zertifikat",

  "the policy did not come in time": "die Richtlinie kam nicht in der vorgesehenen Zeit",
  "the policy's server answered {status}": "der Server der Richtlinie hat mit {status} geantwortet",
  "the policy is not text/plain": "die Richtlinie ist nicht text/plain",
  "the policy is not UTF-8": "die Richtlinie ist nicht in UTF-8",
  "the policy is longer than {count} octets": "die Richtlinie ist länger als {count} Bytes",
  "the policy has a malformed line": "die Richtlinie hat eine ungültige Zeile",
  "the policy's version is not STSv1": "die Version der Richtlinie ist nicht STSv1",
  "the policy's mode is none of enforce, testing and none":
    "der Modus der Richtlinie ist weder enforce noch testing noch none",
  "the policy names no mx": "die Richtlinie nennt keinen mx",
  "the policy has an mx that is no name of a host": "die Richtlinie hat einen mx, der kein Servername ist",
  "the policy has no usable max_age": "die Richtlinie hat kein nutzbares max_age",
  "the policy's max_age is over {seconds}": "das max_age der Richtlinie ist größer als {seconds}",
  "the certificate of {host} has no alternative names":
    "das Zertifikat von {host} hat keine alternativen Namen",
  "Hostname/IP does not match certificate's altnames: {detail:text}": "das Zertifikat gilt für andere Namen",
  "certificate has expired": "das Zertifikat ist abgelaufen",
  "certificate is not yet valid": "das Zertifikat ist noch nicht gültig",
  "self-signed certificate": "das Zertifikat ist selbstsigniert",
  "self-signed certificate in certificate chain": "ein Zertifikat der Kette ist selbstsigniert",
  "unable to verify the first certificate": "die Kette zu einer öffentlichen Zertifizierungsstelle fehlt",
  "unable to get local issuer certificate": "der Aussteller des Zertifikats ist unbekannt",
} as const;
