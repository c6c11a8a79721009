/** Returns a number of rows as text, such as `1 row` or `2 rows`. */
export const rows = (number: number) => `${number} ${number === 1 ? 'row' : 'rows'}`

/** Returns a phrase such as `1 of 3 rows has errors`. */
export const rowsWithErrors = (refused: number, all: number) =>
  `${refused} of ${rows(all)} ${refused === 1 ? 'has' : 'have'} errors`
