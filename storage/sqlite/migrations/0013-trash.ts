/**
 * When documents were thrown away. Of those that are in the trash already the log of writes says it; where it does not,
 * they count as thrown away now, so that nothing is taken for older than it is.
 */
export const sql = `
ALTER TABLE document ADD COLUMN trashed_at INTEGER;
UPDATE document SET trashed_at = coalesce(
  (SELECT max(write_log.at) FROM write_log JOIN json_each(write_log.ids) AS named
   WHERE write_log.endpoint = 'documents_delete' AND named.value = (SELECT id FROM block WHERE block.n = document.n)),
  CAST(unixepoch('subsec') * 1000 AS INTEGER)
) WHERE location = 'trash';
`
