/** German: sharing, inviting people, the settings of a space, emptying the trash, and printing. */
export const GERMAN_SHARING = {
  Share: 'Teilen',
  'Print…': 'Drucken …',
  'Your links': 'Eigene Links',
  'The trash was emptied.': 'Der Papierkorb wurde geleert.',
  'There was nothing left to delete. What is here came since.':
    'Es war nichts mehr zu löschen. Was hier ist, kam seitdem dazu.',
  'Saved. It holds from the next call of the link on.': 'Gespeichert. Es gilt ab dem nächsten Aufruf des Links.',
  'Saved. It holds from their next call on.': 'Gespeichert. Es gilt ab dem nächsten Aufruf der Person.',
  'Connect an agent': 'Einen Agenten verbinden',
  'Open the program that you use. Each holds the secret of the link.':
    'Das passende Programm aufklappen. Jeder dieser Texte enthält das Geheimnis des Links.',
  'Words of titles and folders': 'Wörter von Titeln und Ordnern',
  'all documents that are in this folder now: {0}': 'alle Dokumente, die jetzt in diesem Ordner sind: {0}',
  'No document or folder has these words in its title.': 'Kein Dokument und kein Ordner hat diese Wörter im Titel.',
  'Documents here keep everything in them until somebody empties the trash.':
    'Dokumente hier behalten alles, was sie enthalten, bis der Papierkorb geleert wird.',
  'Empty the trash…': 'Papierkorb leeren …',
  'This deletes the document in the trash for good, with all that it holds, its history, and proposals for it. No undo brings it back.':
    'Das löscht das Dokument im Papierkorb endgültig, mit allem, was es enthält, seinem Verlauf und Vorschlägen dazu. Nichts holt es zurück.',
  'This deletes all {0} documents in the trash for good, with all that they hold, their history, and proposals for them. No undo brings them back.':
    'Das löscht alle {0} Dokumente im Papierkorb endgültig, mit allem, was sie enthalten, ihrem Verlauf und Vorschlägen dazu. Nichts holt sie zurück.',
  'Empty the trash?': 'Papierkorb leeren?',
  'There is nothing in the trash.': 'Der Papierkorb ist leer.',
  'What is moved to the trash from now on stays. Backups still have what was deleted, and the file of the space does until <code>scriptorium compact</code> overwrites it.':
    'Was ab jetzt in den Papierkorb kommt, bleibt. Sicherungen enthalten das Gelöschte weiterhin, und die Datei des Bereichs, bis <code>scriptorium compact</code> es überschreibt.',
  'Type “{0}” to go on': 'Zum Fortfahren „{0}“ eingeben',
  'Empty the trash': 'Papierkorb leeren',
  'Invite a person': 'Eine Person einladen',
  'share participant': 'teilen teilnehmer',
  'Empty trash': 'Papierkorb leeren',
  'delete for good': 'endgültig löschen',
  'Share this document': 'Dieses Dokument teilen',
  'link invite': 'link einladen',
  'Print this document': 'Dieses Dokument drucken',
  'paper pdf': 'papier pdf',
  'share access': 'teilen zugang',
  'time zone week language backups storage': 'zeitzone woche sprache sicherungen speicher',
  'Take this away from {0}?': 'Zugang von {0} einschränken?',
  'Take this away from {name}?': 'Zugang von {name} einschränken?',
  'This applies from its next call on.': 'Das gilt ab dem nächsten Aufruf.',
  'Take it away': 'Einschränken',
  'It no longer reaches {0}{1}.': 'Danach nicht mehr erreichbar: {0}{1}.',
  'Links that you make here are yours: they can do no more than you can, and end when you leave.':
    'Hier erstellte Links gehören der Person, die angemeldet ist. Sie erlauben nicht mehr, als diese Person darf, und enden, wenn sie nicht mehr dabei ist.',
  'Change {0}…': '{0} ändern …',
  'Change {name}…': '{name} ändern …',
  'Change…': 'Ändern …',
  'made by signing in': 'durch Anmeldung entstanden',
  'made by the person who runs the space': 'erstellt von der Person, die den Bereich betreibt',
  'made by themselves': 'selbst erstellt',
  'made by {madeBy}': 'erstellt von {madeBy}',
  'Invite a person…': 'Eine Person einladen …',
  'At most: {0}.': 'Höchstens: {0}.',
  'They can no longer sign in, and the links that they made end. What they wrote stays.':
    'Die Person kann sich nicht mehr anmelden, und die von ihr erstellten Links enden. Was sie geschrieben hat, bleibt.',
  'What this person may do at most': 'Was diese Person höchstens darf',
  'They sign in with this name and a password that you get once the form is sent. A server that runs with <code>scriptorium serve --oauth</code> asks for both.':
    'Die Anmeldung geht mit diesem Namen und einem Passwort, das nach dem Absenden einmal gezeigt wird. Ein Server, der mit <code>scriptorium serve --oauth</code> läuft, fragt nach beidem.',
  Invite: 'Einladen',
  'The password is shown only this once. The space keeps only a hash of it. Give it only to {0}.':
    'Das Passwort wird nur dieses eine Mal gezeigt. Der Bereich behält davon nur einen Hash. Es ist nur für {0}.',
  'The address answers on a server that runs with <code>scriptorium serve --oauth</code>.':
    'Die Adresse antwortet auf einem Server, der mit <code>scriptorium serve --oauth</code> läuft.',
  Password: 'Passwort',
  'This applies to everything they do from now on: when they sign in, over links that are theirs, and over links that they made for others.':
    'Das gilt ab jetzt für alles: nach der Anmeldung, über eigene Links, und über Links, die die Person für andere erstellt hat.',
  Backups: 'Sicherungen',
  'Dates and numbers are written as in': 'Daten und Zahlen wie in',
  'the language of each reader': 'der Sprache der lesenden Person',
  'The space is in a database, which is backed up as databases are, with its files.':
    'Der Bereich ist in einer Datenbank, die samt seinen Dateien so gesichert wird wie Datenbanken sonst.',
  'This server makes no backups. <code>scriptorium serve --backup-to FOLDER --every 24h --keep 7</code> makes them by itself, and <code2>scriptorium backup --to FOLDER</code2> makes one now.':
    'Dieser Server macht keine Sicherungen. <code>scriptorium serve --backup-to FOLDER --every 24h --keep 7</code> macht sie von selbst, und <code2>scriptorium backup --to FOLDER</code2> macht jetzt eine.',
  'every hour': 'jede Stunde',
  'every {n} hours': 'alle {n} Stunden',
  'more than once an hour': 'mehrmals in der Stunde',
  '{0} <code>scriptorium restore</code> brings one back.':
    '{0} <code>scriptorium restore</code> stellt eine wieder her.',
  'The last attempt failed {0}. The log of the server says why. It tries again.':
    'Der letzte Versuch ist fehlgeschlagen: {0}. Das Protokoll des Servers nennt den Grund. Er versucht es erneut.',
  'There is no backup yet. The server makes one {0}.': 'Es gibt noch keine Sicherung. Der Server macht {0} eine.',
  'The last backup is from <b>{0}</b> ({1}, without the bytes of files). The server makes one {2}.':
    'Die letzte Sicherung ist von <b>{0}</b> ({1}, ohne die Bytes der Dateien). Der Server macht {2} eine.',
}
