/** Triggers that count documents, retire IDs, and count how often a link came to reach other documents. */

/** Counts the document of a row, `old` or `new`, where it is. */
const count = (row: 'old' | 'new', change: '+ 1' | '- 1'): string => `
  UPDATE location_count SET documents = documents ${change} WHERE location = ${row}.location;
  UPDATE folder SET document_count = document_count ${change} WHERE n = ${row}.folder;`

/** Tables whose IDs are never given twice. */
const IDENTIFIED = ['block', 'folder', 'view', 'reminder', 'comment', 'file']

const retireIds = (table: string): string => `CREATE TRIGGER ${table}_id_retired AFTER DELETE ON ${table} BEGIN
  INSERT OR IGNORE INTO retired_id (id) VALUES (old.id);
END;`

export const documentTriggers = `
CREATE TRIGGER document_added AFTER INSERT ON document BEGIN${count('new', '+ 1')}
END;
CREATE TRIGGER document_removed AFTER DELETE ON document BEGIN${count('old', '- 1')}
END;
CREATE TRIGGER document_moved AFTER UPDATE OF location, folder ON document BEGIN${count('old', '- 1')}${count('new', '+ 1')}
END;
${IDENTIFIED.map(retireIds).join('\n')}
CREATE TRIGGER link_document_exposed AFTER INSERT ON link_document BEGIN
  UPDATE link SET reach_changes = reach_changes + 1 WHERE n = new.link;
END;
CREATE TRIGGER link_document_unexposed AFTER DELETE ON link_document BEGIN
  UPDATE link SET reach_changes = reach_changes + 1 WHERE n = old.link;
END;
CREATE TRIGGER link_kind_changed AFTER UPDATE OF kind ON link WHEN old.kind IS NOT new.kind BEGIN
  UPDATE link SET reach_changes = reach_changes + 1 WHERE n = new.n;
END;`
