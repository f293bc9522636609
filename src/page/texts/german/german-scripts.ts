/** German: what scripts say in the browser: only this file is sent to it. */
export const GERMAN_SCRIPTS = {
  'Open in a new tab': 'In neuem Tab öffnen',
  'This address of the server shows no files within pages. Open it in a new tab, or download it.':
    'Unter dieser Adresse zeigt der Server keine Dateien innerhalb von Seiten. Bitte in neuem Tab öffnen oder herunterladen.',
  'This browser does not show a PDF within a page. Open it in a new tab, or download it.':
    'Dieser Browser zeigt kein PDF innerhalb einer Seite. Bitte in neuem Tab öffnen oder herunterladen.',
  'You are offline. The file can be shown once the server is reached.':
    'Keine Verbindung. Die Datei kann gezeigt werden, sobald der Server erreichbar ist.',
  'The file is not there any more, or this link does not reach it.':
    'Die Datei ist nicht mehr da, oder dieser Link erreicht sie nicht.',
  'This is no PDF, whatever its name says. Download it to look at it elsewhere.':
    'Das ist kein PDF, auch wenn der Name es sagt. Nach dem Herunterladen lässt es sich anderswo ansehen.',
  'This could not be opened.': 'Dies konnte nicht geöffnet werden.',
  'This could not be loaded. Try again.': 'Das konnte nicht geladen werden. Bitte noch einmal versuchen.',
  Comments: 'Kommentare',
  'You are offline. This is sent as soon as there is a connection.':
    'Keine Verbindung. Das wird gesendet, sobald es eine gibt.',
  'The server refused this. Load the page again to see what is stored.':
    'Der Server hat das abgelehnt. Nach erneutem Laden zeigt die Seite, was gespeichert ist.',
  'The order of these cards is that of the view. Edit the view to sort them another way.':
    'Die Reihenfolge dieser Karten ist die der Ansicht. Anders sortieren lassen sie sich durch Bearbeiten der Ansicht.',
  'The card': 'Die Karte',
  '{title} is number {place} of {all}.': '{title} ist Nummer {place} von {all}.',
  '{title} moved to {place}.': '{title} nach {place} verschoben.',
  '{title} has no date now.': '{title} hat jetzt kein Datum.',
  'Copied.': 'Kopiert.',
  '{n} cells copied.': '{n} Zellen kopiert.',
  '{n} cell pasted.': '{n} Zelle eingefügt.',
  '{n} cells pasted.': '{n} Zellen eingefügt.',
  '{n} cell cleared.': '{n} Zelle geleert.',
  '{n} cells cleared.': '{n} Zellen geleert.',
  'The server was not reached. Nothing was changed; try again.':
    'Der Server wurde nicht erreicht. Nichts wurde geändert; bitte noch einmal versuchen.',
  '“{title}” waits for approval.': '„{title}“ wartet auf Zustimmung.',
  '“{title}” was added.': '„{title}“ wurde hinzugefügt.',
  '“{title}” was added, and is not among the rows that are shown here.':
    '„{title}“ wurde hinzugefügt und ist nicht unter den Zeilen, die hier stehen.',
  '“{title}” was not added: {reason}': '„{title}“ wurde nicht hinzugefügt: {reason}',
  'Members to mention': 'Mitglieder zum Erwähnen',
  'This was refused. Nothing was changed.': 'Das wurde abgelehnt. Nichts wurde geändert.',
  'A change of {n} cell waits for approval.': 'Eine Änderung von {n} Zelle wartet auf Genehmigung.',
  'A change of {n} cells waits for approval.': 'Eine Änderung von {n} Zellen wartet auf Genehmigung.',
  'No connection. This is what was saved at {time}.': 'Keine Verbindung. Das ist der Stand von {time}.',
  'No connection. Keep this page open: what you shared is added once there is one, after you are asked.':
    'Keine Verbindung. Diese Seite offen lassen: Was geteilt wurde, wird nach einer Rückfrage hinzugefügt, sobald es wieder eine gibt.',
  'No connection, and this page was not saved in this browser.':
    'Keine Verbindung, und diese Seite ist in diesem Browser nicht gespeichert.',
  Undo: 'Rückgängig',
  'The server cannot be reached, so this cell cannot be opened now.':
    'Der Server ist nicht erreichbar, daher lässt sich diese Zelle jetzt nicht öffnen.',
  'The server was not reached. Nothing was saved; try again.':
    'Der Server wurde nicht erreicht. Nichts wurde gespeichert; bitte noch einmal versuchen.',
  'Drop it here to hide it': 'Zum Ausblenden hier ablegen',
  '{name} is hidden. Columns shows it again.': '{name} ist ausgeblendet. „Spalten“ zeigt die Spalte wieder.',
  'Width of {name}': 'Breite von {name}',
  'Each column is as wide as its text.': 'Jede Spalte ist so breit wie ihr Text.',
  Table: 'Tabelle',
  '{name} is column {place}.': '{name} ist Spalte {place}.',
  'The column with the titles is always the first.': 'Die Spalte mit den Titeln bleibt die erste.',
  'Move to': 'Verschieben nach',
  'Moving to {title}': 'Wird nach {title} verschoben',
  'This browser could not keep a change: its storage is full or closed. Copy what you wrote before you leave.':
    'Dieser Browser konnte eine Änderung nicht behalten: Sein Speicher ist voll oder gesperrt. Bitte das Geschriebene kopieren, bevor die Seite verlassen wird.',
  'You are offline. Try again later.': 'Keine Verbindung. Bitte später noch einmal versuchen.',
  'The block is not stored yet. Try again in a moment.':
    'Der Block ist noch nicht gespeichert. Bitte gleich noch einmal versuchen.',
  Picture: 'Bild',
  'This page could not finish something: {reason}. Load it again to see what is stored.':
    'Diese Seite konnte etwas nicht beenden: {reason}. Neu geladen zeigt sie, was gespeichert ist.',
  Close: 'Schließen',
  '{n} min ago': 'vor {n} min',
  '{n} s ago': 'vor {n} s',
  'The server was not reached. Nothing was sent; try again.':
    'Der Server wurde nicht erreicht. Nichts wurde gesendet; bitte noch einmal versuchen.',
  'Pasted as plain text.': 'Als einfacher Text eingefügt.',
  '{n} link that would run a program is only text now.':
    '{n} Link, der ein Programm starten würde, ist jetzt nur Text.',
  '{n} links that would run a program are only text now.':
    '{n} Links, die ein Programm starten würden, sind jetzt nur Text.',
  '{n} link to a file or a part of another site is only text now.':
    '{n} Link zu einer Datei oder einem Teil einer anderen Website ist jetzt nur Text.',
  '{n} links to a file or a part of another site are only text now.':
    '{n} Links zu Dateien oder Teilen einer anderen Website sind jetzt nur Text.',
  '{n} picture could not be pasted. Copy it by itself, or add it as a file.':
    '{n} Bild konnte nicht eingefügt werden. Bitte allein kopieren oder als Datei hinzufügen.',
  '{n} pictures could not be pasted. Copy each one by itself, or add it as a file.':
    '{n} Bilder konnten nicht eingefügt werden. Bitte einzeln kopieren oder als Dateien hinzufügen.',
  '{n} link around a picture could not be pasted.': '{n} Link um ein Bild konnte nicht eingefügt werden.',
  '{n} links around a picture could not be pasted.': '{n} Links um Bilder konnten nicht eingefügt werden.',
  '{n} drawing could not be pasted.': '{n} Zeichnung konnte nicht eingefügt werden.',
  '{n} drawings could not be pasted.': '{n} Zeichnungen konnten nicht eingefügt werden.',
  '{n} embedded page is a link now.': '{n} eingebettete Seite ist jetzt ein Link.',
  '{n} embedded pages are links now.': '{n} eingebettete Seiten sind jetzt Links.',
  '{n} embedded page could not be pasted.': '{n} eingebettete Seite konnte nicht eingefügt werden.',
  '{n} embedded pages could not be pasted.': '{n} eingebettete Seiten konnten nicht eingefügt werden.',
  '{n} item of a list has a number instead of a letter now.':
    '{n} Listenpunkt hat jetzt eine Zahl statt eines Buchstabens.',
  '{n} items of lists have numbers instead of letters now.': '{n} Listenpunkte haben jetzt Zahlen statt Buchstaben.',
  '{n} heading below the fourth level is of the fourth now.':
    '{n} Überschrift unterhalb der vierten Ebene gehört jetzt zur vierten.',
  '{n} headings below the fourth level are of the fourth now.':
    '{n} Überschriften unterhalb der vierten Ebene gehören jetzt zur vierten.',
  'Pasted as plain text, since it is too long to convert. Paste it in parts to keep its formatting.':
    'Als einfacher Text eingefügt, weil er zum Umwandeln zu lang ist. In Teilen eingefügt behält er seine Formatierung.',
  Comment: 'Kommentar',
  '{count} could not be sent before you signed out, and will not be sent as somebody else. Copy what you need, then delete it from this browser.':
    '{count}: vor dem Abmelden nicht gesendet, und nie unter anderem Namen gesendet. Nötiges bitte kopieren und dann aus diesem Browser löschen.',
  '{count} in this browser could not be sent, and will be once the space is opened in the same way':
    '{count} in diesem Browser: nicht gesendet; gesendet wird, sobald der Bereich auf demselben Weg geöffnet wird',
  'Show changes': 'Änderungen anzeigen',
  'Show {count} new': '{count} neue anzeigen',
  'Also here': 'Auch hier',
  'You are offline. Undo works again once the server is reached.':
    'Keine Verbindung. Rückgängigmachen geht wieder, sobald der Server erreicht wird.',
  'Nothing to redo': 'Nichts zu wiederholen',
  'Nothing of yours to undo here': 'Hier ist nichts Eigenes rückgängig zu machen',
  Redone: 'Wiederholt',
  Undone: 'Rückgängig gemacht',
  'The server cannot be reached. Try again.': 'Der Server ist nicht erreichbar. Bitte noch einmal versuchen.',
  'Others changed this later, so it stays. The history of the document can take back more.':
    'Andere haben das später geändert, daher bleibt es. Der Verlauf des Dokuments kann mehr zurücknehmen.',
  'Others changed what you deleted. It stays.': 'Andere haben das Gelöschte geändert. Es bleibt.',
  'The file': 'Die Datei',
  '{name} was not added. {reason}': '{name} wurde nicht hinzugefügt. {reason}',
  'Only text can be suggested. Choose Edit above the document to add this.':
    'Nur Text lässt sich vorschlagen. Mit „Bearbeiten“ über dem Dokument lässt sich das hinzufügen.',
  'These are many changes for one suggestion. The last ones wait until others are decided on.':
    'Das sind viele Änderungen für einen Vorschlag. Die letzten warten, bis über andere entschieden ist.',
  'You suggest this': 'Eigener Vorschlag',
  Withdraw: 'Zurückziehen',
  'Withdraw what you suggest here': 'Den eigenen Vorschlag hier zurückziehen',
  'Withdraw all': 'Alle zurückziehen',
  'Withdrawn.': 'Zurückgezogen.',
  'Not suggested. {message}': 'Nicht vorgeschlagen. {message}',
  'A suggestion of yours was rejected. Its text is as it was.':
    'Ein eigener Vorschlag wurde abgelehnt. Sein Text ist, wie er war.',
  '{name}: {n} files': '{name}: {n} Dateien',
  'Reading {read} of {all} files…': '{read} von {all} Dateien werden gelesen …',
  'This file is too large. Import a part of it, or run “scriptorium import” where the space is.':
    'Diese Datei ist zu groß. Importieren lässt sich ein Teil davon, oder alles mit „scriptorium import“ dort, wo der Bereich ist.',
  'Sending, {percent} %…': 'Wird gesendet, {percent} % …',
  'Reading…': 'Wird gelesen …',
  'That did not work; try again.': 'Das hat nicht funktioniert; bitte noch einmal versuchen.',
  'The server was not reached. Nothing was moved; try again.':
    'Der Server wurde nicht erreicht. Nichts wurde verschoben; bitte noch einmal versuchen.',
  'It could not be moved.': 'Es konnte nicht verschoben werden.',
  'Proposed. It happens once it is approved.': 'Vorgeschlagen. Es geschieht, sobald es genehmigt ist.',
  'Moved to {name}.': 'Nach {name} verschoben.',
  '{count} of another session in this browser could not be sent':
    '{count} einer anderen Sitzung in diesem Browser: nicht gesendet',
  'The server answered {status}.': 'Der Server hat {status} geantwortet.',
  'The page asks something before it does that. Do it again, and answer.':
    'Die Seite fragt vorher etwas. Bitte noch einmal ausführen und antworten.',
  'The server cannot be reached.': 'Der Server ist nicht erreichbar.',
  'You are signed out, or your access has ended.': 'Abgemeldet, oder der Zugang ist beendet.',
  'What was not sent yet': 'Was noch nicht gesendet wurde',
  '1 change waits in this browser': '1 Änderung wartet in diesem Browser',
  '{n} changes wait in this browser': '{n} Änderungen warten in diesem Browser',
  '{waiting} and will be sent.': '{waiting}: Gesendet wird, sobald es geht.',
  Show: 'Anzeigen',
  'Open the space again': 'Bereich wieder öffnen',
  'This browser cannot keep what you type here. Save it before you leave.':
    'Dieser Browser kann nicht behalten, was hier getippt wird. Bitte vor dem Verlassen speichern.',
  '“{value}” can no longer be chosen.': '„{value}“ steht nicht mehr zur Wahl.',
  'It was changed since, to “{current}”.': 'Inzwischen wurde es geändert, in „{current}“.',
  'What you typed before was not saved. Here it is again.':
    'Das zuvor Getippte wurde nicht gespeichert. Hier ist es wieder.',
  Discard: 'Verwerfen',
  'What you typed into a form was not saved. Sign out and delete it?':
    'In ein Formular Getipptes wurde nicht gespeichert. Abmelden und es löschen?',
  'Changes that were not sent': 'Nicht gesendete Änderungen',
  '1 change': '1 Änderung',
  '{n} changes': '{n} Änderungen',
  Delete: 'Löschen',
  Copy: 'Kopieren',
  'Save the file': 'Datei speichern',
  'No answer came, so the server may have it.': 'Es kam keine Antwort; der Server hat es vielleicht.',
  '{count} of yours could not be saved. Copy what you need, and make it again.':
    '{count}: nicht gespeichert. Nötiges bitte kopieren und noch einmal ausführen.',
  'The arrow begins here. Go to where it ends, and press Enter.':
    'Der Pfeil beginnt hier. Zum Ende gehen und die Eingabetaste drücken.',
  '{name} is not an Excalidraw drawing.': '{name} ist keine Zeichnung von Excalidraw.',
  '1 element was added.': '1 Element wurde hinzugefügt.',
  '{n} elements were added.': '{n} Elemente wurden hinzugefügt.',
  'Drag to draw it; Enter puts it in the middle.': 'Durch Ziehen zeichnen; die Eingabetaste setzt es in die Mitte.',
  'Click where the text begins; Enter puts it in the middle.':
    'Dort drücken, wo der Text beginnt; die Eingabetaste setzt ihn in die Mitte.',
  'Drag from one element to another; or press Enter on both.':
    'Von einem Element zum anderen ziehen; oder auf beiden die Eingabetaste drücken.',
  rectangle: 'Rechteck',
  ellipse: 'Ellipse',
  diamond: 'Raute',
  arrow: 'Pfeil',
  line: 'Linie',
  text: 'Text',
  picture: 'Bild',
  drawing: 'Zeichnung',
  'from {from}': 'von {from}',
  'to {to}': 'nach {to}',
  Words: 'Text',
  Drawing: 'Zeichnung',
  Name: 'Name',
  'Renamed to {name}.': 'Umbenannt in {name}.',
  'The server was not reached. Try again.': 'Der Server war nicht erreichbar. Bitte noch einmal versuchen.',
  Download: 'Herunterladen',
  '{at} of {all}': '{at} von {all}',
  'Previous picture': 'Voriges Bild',
  'Next picture': 'Nächstes Bild',
  'Not added: {names}. A file may have {size} MiB.':
    'Nicht hinzugefügt: {names}. Eine Datei darf {size} MiB groß sein.',
}
