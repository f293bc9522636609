/** Links that are given to a group, and one link of each person in it. */
export const sql = `
CREATE TABLE group_link (
  link INTEGER PRIMARY KEY REFERENCES link (n),
  member_group INTEGER NOT NULL REFERENCES member (n),
  -- The link that was given to the group, of which this is one person's. NULL for that link itself.
  given_with INTEGER REFERENCES link (n)
) STRICT;
CREATE INDEX group_link_group ON group_link (member_group);
CREATE INDEX group_link_given ON group_link (given_with);
`
