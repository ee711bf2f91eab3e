// German titles and meanings of the checks of watched domains, by id. The API has them in English.

export const checkTitles = {
  "auth.spf.exists": "Es gibt einen SPF-Eintrag",
  "auth.spf.single": "Es gibt nur einen SPF-Eintrag",
  "auth.spf.syntax": "Der SPF-Eintrag ist gültig",
  "auth.spf.lookups": "SPF braucht höchstens zehn DNS-Abfragen",
  "auth.spf.voids": "SPF hat höchstens zwei Abfragen ohne Ergebnis",
  "auth.spf.all": "SPF hat eine Regel für andere Absender",
  "auth.spf.senders": "Jede sendende Adresse besteht SPF",
  "auth.spf.after_all": "Kein SPF-Mechanismus folgt auf all",
  "auth.spf.ptr": "SPF verwendet nicht ptr",
  "auth.spf.redirect_ignored": "SPF kombiniert redirect nicht mit all",
  "auth.spf.type99": "SPF ist ein TXT-Eintrag",
  "auth.spf.size": "Der SPF-Eintrag passt in ein Paket",
  "auth.dkim.key": "Jeder DKIM-Selektor hat einen Schlüssel",
  "auth.dkim.strength": "DKIM-Schlüssel sind stark genug",
  "auth.dkim.testing": "DKIM ist nicht im Testmodus",
  "auth.dmarc.exists": "Es gibt einen DMARC-Eintrag",
  "auth.dmarc.valid": "Der DMARC-Eintrag ist gültig",
  "auth.dmarc.policy": "Die DMARC-Richtlinie lautet quarantine oder reject",
  "auth.dmarc.subdomains": "Subdomains haben keine schwächere DMARC-Richtlinie",
  "auth.dmarc.rua": "DMARC-Berichte sind angefordert",
  "auth.dmarc.rua_authorised": "Berichtsadressen sind für DMARC-Berichte freigegeben",
  "auth.dmarc.removed_tags": "Der DMARC-Eintrag enthält keine abgeschafften Tags",
  "auth.dmarc.alignment": "E-Mails passen zur Domain",
  "transport.starttls": "Mailserver bieten STARTTLS an",
  "transport.cert_trust": "Zertifikate der Mailserver sind vertrauenswürdig",
  "transport.cert_name": "Zertifikate nennen die Mailserver",
  "transport.cert_expiry": "Zertifikate der Mailserver laufen nicht bald ab",
  "transport.tls_version": "Mailserver sprechen TLS 1.2 oder neuer",
  "transport.mta_sts.record": "Es gibt einen MTA-STS-Eintrag",
  "transport.mta_sts.policy": "Die MTA-STS-Richtlinie ist abrufbar und lesbar",
  "transport.mta_sts.mx": "Die MTA-STS-Richtlinie nennt jeden Mailserver",
  "transport.tlsrpt": "TLS-Berichte sind angefordert",
  "transport.dane": "TLSA-Einträge passen zu den Zertifikaten",
  "infra.mx.resolves": "Mailserver haben Adressen",
  "infra.mx.answers": "Mailserver antworten",
  "infra.mx.cname": "Namen der Mailserver sind keine Aliasse",
  "infra.mx.null": "Die Domain hat MX-Einträge oder erklärt, dass sie keine E-Mails empfängt",
  "infra.dnssec": "Die Zone ist mit gültigen DNSSEC-Signaturen signiert",
  "infra.caa": "CAA-Einträge begrenzen, wer Zertifikate ausstellen darf",
  "infra.ipv6": "Mailserver antworten über IPv6",
  "infra.expiry": "Die Registrierung der Domain läuft nicht bald ab",
  "reputation.ptr": "Sendende Adressen haben Reverse-DNS-Namen",
  "reputation.fcrdns": "Reverse-DNS-Namen führen zu den sendenden Adressen",
  "reputation.ehlo": "EHLO verwendet den Reverse-DNS-Namen der sendenden Adresse",
  "reputation.bimi": "Das Logo der Domain kann angezeigt werden (BIMI)",
} satisfies Readonly<Record<string, string>>;

