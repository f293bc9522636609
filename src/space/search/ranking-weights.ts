/**
 * The weights for ranking documents by terms; {@link rankDocuments} describes how a score is computed. They were tuned
 * on collections with relevance judgments. Doubling or halving a weight changes which of two documents comes first.
 */
export const RANKING_WEIGHTS = {
  /** For the number of blocks that contain a term. */
  spread: 0.4,
  /**
   * For terms in the title. `fullTitle` is added in proportion to the fraction of the terms that the title contains.
   */
  title: 0.7,
  fullTitle: 1.2,
  /** For each further time that a question repeats a word. */
  repeat: 0.5,
  /** For a part of a compound, such as `server` of `server-side`, relative to the whole. */
  part: 0.4,
  /** For a word that says what to do with what is found, such as *list* or *explain*. */
  asking: 0.2,
  /** What the first two blocks of a document count more than others. */
  beginning: 0.4,
  /** For a word that only starts with the term. */
  prefix: 0.6,
  /** BM25's k1: how quickly further occurrences stop counting. */
  saturation: 1.2,
  /** BM25's b: how much a block loses if it is longer than the average, which is given in words. */
  length: 0.3,
  averageLength: 30,
  /** The boost for a document that was changed just now, and its half-life in milliseconds. */
  recency: 0.05,
  recencyHalfLife: 30 * 86_400_000,
}
