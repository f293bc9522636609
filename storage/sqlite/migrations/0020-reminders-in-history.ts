/**
 * Calls that set reminders are calls in the documents of their blocks.
 *
 * The log has a range of numbers for reminders that were added, and no document, and they leave the revision of the
 * document as it is: such a call was listed without a document.
 */
/** Not by ON CONFLICT: the statement that fires a trigger may override that. */
const notKnown = (call: string): string =>
  `NOT EXISTS (SELECT 1 FROM call_document AS known WHERE known.call = ${call} AND known.document = block.document)`

export const sql = `
CREATE TRIGGER reminder_range_logged AFTER INSERT ON change WHEN new.tbl = 'reminder' AND new.last IS NOT NULL BEGIN
  INSERT INTO call_document (call, document, is_marked)
  SELECT DISTINCT new.call, block.document, 1 FROM reminder JOIN block ON block.n = reminder.block
  WHERE reminder.n BETWEEN new.row AND new.last AND ${notKnown('new.call')};
END;
INSERT INTO call_document (call, document, is_marked)
SELECT DISTINCT change.call, block.document, 1
FROM change JOIN reminder ON reminder.n BETWEEN change.row AND change.last JOIN block ON block.n = reminder.block
WHERE change.tbl = 'reminder' AND change.last IS NOT NULL AND ${notKnown('change.call')};
`