export const checkMeanings = {
  "auth.spf.exists":
    "SPF nennt die Server, die E-Mails der Domain senden dürfen. Ohne Eintrag können Empfänger sie nicht von anderen unterscheiden.",
  "auth.spf.single":
    "Empfänger ignorieren SPF, wenn eine Domain mehrere Einträge hat. Dann besteht keine E-Mail.",
  "auth.spf.syntax":
    "Ein Fehler im Eintrag lässt SPF dauerhaft fehlschlagen. Empfänger behandeln E-Mails dann wie ohne SPF.",
  "auth.spf.lookups":
    "Empfänger brechen nach zehn DNS-Abfragen eines SPF-Eintrags ab. Ein Eintrag, der mehr braucht, schlägt dauerhaft fehl.",
  "auth.spf.voids":
    "Empfänger brechen nach zwei Abfragen ohne Ergebnis ab. Der Eintrag schlägt dann dauerhaft fehl.",
  "auth.spf.all":
    "Das Ende des Eintrags sagt, wie Empfänger E-Mails anderer Server behandeln. Ohne dieses Ende oder mit +all kann jeder senden.",
  "auth.spf.senders":
    "Jede bekannte sendende Adresse muss SPF bestehen. E-Mails anderer Adressen werden oft abgelehnt oder als Spam markiert.",
  "auth.spf.after_all":
    "Empfänger ignorieren jeden Mechanismus nach all. Seine Server sind dann nicht zugelassen.",
  "auth.spf.ptr":
    "Der Mechanismus ptr ist langsam und unzuverlässig. Manche Empfänger ignorieren ihn, und seine Server bestehen dann nicht.",
  "auth.spf.redirect_ignored": "Empfänger ignorieren redirect, wenn der Eintrag auch all enthält.",
  "auth.spf.type99": "Der DNS-Typ SPF ist veraltet. Empfänger lesen nur TXT-Einträge.",
  "auth.spf.size":
    "Eine Antwort, die größer als ein Paket ist, erfordert eine zweite Abfrage über TCP. Manche Resolver können das nicht.",
  "auth.dkim.key":
    "Empfänger prüfen DKIM-Signaturen mit dem Schlüssel, den der Selektor nennt. Ohne ihn schlägt jede Signatur fehl.",
  "auth.dkim.strength":
    "Kurze Schlüssel lassen sich brechen. Empfänger ignorieren RSA-Schlüssel unter 1024 Bit und empfehlen 2048.",
  "auth.dkim.testing":
    "Mit dem Kennzeichen t=y behandeln Empfänger signierte E-Mails womöglich wie unsignierte.",
  "auth.dmarc.exists":
    "DMARC bestimmt, wie Empfänger E-Mails behandeln, die SPF und DKIM nicht bestehen. Große Postfachanbieter verlangen einen Eintrag von Massenversendern.",
  "auth.dmarc.valid": "Empfänger ignorieren einen ungültigen Eintrag, als hätte die Domain kein DMARC.",
  "auth.dmarc.policy":
    "Mit der Richtlinie none stellen Empfänger gefälschte E-Mails wie echte zu. Nur quarantine und reject schützen die Domain.",
  "auth.dmarc.subdomains":
    "Mit einer schwächeren Richtlinie für Subdomains können andere im Namen jeder Subdomain senden.",
  "auth.dmarc.rua":
    "Sammelberichte zeigen, welche Server im Namen der Domain senden, und ob ihre E-Mails bestehen.",
  "auth.dmarc.rua_authorised":
    "Eine Berichtsadresse in einer anderen Domain braucht dort einen DNS-Eintrag. Ohne ihn senden Empfänger keine Berichte.",
  "auth.dmarc.removed_tags":
    "Der aktuelle DMARC-Standard kennt diese Tags nicht mehr. Empfänger ignorieren sie.",
  "auth.dmarc.alignment":
    "Eine E-Mail besteht DMARC nur, wenn die Domain von SPF oder DKIM zur Domain in From passt. Für andere gilt die Richtlinie.",
  "transport.starttls": "Ohne STARTTLS laufen E-Mails an die Domain unverschlüsselt durch das Internet.",
  "transport.cert_trust":
    "Absender, die ein vertrauenswürdiges Zertifikat verlangen, etwa wegen MTA-STS, halten E-Mails sonst zurück.",
  "transport.cert_name":
    "Absender, die den Namen des Servers prüfen, halten E-Mails zurück, wenn das Zertifikat einen anderen nennt.",
  "transport.cert_expiry": "Absender, die Zertifikate prüfen, halten E-Mails nach dem Ablauf zurück.",
  "transport.tls_version": "TLS 1.0 und 1.1 sind unsicher. Manche Absender unterstützen sie nicht mehr.",
  "transport.mta_sts.record":
    "MTA-STS lässt Absender E-Mails an die Domain verschlüsseln und ihre Server prüfen. Der Eintrag kündigt die Richtlinie an.",
  "transport.mta_sts.policy":
    "Absender, die die Richtlinie nicht abrufen können, stellen ohne ihren Schutz zu.",
  "transport.mta_sts.mx":
    "Absender halten E-Mails für einen Mailserver zurück, den eine verbindliche Richtlinie nicht nennt.",
  "transport.tlsrpt":
    "TLS-Berichte zeigen, welche Absender E-Mails an die Domain nicht verschlüsseln konnten, mit dem Grund.",
  "transport.dane":
    "Absender, die DANE unterstützen, halten E-Mails zurück, wenn TLSA-Einträge nicht zu den Zertifikaten passen.",
  "infra.mx.resolves": "E-Mails an die Domain gehen verloren, wenn ihre Mailserver keine Adressen haben.",
  "infra.mx.answers": "E-Mails an die Domain warten und kehren dann zurück, wenn kein Mailserver antwortet.",
  "infra.mx.cname":
    "Der Name eines Mailservers darf kein Alias sein. Manche Absender stellen an einen solchen Namen nicht zu.",
  "infra.mx.null":
    "Eine Domain ohne MX-Einträge sollte mit einem Null-MX erklären, dass sie keine E-Mails empfängt. Sonst versuchen es Absender tagelang.",
  "infra.dnssec":
    "DNSSEC schützt die Einträge der Domain vor Fälschung. Mit ungültigen Signaturen finden viele Resolver gar keinen Eintrag.",
  "infra.caa":
    "CAA-Einträge hindern andere Zertifizierungsstellen daran, Zertifikate für die Domain auszustellen.",
  "infra.ipv6": "Absender ohne IPv4 erreichen die Domain nur über IPv6.",
  "infra.expiry":
    "Eine nicht verlängerte Domain empfängt keine E-Mails mehr, und andere können sie registrieren.",
  "reputation.ptr": "Viele Empfänger lehnen E-Mails von Adressen ohne Reverse-DNS-Namen ab.",
  "reputation.fcrdns":
    "Der Reverse-DNS-Name muss zur Adresse zurückführen. Große Postfachanbieter lehnen andere E-Mails ab.",
  "reputation.ehlo": "Spamfilter misstrauen Servern, die sich mit einem anderen Namen melden.",
  "reputation.bimi":
    "BIMI zeigt das Logo der Domain neben ihren E-Mails, bei Anbietern, die es unterstützen.",
} satisfies Readonly<Record<keyof typeof checkTitles, string>>;

