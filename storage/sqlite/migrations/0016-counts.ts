/**
 * How many documents there are in each folder and in each location, kept by triggers: to count them anew looked at every
 * document of the space. And collections by document: to find those of a few documents looked at all of them.
 */
const LOCATIONS = ['unsorted', 'folder', 'daily_notes', 'templates', 'trash', 'inbox', 'logbook']

/** Counts the document of a row, `old` or `new`, where it is. */
const count = (row: 'old' | 'new', change: '+ 1' | '- 1'): string => `
  UPDATE location_count SET documents = documents ${change} WHERE location = ${row}.location;
  UPDATE folder SET document_count = document_count ${change} WHERE n = ${row}.folder;`

export const sql = `
CREATE TABLE location_count (
  location TEXT PRIMARY KEY,
  documents INTEGER NOT NULL
) STRICT;
INSERT INTO location_count (location, documents) VALUES ${LOCATIONS.map((location) => `('${location}', 0)`).join(', ')};
UPDATE location_count SET documents = (SELECT count(*) FROM document WHERE document.location = location_count.location);

ALTER TABLE folder ADD COLUMN document_count INTEGER NOT NULL DEFAULT 0;
UPDATE folder SET document_count = (SELECT count(*) FROM document WHERE document.location = 'folder' AND document.folder = folder.n);

CREATE INDEX block_collection ON block (document, n) WHERE type = 'collection';

CREATE TRIGGER document_added AFTER INSERT ON document BEGIN${count('new', '+ 1')}
END;
CREATE TRIGGER document_removed AFTER DELETE ON document BEGIN${count('old', '- 1')}
END;
CREATE TRIGGER document_moved AFTER UPDATE OF location, folder ON document BEGIN${count('old', '- 1')}${count('new', '+ 1')}
END;
`
