/** German: why something was refused. */
export const GERMAN_REFUSALS = {
  'Too slow': 'Zu langsam',
  'What you sent took too long to arrive. Look at the connection, and send it again.':
    'Das Gesendete hat zu lange gebraucht. Bitte die Verbindung prüfen und noch einmal senden.',
  'Only a part of what you sent has arrived. Send it again.':
    'Vom Gesendeten ist nur ein Teil angekommen. Bitte noch einmal senden.',
  'The server is being stopped. Try again in a few seconds.':
    'Der Server wird gerade beendet. Bitte in ein paar Sekunden noch einmal versuchen.',
  'There is no text yet. Type some.': 'Es fehlt ein Text.',
  'The text has a character that is not seen and cannot be kept. Delete it, or type the text again.':
    'Der Text hat ein unsichtbares Zeichen, das sich nicht speichern lässt. Bitte löschen, oder den Text neu eingeben.',
  'There is no time zone “{found}”. Name one as in Europe/Budapest.':
    'Eine Zeitzone „{found}“ gibt es nicht. Bitte eine wie Europe/Budapest angeben.',
  'There is no language “{found}” for dates. Type one such as de or en-GB.':
    'Eine Sprache „{found}“ gibt es für Daten nicht. Bitte eine wie de oder en-GB angeben.',
  'That is too much for one form. Leave some out, or add it in parts.':
    'Das ist zu viel für ein Formular. Bitte kürzen, oder in Teilen hinzufügen.',
  'This form is from elsewhere, or from an earlier session. Open the page again.':
    'Dieses Formular ist von anderswo oder aus einer früheren Sitzung. Bitte die Seite neu öffnen.',
  'There is nothing to take back any more.': 'Es gibt nichts mehr zurückzunehmen.',
  'This proposal does not wait any more: somebody has decided on it, or has taken it back.':
    'Dieser Vorschlag wartet nicht mehr: Jemand hat entschieden, oder ihn zurückgezogen.',
  'A title is missing. Spaces alone are not one.': 'Es fehlt ein Titel. Leerzeichen allein sind keiner.',
  'A name is missing. Spaces alone are not one.': 'Es fehlt ein Name. Leerzeichen allein sind keiner.',
  'That is too long: it has {count} characters, and {most} are possible. Leave some out.':
    'Das ist zu lang: {count} Zeichen, und {most} sind möglich. Bitte kürzen.',
  'A folder cannot be moved into itself, nor into a folder within it. Choose another place.':
    'Ein Ordner kann nicht in sich selbst verschoben werden, und auch nicht in einen Ordner darin. Bitte einen anderen Ort wählen.',
  'There is a column “{found}” already. Choose another name.':
    'Eine Spalte „{found}“ gibt es schon. Bitte einen anderen Namen wählen.',
  'This collection has no column “{found}”. It may have been renamed or deleted.':
    'Diese Sammlung hat keine Spalte „{found}“. Vielleicht wurde sie umbenannt oder gelöscht.',
  '“{found}” is no day of the calendar. Type year, month and day, such as 2026-12-24.':
    '„{found}“ ist kein Tag im Kalender. Bitte Jahr, Monat und Tag eingeben, etwa 2026-12-24.',
  'Somebody here is called “{found}” already. Choose another name.':
    'Den Namen „{found}“ hat hier schon jemand. Bitte einen anderen wählen.',
  'No document is chosen. Choose at least one that the link reaches.':
    'Kein Dokument ist ausgewählt. Bitte mindestens eines wählen, das der Link erreicht.',
  'What was given does not fit.': 'Eine Angabe passt nicht.',
  'This pattern cannot be searched for.': 'Nach diesem Muster lässt sich nicht suchen.',
  'This list has changed since. Open it again from its beginning.':
    'Diese Liste hat sich inzwischen geändert. Bitte von vorn öffnen.',
  'This access has ended. Open the page again with a link that is valid.':
    'Dieser Zugang gilt nicht mehr. Bitte die Seite mit einem gültigen Link neu öffnen.',
  'This link may not do that.': 'Dieser Link darf das nicht.',
  'This link is paused. Who manages the space can resume it.':
    'Dieser Link ist angehalten. Wer den Bereich verwaltet, kann ihn fortsetzen.',
  'This document is locked, and cannot be changed.': 'Dieses Dokument ist gesperrt und lässt sich nicht ändern.',
  'Only a person has reminders, with a link of their own.': 'Erinnerungen hat nur eine Person mit eigenem Link.',
  'What it is about is not there any more, or this link does not reach it.':
    'Worum es geht, ist nicht mehr da, oder dieser Link erreicht es nicht.',
  'That is not available here.': 'Das gibt es hier nicht.',
  'This address is not for that. Open the page again.': 'Diese Adresse ist dafür nicht da. Bitte die Seite neu öffnen.',
  'Something has changed meanwhile, or stands against it.':
    'Inzwischen hat sich etwas geändert, oder etwas steht dem entgegen.',
  'That is too large.': 'Das ist zu groß.',
  'Content of this type cannot be taken.': 'Inhalt dieser Art wird nicht angenommen.',
  'Those were too many requests at once. Wait a little, and try again.':
    'Das waren zu viele Anfragen auf einmal. Bitte etwas warten und noch einmal versuchen.',
  'The server made a mistake. Its log says more.':
    'Der Server hat einen Fehler gemacht. Mehr steht in seinem Protokoll.',
  'This file is damaged on the server.': 'Diese Datei ist auf dem Server beschädigt.',
  'The space was replaced by another copy. Open the page again.':
    'Der Bereich wurde durch eine andere Kopie ersetzt. Bitte die Seite neu öffnen.',
  'The space is being brought up to date. Try again in a moment.':
    'Der Bereich wird gerade auf den neuesten Stand gebracht. Bitte gleich noch einmal versuchen.',
  'The storage of the server does not answer. Try again in a moment.':
    'Der Speicher des Servers antwortet nicht. Bitte gleich noch einmal versuchen.',
  'The clock of the server is wrong, so nothing is written.':
    'Die Uhr des Servers geht falsch, deshalb wird nichts geschrieben.',
  'The disk of the server is full.': 'Die Festplatte des Servers ist voll.',
  'There is no room left in this space. Delete something, and empty the trash.':
    'In diesem Bereich ist kein Platz mehr. Bitte etwas löschen und den Papierkorb leeren.',
  '(In English: {reason})': '(Auf Englisch: {reason})',
  'Expected a comment with at most {most} different @ handles, found {found}; divide it.':
    'Ein Kommentar kann höchstens {most} verschiedene @-Namen haben, dieser hat {found}. Bitte aufteilen.',
  'Expected the ID of a document, found none; load the page again.':
    'Es fehlt ein Dokument. Bitte die Seite neu laden.',
  'Expected the ID of a folder, document or page, found none; load the page again.':
    'Es fehlt ein Ordner, ein Dokument oder eine Seite. Bitte die Seite neu laden.',
  'Expected at most {most} pinned documents, found that many; unpin one first.':
    'Höchstens {most} Dokumente können angeheftet sein. Bitte erst eines lösen.',
  'Expected at most {most} documents in one HTML file, found {found}; export a folder, or Markdown.':
    'Eine HTML-Datei hat höchstens {most} Dokumente, dies sind {found}. Bitte einen Ordner exportieren, oder Markdown.',
  'Expected an HTML file of at most {most} bytes, found more; export fewer documents, or Markdown.':
    'Eine HTML-Datei hat höchstens {most} Bytes, diese hätte mehr. Bitte weniger Dokumente exportieren, oder Markdown.',
  'Expected a page within a document, found something else; whole documents have their own menu.':
    'Das ist keine Seite in einem Dokument. Ganze Dokumente haben ein eigenes Menü.',
  'Expected rows, keys and texts of cells, found another shape; load the page again.':
    'Die Zellen ließen sich nicht lesen. Bitte die Seite neu laden.',
  'Expected at most {most} rows at once, found {found}; paste them in parts.':
    'Höchstens {most} Zeilen lassen sich auf einmal einfügen, dies sind {found}. Bitte in Teilen einfügen.',
  'Expected at most {most} cells in a row, as many as there are columns from here on, found {found}; show or add columns, or paste fewer. Nothing was changed.':
    'Von hier an gibt es {most} Spalten, eine Zeile hat aber {found} Zellen. Bitte Spalten zeigen oder hinzufügen, oder weniger einfügen. Nichts wurde geändert.',
  'Expected a title in each row, found an empty cell; give it one. Nothing was changed.':
    'Jede Zeile braucht einen Titel, eine Zelle war leer. Nichts wurde geändert.',
  'This link may not delete, and another type takes the place of the column with its values.':
    'Dieser Link darf nicht löschen, und eine andere Art tritt an die Stelle der Spalte mit ihren Werten.',
  'Expected a time, found none; open the page again.': 'Es fehlt eine Zeit. Bitte die Seite neu öffnen.',
  'It has changed nothing in the last hour that still stands.': 'Nichts aus der letzten Stunde ist von ihm noch da.',
  'Expected the word {word}, found {found}; nothing was deleted.':
    'Statt des Worts {word} steht da {found}. Nichts wurde gelöscht.',
  'Expected a link that may add and delete, found another.': 'Dieser Link darf nicht hinzufügen und löschen.',
  'Expected a picture, found none; choose one first.': 'Kein Bild ist ausgewählt. Bitte erst eines wählen.',
  'Expected a picture, found a file of type {type}; choose a picture.':
    'Eine Datei der Art {type} ist kein Bild. Bitte ein Bild wählen.',
  'Expected a picture of this space, found {found}; choose one, or upload it.':
    '{found} ist kein Bild dieses Bereichs. Bitte eines wählen oder hochladen.',
  'The column {name} has no such question; choose another one.':
    'Die Spalte {name} kennt diese Frage nicht. Bitte eine andere wählen.',
  'Expected a column of this collection, found {key}; load the page again.':
    'Diese Sammlung hat keine Spalte {key}. Bitte die Seite neu laden.',
  'Expected {type} for {name}, found “{found}”; correct it, and paste again. Nothing was changed.':
    '„{found}“ passt nicht zu {name} ({type}). Bitte verbessern und noch einmal einfügen. Nichts wurde geändert.',
  'A calendar is by a column of dates, and there is none; add a column of dates.':
    'Ein Kalender richtet sich nach einer Spalte mit Daten, und es gibt keine. Bitte eine hinzufügen.',
  'A calendar is by a column of dates, and {name} is none; choose a date, or nothing for the first one.':
    'Ein Kalender richtet sich nach einer Spalte mit Daten, und {name} ist keine. Bitte eine solche wählen, oder nichts für die erste.',
  'A board is by the options of a column, and there is no column of one of several options; add one.':
    'Ein Board richtet sich nach den Optionen einer Spalte, und es gibt keine solche Spalte. Bitte eine hinzufügen.',
  'The column {name} has no “{question}”; choose another question.':
    'Die Spalte {name} kennt „{question}“ nicht. Bitte eine andere Frage wählen.',
  'Expected the name of a folder, found {found}; choose one of the list.':
    'Gesucht war der Name eines Ordners, gefunden {found}. Bitte einen aus der Liste wählen.',
  'Expected the name of a document, found {found}; choose one of the list.':
    'Gesucht war der Name eines Dokuments, gefunden {found}. Bitte eines aus der Liste wählen.',
  'Expected one folder, found several called {found}; choose one of the list.':
    'Mehrere Ordner heißen {found}. Bitte einen aus der Liste wählen.',
  'Expected one document, found several called {found}; choose one of the list.':
    'Mehrere Dokumente heißen {found}. Bitte eines aus der Liste wählen.',
  'Others changed the same words to “{now}” while you did. Save once more to replace them by yours.':
    'Andere haben dieselben Wörter inzwischen in „{now}“ geändert. Noch einmal speichern ersetzt sie.',
  'Nothing but comments was changed in this document since then, and they stay.':
    'Seitdem wurde in diesem Dokument nichts als Kommentare geändert, und die bleiben.',
  'Nothing in this document was changed since then.': 'Seitdem wurde in diesem Dokument nichts geändert.',
  'Expected at most {most} changes since that moment, found more; choose a later one.':
    'Seit diesem Zeitpunkt gab es mehr als {most} Änderungen. Bitte einen späteren wählen.',
  'This link may not edit the document.': 'Dieser Link darf das Dokument nicht bearbeiten.',
  'Expected a language of the pages, found none; load the page again.':
    'Es fehlt eine Sprache der Seiten. Bitte die Seite neu laden.',
  'Expected one of {values} as {name}, found {given}; choose one of them.':
    'Für {name} geht eines von {values}, gefunden {given}. Bitte eines davon wählen.',
}
