/**
 * Documents by where they are, with all that counting them by folder reads, and by when they were made: what was asked
 * of either looked at every document.
 */
export const sql = `
DROP INDEX document_location;
CREATE INDEX document_place ON document (location, folder);
CREATE INDEX document_created ON document (created_at);
`
