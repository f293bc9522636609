/** Triggers that count documents, retire IDs, count changes of reach, and note what is known of a space from outside. */

/** Whose IDs are never given twice. */
const IDENTIFIED = ['block', 'folder', 'view', 'reminder', 'comment', 'file']

/** What is known of a space without entering it. */
const tenantTriggers = `
CREATE OR REPLACE FUNCTION set_space_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tenant SET key = left(encode(sha256(convert_to('space ' || NEW.id, 'UTF8')), 'hex'), 10)
  WHERE space = NEW.space;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER space_keyed AFTER INSERT OR UPDATE OF id ON space FOR EACH ROW EXECUTE FUNCTION set_space_key();

CREATE OR REPLACE FUNCTION count_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  of_space bigint := coalesce(NEW.space, OLD.space);
BEGIN
  UPDATE tenant SET webhooks = (SELECT count(*) FROM webhook WHERE space = of_space AND paused_at IS NULL)
  WHERE space = of_space;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER webhook_counted AFTER INSERT OR DELETE OR UPDATE OF paused_at ON webhook FOR EACH ROW
  EXECUTE FUNCTION count_webhooks();
`

const triggers = `
CREATE OR REPLACE FUNCTION retire_ids() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO retired_id (space, id) SELECT space, id FROM gone ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
${IDENTIFIED.map(
  (name) => `CREATE OR REPLACE TRIGGER ${name}_id_retired AFTER DELETE ON ${name} REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION retire_ids();`,
).join('\n')}

CREATE OR REPLACE FUNCTION count_documents(of_space bigint, of_location text, of_folder bigint, change bigint)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO location_count AS known (space, location, documents) VALUES (of_space, of_location, change)
  ON CONFLICT (space, location) DO UPDATE SET documents = known.documents + excluded.documents;
  UPDATE folder SET document_count = document_count + change WHERE space = of_space AND n = of_folder;
$$;
CREATE OR REPLACE FUNCTION count_added_documents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_documents(space, location, folder, count(*)) FROM added GROUP BY space, location, folder;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION count_removed_documents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_documents(space, location, folder, -count(*)) FROM gone GROUP BY space, location, folder;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION count_moved_document() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_documents(OLD.space, OLD.location, OLD.folder, -1), count_documents(NEW.space, NEW.location, NEW.folder, 1);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER document_added AFTER INSERT ON document REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_added_documents();
CREATE OR REPLACE TRIGGER document_removed AFTER DELETE ON document REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION count_removed_documents();
CREATE OR REPLACE TRIGGER document_moved AFTER UPDATE OF location, folder ON document FOR EACH ROW
  WHEN (OLD.location IS DISTINCT FROM NEW.location OR OLD.folder IS DISTINCT FROM NEW.folder)
  EXECUTE FUNCTION count_moved_document();
`

/** Counts how often a link came to reach other documents, or another kind of them. */
const reachTriggers = `
CREATE OR REPLACE FUNCTION count_reach_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE link SET reach_changes = reach_changes + moved.count
  FROM (SELECT space, link, count(*) AS count FROM moved GROUP BY space, link) AS moved
  WHERE link.space = moved.space AND link.n = moved.link;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER link_document_exposed AFTER INSERT ON link_document REFERENCING NEW TABLE AS moved
  FOR EACH STATEMENT EXECUTE FUNCTION count_reach_changes();
CREATE OR REPLACE TRIGGER link_document_unexposed AFTER DELETE ON link_document REFERENCING OLD TABLE AS moved
  FOR EACH STATEMENT EXECUTE FUNCTION count_reach_changes();
CREATE OR REPLACE FUNCTION count_kind_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.reach_changes = NEW.reach_changes + 1;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER link_kind_changed BEFORE UPDATE OF kind ON link FOR EACH ROW
  WHEN (OLD.kind IS DISTINCT FROM NEW.kind) EXECUTE FUNCTION count_kind_change();
`

export const documentTriggers = `${triggers}${tenantTriggers}${reachTriggers}`