/** Reasons of the limits of scores, by id. */
export const scoreCaps = {
  dnssec_bogus:
    "Die DNSSEC-Signaturen der Zone sind ungültig, deshalb existiert die Domain für Resolver, die DNSSEC prüfen, nicht.",
  unauthenticated:
    "Empfänger können weder SPF noch DKIM verwenden und deshalb E-Mails der Domain nicht von Fälschungen unterscheiden.",
  listed:
    "Spamhaus führt die Domain oder eine ihrer sendenden Adressen, deshalb lehnen die meisten Empfänger ihre E-Mails ab.",
  unaligned: "Die eigenen E-Mails der Domain passen nicht zu ihr: Sie bestehen für sie weder SPF noch DKIM.",
  spf_open: "SPF beschränkt Absender nicht: Es erlaubt alle, oder Empfänger verwenden keinen Eintrag.",
  spf_refuses:
    "SPF schlägt für eine sendende Adresse der Domain fehl, deshalb lehnen Empfänger ihre E-Mails ab.",
  mail_loss:
    "Wegen einer veröffentlichten Richtlinie (MTA-STS oder DANE) halten Absender E-Mails für einen Mailserver zurück.",
  no_mail_server: "Kein Mailserver der Domain antwortet, deshalb gehen E-Mails an sie verloren.",
  no_starttls:
    "STARTTLS funktioniert mit einem Mailserver nicht, deshalb kommen E-Mails an die Domain im Klartext oder gar nicht an.",
  no_dmarc: "Es gibt keinen DMARC-Eintrag, den Empfänger verwenden.",
  critical_finding:
    "Ein Befund ist kritisch: E-Mails gehen verloren oder werden abgelehnt, oder andere können im Namen der Domain senden.",
  warning_finding: "Ein Befund ist eine Warnung: Er mindert das Vertrauen oder wird kritisch.",
} as const;
