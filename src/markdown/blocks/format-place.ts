/** "line 3, column 1", for people: both from one. */
export const formatPlace = (line: number, column: number): string => `line ${line + 1}, column ${column + 1}`
